// Things of the domain for tests, with everything filled in that a test does not care about.
#pragma once
#include <string_view>

#include "domain/product.hpp"
#include "support/builders/execution.hpp"
#include "support/builders/outbox_entry.hpp"
#include "support/builders/product.hpp"
#include "support/builders/raw.hpp"
#include "support/builders/schedule.hpp"
#include "support/builders/seller.hpp"
#include "support/builders/task.hpp"
#include "support/builders/user_agent.hpp"
#include "support/clocks.hpp"

namespace crawler::test {

using namespace std::chrono_literals;

// "OK", or the name of the error: reads well where a check fails.
template <class T>
std::string_view code_of(const Result<T>& result) {
    return result ? "OK" : to_string(result.error().code);
}

}  // namespace crawler::test
