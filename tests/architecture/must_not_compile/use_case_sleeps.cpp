#include "coro/sleep.hpp"
