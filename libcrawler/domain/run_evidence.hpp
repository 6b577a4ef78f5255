// What is stored of a run, and what it says about each item of the seller: the way from tasks and answers to the completeness proof,
// and to the items that are not on sale any more. Used by ConcludeRuns.
#pragma once
#include <map>
#include <set>

#include "domain/crawled_raw.hpp"
#include "domain/execution.hpp"

namespace crawler {

// One task of the run that asks about an item, with what became of its answer.
struct ItemQuestion {
    ItemNo item = 0;
    TaskType asked = TaskType::product_detail;
    TaskStatus task = TaskStatus::waiting;
    std::optional<CompletedAs> completed_as;
    std::optional<RawStatus> answer;  // none: there is none, or it is not stored any more
};

// What is known of an item, from this run or an earlier one.
struct KnownItem {
    SellerId seller;
    bool has_detail = false;
    bool has_option = false;
};

struct RunEvidence {
    std::int64_t announced = 0;        // the highest total that an answer of the listing named
    std::int64_t tasks = 0;            // that are stored
    std::int64_t open_tasks = 0;       // of them
    std::int64_t pages = 0;            // tasks that list the seller's own catalogue ...
    std::int64_t pages_completed = 0;  // ... and how many of them were
    std::int64_t searches = 0;         // tasks that list a keyword
    bool has_unread_answers = false;   // they have yet to be worked in; then nothing below is looked at
    std::vector<ItemQuestion> questions;
    std::map<ItemNo, KnownItem> known;

    // A listing page leaves a question about each of its items behind.
    std::set<ItemNo> listed() const;
};

// invalid: a negative total.
Result<CompletenessProof> prove(const SellerId& seller, const RunEvidence& evidence);

// Whether what this run does not list is off sale, as far as one listing can tell. In doubt it does not: where the run was given up, a
// page failed or was short, or tasks of it are not stored any more. Nor where anything of it is a search: that mixes sellers, ends
// where the marketplace likes, and announces what is found, not what is on sale. A listing of nothing at all says so of everything;
// that takes a second one to be believed, like any other.
bool proves_removal(const CrawlingScheduleExecution& run, const RunEvidence& evidence, const CompletenessProof& proof);

}  // namespace crawler
