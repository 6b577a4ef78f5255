// The rule of all adapters. fmt, below spdlog, has a function of a name that the rule forbids, so it is read first.
#pragma once
#include <spdlog/common.h>

#include "adapters/layer.hpp"
