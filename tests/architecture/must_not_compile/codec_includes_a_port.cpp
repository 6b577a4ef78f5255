#include "ports/http.hpp"
