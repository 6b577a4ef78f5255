#include "an_adapter.hpp"
