#include "adapters/sql/invariants.hpp"

namespace crawler::adapters::sql {
namespace {

InvariantRule of_message(std::string name, std::string meaning, Columns shown, const std::string& condition) {
    return {std::move(name), std::move(meaning), "queue_messages",
            {"seq"},         std::move(shown),   "FROM queue_messages WHERE " + condition};
}

}  // namespace

InvariantRules queue_invariants() {
    return {
        of_message(
            "queue_message_beside_its_group",
            "stands in line beside the head of its group, which would have two in flight",
            {"queue", "message_group", "head_of", "visible_at"},
            "visible_at IS NOT NULL AND message_group IS NOT NULL AND (head_of IS NULL OR head_of <> message_group)"),
        of_message(
            "queue_message_out_of_line", "is neither in line nor behind one that is: nobody would ever receive it",
            {"queue", "message_group", "head_of"},
            "visible_at IS NULL AND NOT EXISTS (SELECT 1 FROM queue_messages head WHERE head.queue = "
            "queue_messages.queue AND head.head_of = queue_messages.message_group AND head.visible_at IS NOT NULL)"),
        of_message("queue_message_overtaken", "is behind a younger one of its group", {"queue", "message_group"},
                   "head_of IS NULL AND message_group IS NOT NULL AND EXISTS (SELECT 1 FROM queue_messages head WHERE "
                   "head.queue = queue_messages.queue AND head.head_of = queue_messages.message_group AND head.seq > "
                   "queue_messages.seq)"),
        of_message("queue_message_held_unreceived", "is in somebody's hands though nobody received it",
                   {"queue", "receive_count", "is_held"}, "is_held <> 0 AND (receive_count = 0 OR visible_at IS NULL)"),
        of_message("queue_message_received_too_often",
                   "lives on though it was received more often than any queue allows", {"queue", "receive_count"},
                   "receive_count > 1000"),
        {"queue_dead_letter_alive",
         "is a dead letter and in its queue all the same: it would be received again",
         "queue_dead_letters",
         {"seq"},
         {"queue", "receive_count", "died_at"},
         "FROM queue_dead_letters WHERE EXISTS (SELECT 1 FROM queue_messages live WHERE live.seq = "
         "queue_dead_letters.seq)"},
        {"schedule_rule_overdue",
         "should have fired long ago: no scheduler is at work",
         "schedule_rules",
         {"name"},
         {"expression", "next_fire_at"},
         "FROM schedule_rules WHERE enabled = 1 AND next_fire_at < ?",
         {Moment::unpublished}},
    };
}

}  // namespace crawler::adapters::sql
