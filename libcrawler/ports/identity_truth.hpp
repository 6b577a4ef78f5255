// Who may ask the marketplace, as whoever keeps the ledger knows it, for a faster pool in front. That one takes requests of an identity
// in blocks: all of a block count as made from the moment it is lent, so that nothing that is lost in front of the ledger was ever too
// much. What was not made is given back, what was is told when it happened; of a block that nobody ends everything stays counted.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "ports/identity_pool.hpp"

namespace crawler::ports {

struct BlockWish {
    std::string holder;  // one word: in front of which ids of blocks, and of their requests, begin
    int identities = 0;  // so many at most; 0: only what ended is told
    int requests = 0;    // of each, at most
    Duration hold{};     // how long they may be begun
};

// While it is lent nobody else lends that identity, until `begun` + hold + lease.
struct RequestBlock {
    std::string id;
    UserAgentId identity;
    std::string user_agent;
    std::string sealed_token;
    int health = 0;
    std::optional<TimePoint> last_used;
    int requests = 0;
    TimePoint begun;
};
// The reservation of the n-th request of a block, the first being 1.
std::string reservation_in(const std::string& block, std::size_t number);
// The block of such a reservation; empty: it is of none.
std::string block_of(const std::string& reservation);

// Those of its requests that were made since it was last told, in order, and when: all succeeded. The last one may still be under way;
// then the block goes on for that one alone.
struct BlockEnd {
    struct Made {
        TimePoint reserved;
        std::optional<TimePoint> answered;
    };
    std::string block;
    UserAgentId identity;
    std::vector<Made> made;
    std::size_t told = 0;  // so many before these

    std::size_t last() const { return told + made.size(); }
    bool is_under_way() const { return !made.empty() && !made.back().answered; }
};

// A request that was reserved past the blocks, and until when the host may be at it.
struct RequestElsewhere {
    std::string reservation;
    TimePoint seen_until;
};

struct Exchanged {
    std::vector<RequestBlock> blocks;
    std::vector<RequestElsewhere> elsewhere;  // only where there are blocks
    std::optional<TimePoint> next;            // without blocks: when to ask again; empty: nobody is left to lend
    BreakerStatus breaker = BreakerStatus::closed;
    TimePoint breaker_free_at;
    TimePoint now;
};

// The pool that keeps the ledger lends slots one by one, too.
class IdentityTruth : public IdentityPool {
  public:
    // In one transaction: what ended, and new blocks. While the breaker is not CLOSED there are none; slots are then had one by one.
    virtual Async<Result<Exchanged>> exchange(std::vector<BlockEnd> ended, BlockWish wish) = 0;
    // Ends a block whose last request, which is under way in it, came to this. As for IdentityPool::report.
    struct Verdict {
        Result<> result;
        BreakerStatus breaker = BreakerStatus::closed;
        Duration breaker_opens_in{};  // 0: now, or it is not OPEN
    };
    virtual Async<Result<Verdict>> judge(BlockEnd ended, SlotReport report) = 0;
    // The same while nobody can be asked what else is in its block, which goes on.
    virtual Async<Result<>> judge_beside(std::string reservation, UserAgentId identity, SlotReport report) = 0;
    // Empty: it cannot be opened any more.
    virtual Secret open(const std::string& sealed_token, const UserAgentId& identity) const = 0;
};

}  // namespace crawler::ports
