#include "pool_rules.hpp"

#include <stdexcept>

#include "runtime/config.hpp"

namespace crawler::ctl {

using namespace std::chrono_literals;
using runtime::between;

adapters::SqlIdentityPoolConfig pool_rules(const std::optional<std::filesystem::path>& file,
                                           const runtime::Environment& environment) {
    adapters::SqlIdentityPoolConfig rules;
    runtime::Configuration configuration(file, environment);
    auto pool = configuration.root().section("pool");
    pool.read("limit", rules.limits.limit, between(1, 10'000'000));
    pool.read("window", rules.limits.span, between(1ms, 168h));
    pool.read("spacing", rules.limits.spacing, between(0s, 1h));
    pool.read("guard", rules.limits.guard, between(0s, 10min));
    pool.read("server_clock", rules.server_clock);
    auto ceiling = pool.section("ceiling");
    ceiling.read("per_second", rules.ceiling.per_second, between(1, 1'000'000));
    ceiling.read("per_hour", rules.ceiling.per_hour, between(1, 100'000'000));
    ceiling.read("guard", rules.ceiling.guard, between(0s, 10min));
    for (const auto& problem : configuration.problems_of_what_was_read()) throw std::runtime_error(problem);
    if (const auto sound = rules.check(); !sound) throw std::runtime_error(sound.error().detail);
    return rules;
}

}  // namespace crawler::ctl
