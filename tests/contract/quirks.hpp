// Where somebody else's emulator is not what it plays. A suite that meets such a place asks `excused` for it by name: that one assertion is
// then left out, and the output says so; what the promise is stays as it is.
#pragma once
#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "domain/enum_names.hpp"

namespace crawler::test {

enum class Quirk {
    several_of_a_group,       // SQS itself may do so
    shows_what_it_delivers,   // so does SQS
    answers_who_has_left,     // and SQS may do that
    late_to_forget_ids,       // ElasticMQ sweeps them by a timer of its own
    early_to_forget_ids,      // moto
    order_lost_by_a_retry,    // ElasticMQ
    moves_out_of_sight,       // ElasticMQ
    sleeps_while_group_frees  // moto
};
constexpr auto names(Quirk) {
    return std::to_array<EnumName<Quirk>>(
        {{Quirk::several_of_a_group, "hands out several messages of one group in one receive"},
         {Quirk::shows_what_it_delivers,
          "shows an operator only what it would deliver, in no order, and counts the look"},
         {Quirk::answers_who_has_left, "gives a message to a long poll whose client has left"},
         {Quirk::late_to_forget_ids, "forgets a deduplication id up to a second late"},
         {Quirk::early_to_forget_ids, "forgets a deduplication id with its message"},
         {Quirk::order_lost_by_a_retry, "puts a message that was given back behind the others of its group"},
         {Quirk::moves_out_of_sight,
          "takes the order to move dead letters, and neither moves them at once nor says how far it is"},
         {Quirk::sleeps_while_group_frees, "does not wake a long poll when a group is set free"}});
}

template <class Fixture>
constexpr bool has(Quirk quirk) {
    if constexpr (requires { Fixture::quirks; }) {
        return std::ranges::find(Fixture::quirks, quirk) != Fixture::quirks.end();
    } else {
        return false;
    }
}

// Whether this player is excused from the assertion that follows.
template <class Fixture>
bool excused(Quirk quirk) {
    if (!has<Fixture>(quirk)) return false;
    WARN("not asserted, as it " << to_string(quirk));
    return true;
}

// Where the whole case asks for nothing else.
template <class Fixture>
void excuse(Quirk quirk) {
    if (has<Fixture>(quirk)) SKIP("not asked, as it " << to_string(quirk));
}

}  // namespace crawler::test
