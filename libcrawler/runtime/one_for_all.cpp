#include "runtime/one_for_all.hpp"

namespace crawler::runtime {
namespace {

// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): leases and pass outlive the loop
Async<Result<std::size_t>> pass_if_ours(ports::Leases& leases, Claim claim, const Pass& pass) {
    const auto lease = co_await leases.acquire(claim.name, claim.holder, claim.length);
    if (!lease) co_return lease.error();
    if (!*lease) co_return std::size_t{0};
    co_return co_await pass();
}

}  // namespace

Pass one_for_all(ports::Leases& leases, Claim claim, Pass pass) {
    return [&leases, claim = std::move(claim), pass = std::move(pass)] { return pass_if_ours(leases, claim, pass); };
}

}  // namespace crawler::runtime
