// Pieces of work side by side, all to their end. Where one fails the others are cancelled and waited for.
#pragma once
#include <vector>

#include "coro/async.hpp"

namespace crawler::coro {

// The first failure travels.
Async<> together(Async<> a, Async<> b);
Async<> together(std::vector<Async<>> works);

}  // namespace crawler::coro
