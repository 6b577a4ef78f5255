// Two pieces of work side by side, both to their end. Where one fails the other is cancelled and waited for.
#pragma once
#include "coro/async.hpp"

namespace crawler::coro {

// The first failure travels.
Async<> together(Async<> a, Async<> b);

}  // namespace crawler::coro
