#include "a_use_case.hpp"
