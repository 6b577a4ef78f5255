// The credentials of the process, as long as they hold: fetched once for all who ask at the same time, and again before they are over.
#pragma once
#include <boost/asio/any_io_executor.hpp>

#include "adapters/aws/credential_sources.hpp"
#include "coro/event.hpp"
#include "ports/clock.hpp"

namespace crawler::adapters::aws {

class CredentialsCache {
  public:
    // The sources in the order in which they are asked.
    CredentialsCache(std::vector<CredentialSource> sources, Duration refresh_early, const ports::Clock& clock,
                     const boost::asio::any_io_executor& executor)
        : sources_(std::move(sources)), refresh_early_(refresh_early), clock_(clock), fetched_(executor) {}

    // The first source that is set up decides; if it fails, no other is asked, so that nobody works as somebody else by mistake. The
    // error names it, or every source and what it lacks. While old credentials still hold, a failed refresh is no error.
    Async<Result<Credentials>> get();
    // They were refused: whoever asks next gets new ones.
    void forget(const Credentials& refused);

  private:
    class Turn;
    bool is_fresh() const;
    bool still_holds() const;
    Async<Result<Credentials>> fetch();

    std::vector<CredentialSource> sources_;
    Duration refresh_early_;
    const ports::Clock& clock_;
    std::optional<Credentials> held_;
    std::optional<Error> failure_;  // of the latest fetch
    TimePoint not_before_{};        // after a fetch that failed, while the old ones hold
    bool is_fetching_ = false;
    coro::Event fetched_;
};

}  // namespace crawler::adapters::aws
