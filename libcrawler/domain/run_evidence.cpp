#include "domain/run_evidence.hpp"

namespace crawler {
namespace {

// An answer that was worked in, or went its way: what is known of the item says whether it brought anything.
FacetOutcome outcome_of_answer(const ItemQuestion& question, const KnownItem* known, const SellerId& seller) {
    if (known && known->seller != seller) return FacetOutcome::foreign;
    const bool has_facet =
        known && (question.asked == TaskType::product_detail ? known->has_detail : known->has_option);
    if (has_facet) return FacetOutcome::present;
    return question.answer ? FacetOutcome::unreadable : FacetOutcome::open;
}

FacetOutcome outcome_of(const ItemQuestion& question, const KnownItem* known, const SellerId& seller) {
    if (question.task == TaskStatus::failed) return FacetOutcome::failed;
    if (question.task != TaskStatus::completed) return FacetOutcome::open;
    if (question.completed_as == CompletedAs::gone) return FacetOutcome::gone;
    if (question.answer == RawStatus::quarantined) return FacetOutcome::unreadable;
    return outcome_of_answer(question, known, seller);
}

}  // namespace

std::set<ItemNo> RunEvidence::listed() const {
    std::set<ItemNo> items;
    for (const auto& question : questions) items.insert(question.item);
    return items;
}

Result<CompletenessProof> prove(const SellerId& seller, const RunEvidence& evidence) {
    std::vector<ItemFacts> facts;
    facts.reserve(evidence.questions.size());
    for (const auto& question : evidence.questions) {
        const auto known = evidence.known.find(question.item);
        const auto outcome = outcome_of(question, known == evidence.known.end() ? nullptr : &known->second, seller);
        auto& fact = facts.emplace_back(ItemFacts{.item = question.item, .listed = true});
        (question.asked == TaskType::product_detail ? fact.detail : fact.option) = outcome;
    }
    return CompletenessProof::of(evidence.announced, facts);
}

bool proves_removal(const CrawlingScheduleExecution& run, const RunEvidence& evidence, const CompletenessProof& proof) {
    const auto& state = run.state();
    return state.status == ExecutionStatus::completed && evidence.tasks == state.total_tasks &&
           evidence.searches == 0 && proof.listing_is_complete(evidence.pages_completed == evidence.pages);
}

}  // namespace crawler
