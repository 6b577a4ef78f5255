// What Redis knows of identities: the scripts, and what they answer. Used by the identity pool.
#pragma once
#include <variant>

#include "adapters/redis/identity_pool.hpp"
#include "adapters/redis/link.hpp"
#include "ports/identity_truth.hpp"

namespace crawler::adapters::redis {

// A moment on Redis' clock.
using RedisTime = std::int64_t;

struct Lent {
    std::string reservation;
    UserAgentId identity;
    std::string user_agent;
    std::string sealed_token;
    RedisTime now = 0;
};
struct Wait {
    RedisTime until = 0;
    RedisTime now = 0;
};
// Nobody is left here; the ledger may have more.
struct Empty {
    RedisTime now = 0;
    std::optional<RedisTime> next;  // when somebody here has rested
    RedisTime ceiling_free = 0;
    std::vector<ports::BlockEnd> ended;
    std::string run;
};
using Lending = std::variant<Lent, Wait, Empty>;

struct Reported {
    enum class Outcome { done, over, judge } outcome = Outcome::done;
    ports::BlockEnd ended;  // to be judged
};

class IdentityView {
  public:
    IdentityView(RedisLink& link, RedisIdentityPoolConfig config, const ports::Clock& clock);

    // All: unavailable, where nobody answers or its clock has stepped back; timeout, where it may have happened.
    Async<Result<Lending>> lend();
    // Takes in what was asked for when it was `empty`, and lends.
    Async<Result<Lending>> load(const Empty& empty, const ports::Exchanged& exchanged);
    Async<Result<Reported>> report(std::string reservation, UserAgentId identity, ports::SlotReport report);
    // All that is not under way; and for `shut` nothing is lent.
    Async<Result<std::vector<ports::BlockEnd>>> take(Duration shut);
    Async<> note_answered(std::string reservation);

  private:
    std::vector<std::string> first_words() const;
    Async<Result<Reply>> call(std::string_view script, std::vector<std::string> words);
    Result<Lending> lending_of(const Reply& reply) const;
    ports::BlockEnd end_of(const Reply& told) const;

    RedisLink& link_;
    const RedisIdentityPoolConfig config_;
    const ports::Clock& clock_;
    const std::vector<std::string> keys_;
};

}  // namespace crawler::adapters::redis
