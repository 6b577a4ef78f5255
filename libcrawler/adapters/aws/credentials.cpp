#include "adapters/aws/credentials.hpp"

namespace crawler::adapters::aws {
namespace {

constexpr Duration pause_after_failure = std::chrono::seconds{30};

}  // namespace

// Whoever comes first fetches for all; if it is cut, another one does.
class CredentialsCache::Turn {
  public:
    explicit Turn(CredentialsCache& cache) : cache_(cache) {
        cache_.is_fetching_ = true;
        cache_.failure_.reset();
    }
    ~Turn() {
        cache_.is_fetching_ = false;
        cache_.fetched_.notify_all();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

  private:
    CredentialsCache& cache_;
};

bool CredentialsCache::is_fresh() const {
    if (!held_) return false;
    if (!held_->expires_at) return true;
    const auto now = clock_.now();
    return now < *held_->expires_at - refresh_early_ || (still_holds() && now < not_before_);
}

bool CredentialsCache::still_holds() const {
    return held_ && (!held_->expires_at || clock_.now() < *held_->expires_at);
}

Async<Result<Credentials>> CredentialsCache::get() {
    bool has_waited = false;
    while (!is_fresh()) {
        if (is_fetching_) {
            has_waited = true;
            co_await fetched_.wait();
            continue;
        }
        // What the one we waited for was told goes for us too.
        if (has_waited && failure_) break;
        const Turn turn(*this);
        auto fetched = co_await fetch();
        if (fetched) {
            held_ = *std::move(fetched);
            break;
        }
        failure_ = fetched.error();
        not_before_ = clock_.now() + pause_after_failure;
        break;
    }
    if (still_holds()) co_return *held_;
    co_return failure_.value_or(Error{Errc::blocked, "AWS credentials: what was fetched is over already"});
}

void CredentialsCache::forget(const Credentials& refused) {
    if (held_ && held_->access_key == refused.access_key &&
        held_->session_token.reveal() == refused.session_token.reveal())
        held_.reset();
}

Async<Result<Credentials>> CredentialsCache::fetch() {
    std::string lacking;
    for (const auto& source : sources_) {
        auto found = co_await source.look();
        if (const auto* credentials = std::get_if<Credentials>(&found)) co_return *credentials;
        if (const auto* error = std::get_if<Error>(&found))
            co_return Error{error->code, "AWS credentials: " + source.name + ": " + error->detail};
        lacking += (lacking.empty() ? "" : "; ") + source.name + ": " + std::get<NotSetUp>(found).why;
    }
    co_return Error{Errc::blocked, "no AWS credentials: " + lacking};
}

}  // namespace crawler::adapters::aws
