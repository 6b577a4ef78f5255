#include "domain/result.hpp"
