#include "a_loop.hpp"
