// The marketplace, strict: who asks too often, without a token, at an unknown host or for something that is not there is refused, and
// everybody is counted.
#pragma once
#include <array>
#include <map>
#include <set>

#include "bodies.hpp"
#include "faults.hpp"
#include "listed_items.hpp"
#include "rate_judge.hpp"
#include "sessions.hpp"

namespace marketsim {

class Marketplace {
  public:
    struct Parts {
        const Catalogue& catalogue;
        RateJudge& judge;
        Sessions& sessions;
        FaultPlan& faults;
        ListedItems& listed;
        std::set<std::string, std::less<>> hosts;  // without port; empty: any
        double time_factor = 1;                    // clients wait in their own seconds, not in simulated ones
    };
    explicit Marketplace(Parts parts) : parts_(std::move(parts)) {}

    struct Outcome {
        HttpResponse answer;
        Place place = Place::elsewhere;
        std::string_view outcome;     // "answered", "refused" or the name of a fault
        std::optional<Fault> spoilt;  // on its way to the client
        SimTime latency{};
    };
    Outcome handle(const HttpRequest& request, SimTime now);

  private:
    std::optional<HttpResponse> turn_away(const HttpRequest& request, const std::string& user_agent, SimTime now);
    void note_listed(const Question& question);
    HttpResponse answer(const Question& question, const std::string& user_agent, Quirks quirks, SimTime now);
    void suffer(Outcome& outcome, Fault fault, const Question& question, const std::string& user_agent, SimTime now);

    Parts parts_;
    std::uint64_t tick_ = 0;
};

}  // namespace marketsim
