// What the marketplace answered, untouched, and whether it has been worked into products yet. Only who holds a claim on
// it settles it; the store sees to it that a claim which was lost to another settles nothing.
#pragma once
#include "domain/crawler_task.hpp"
#include "domain/digest.hpp"
#include "domain/state_table.hpp"

namespace crawler {

enum class RawStatus { pending, processed, failed, quarantined };
constexpr auto names(RawStatus) {
    return std::to_array<EnumName<RawStatus>>({{RawStatus::pending, "PENDING"},
                                               {RawStatus::processed, "PROCESSED"},
                                               {RawStatus::failed, "FAILED"},
                                               {RawStatus::quarantined, "QUARANTINED"}});
}

enum class RawVerb { claim, process, fail, quarantine, replay };
constexpr auto names(RawVerb) {
    return std::to_array<EnumName<RawVerb>>({{RawVerb::claim, "claim"},
                                             {RawVerb::process, "process"},
                                             {RawVerb::fail, "fail"},
                                             {RawVerb::quarantine, "quarantine"},
                                             {RawVerb::replay, "replay"}});
}

inline constexpr StateTable raw_table{
    "CrawledRaw", RawStatus::pending, [] {
        using S = RawStatus;
        using V = RawVerb;
        constexpr std::string_view claimed = "claimed", left = "claimed, retries left",
                                   spent = "claimed, retries spent";
        return std::to_array<Transition<S, V>>(
            {{S::pending, V::claim, S::pending, "not leased, or the lease is over"},
             {S::failed, V::claim, S::failed, "due, and not leased or the lease is over"},
             {S::pending, V::process, S::processed, claimed},
             {S::failed, V::process, S::processed, claimed},
             {S::pending, V::fail, S::failed, left},
             {S::pending, V::fail, S::quarantined, spent},
             {S::failed, V::fail, S::failed, left},
             {S::failed, V::fail, S::quarantined, spent},
             {S::pending, V::quarantine, S::quarantined, claimed},
             {S::failed, V::quarantine, S::quarantined, claimed},
             {S::processed, V::replay, S::pending},
             {S::failed, V::replay, S::pending},
             {S::quarantined, V::replay, S::pending}});
    }()};

// An answer as it came.
struct CrawledAnswer {
    RawId id;
    TaskId task;
    SellerId seller;
    std::optional<ItemNo> item;  // of a detail or an option; a listing has many
    TaskType type = TaskType::minishop;
    TimePoint fetched_at;
    int http_status = 200;
    std::string body;
    Digest content_hash;  // of the body

    friend bool operator==(const CrawledAnswer&, const CrawledAnswer&) = default;
};

class CrawledRaw {
  public:
    struct State : CrawledAnswer {
        RawStatus status = RawStatus::pending;
        int attempt = 0;                    // counts claims; fences off whoever lost one
        int retry_count = 0;                // since it came, or was replayed
        int lost_count = 0;                 // claims that ended with their lease, without a word, since then
        std::optional<TimePoint> due_at{};  // of FAILED: not to be claimed before
        std::optional<TimePoint> lease_until{};
        std::string reason{};  // of FAILED or QUARANTINED; a replayed one keeps it until its next outcome

        friend bool operator==(const State&, const State&) = default;
    };

    static CrawledRaw keep(CrawledAnswer answer) { return CrawledRaw(State{std::move(answer)}); }
    static CrawledRaw restore(State state) { return CrawledRaw(std::move(state)); }

    // PENDING, or FAILED and due; and nobody holds it any more.
    bool is_claimable(TimePoint now) const;
    Result<> claim(TimePoint now, Duration lease);

    // These end a claim, even one whose lease is over as long as nobody else was given it. conflict: it is not claimed.
    Result<> mark_processed();
    // -> FAILED, due after a wait; QUARANTINED when the retries are spent.
    Result<> mark_failed(const Error& why, const RetryPolicy& policy, TimePoint now);
    // -> QUARANTINED at once: it can never be read as it is. The reason says where (a JSON pointer) and why.
    Result<> quarantine(std::string reason);

    // -> PENDING, with all its retries. Whoever holds a claim on it loses it.
    Result<> replay();

    // The marketplace no longer has what was asked for.
    bool says_gone() const { return state_.http_status == 404 || state_.http_status == 410; }
    const State& state() const { return state_; }

  private:
    explicit CrawledRaw(State state) : state_(std::move(state)) {}
    Result<> settle(RawVerb verb, RawStatus to, std::string reason);
    State state_;
};

}  // namespace crawler
