#include "adapters/redis/identity_view.hpp"

#include <algorithm>
#include <charconv>

#include "adapters/redis/scripts.hpp"

namespace crawler::adapters::redis {
namespace {

std::string text_of(std::int64_t number) {
    return std::to_string(number);
}
std::string text_of(Duration length) {
    return std::to_string(length.count());
}

std::int64_t number_in(std::string_view text) {
    std::int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

std::string_view cut(std::string_view& text, char mark) {
    const auto at = std::min(text.find(mark), text.size());
    const auto before = text.substr(0, at);
    text.remove_prefix(std::min(at + 1, text.size()));
    return before;
}

// What only the caller reads of a member, by lines.
struct Fixed {
    explicit Fixed(std::string_view text)
        : block(cut(text, '\n')),
          begun(TimePoint{Duration{number_in(cut(text, '\n'))}}),
          user_agent(cut(text, '\n')),
          sealed_token(text) {}
    static std::string text_of(const ports::RequestBlock& block) {
        return block.id + "\n" + redis::text_of(block.begun.time_since_epoch().count()) + "\n" + block.user_agent +
               "\n" + block.sealed_token;
    }
    std::string block;
    TimePoint begun;
    std::string user_agent;
    std::string sealed_token;
};

bool is(const Reply& reply, std::string_view word, std::size_t parts) {
    return reply.list.size() >= parts && reply.list[0].text == word;
}

Error unreadable(std::string_view script) {
    return {Errc::invalid, "Redis: " + std::string(script) + " answered what it never should"};
}

}  // namespace

IdentityView::IdentityView(RedisLink& link, RedisIdentityPoolConfig config, const ports::Clock& clock)
    : link_(link), config_(config), clock_(clock), keys_{link.key("pool"),  link.key("ready"),  link.key("resting"),
                                                         link.key("state"), link.key("fixed"),  link.key("recent"),
                                                         link.key("done"),  link.key("failing")} {}

std::vector<std::string> IdentityView::first_words() const {
    auto now = config_.own_clock ? std::string() : text_of(clock_.now().time_since_epoch().count());
    return {std::move(now), text_of(config_.lease), text_of(config_.guard), text_of(config_.spacing)};
}

Async<Result<Reply>> IdentityView::call(std::string_view script, std::vector<std::string> words) {
    auto reply = co_await link_.call(script_named(script), keys_, std::move(words));
    if (!reply) co_return reply;
    if (is(*reply, "BACK", 3))
        co_return Error{Errc::unavailable,
                        "the clock of Redis has stepped back by " +
                            text_of(number_in(reply->list[1].text) - number_in(reply->list[2].text)) + " us"};
    if (reply->list.empty()) co_return unreadable(script);
    co_return reply;
}

Async<Result<Lending>> IdentityView::lend() {
    auto words = first_words();
    words.push_back(text_of(config_.ceiling.per_second));
    words.push_back(text_of(config_.at_once));
    const auto reply = co_await call("lend", std::move(words));
    if (!reply) co_return reply.error();
    co_return lending_of(*reply);
}

Async<Result<Lending>> IdentityView::load(const Empty& empty, const ports::Exchanged& exchanged) {
    auto words = first_words();
    words.push_back(text_of(config_.ceiling.per_second));
    words.push_back(text_of(config_.at_once));
    words.push_back(empty.run);
    words.push_back(text_of(empty.now));
    words.push_back(text_of(config_.hold));
    words.push_back(std::to_string(exchanged.blocks.size()));
    for (const auto& block : exchanged.blocks) {
        words.push_back(block.identity.value);
        words.push_back(Fixed::text_of(block));
        words.push_back(std::to_string(block.requests));
        words.push_back(std::to_string(100 - block.health));
        words.push_back(block.last_used ? text_of(block.begun - *block.last_used) : std::string());
    }
    for (const auto& request : exchanged.elsewhere) {
        words.push_back(request.reservation);
        words.push_back(text_of(request.seen_until - exchanged.now));
    }
    const auto reply = co_await call("load", std::move(words));
    if (!reply) co_return reply.error();
    co_return lending_of(*reply);
}

Async<Result<Reported>> IdentityView::report(std::string reservation, UserAgentId identity, ports::SlotReport report) {
    const bool is_good = report.outcome == RequestOutcome::succeeded;
    const bool is_silent = report.outcome == RequestOutcome::unanswered;
    const bool may_be_the_endpoint = report.outcome != RequestOutcome::throttled;
    auto words = first_words();
    words.push_back(identity.value);
    words.push_back(ports::block_of(reservation));
    const auto digits = std::string_view(reservation).substr(std::min(reservation.size(), words.back().size() + 1));
    words.push_back(text_of(number_in(digits)));
    words.emplace_back(is_good ? "1" : is_silent ? "UNANSWERED" : "0");
    words.push_back(may_be_the_endpoint ? std::move(report.endpoint) : std::string());
    words.push_back(std::to_string(config_.success_gain));
    words.push_back(text_of(config_.blame_span));
    const auto reply = co_await call("report", std::move(words));
    if (!reply) co_return reply.error();
    using enum Reported::Outcome;
    if (is(*reply, "DONE", 1)) co_return Reported{.outcome = done, .ended = {}};
    if (is(*reply, "OVER", 1)) co_return Reported{.outcome = over, .ended = {}};
    if (is(*reply, "JUDGE", 3)) co_return Reported{.outcome = judge, .ended = end_of(reply->list[2])};
    co_return unreadable("report");
}

Async<Result<std::vector<ports::BlockEnd>>> IdentityView::take(Duration shut) {
    auto words = first_words();
    words.push_back(shut > Duration{0} ? text_of(shut) : std::string());
    const auto reply = co_await call("take", std::move(words));
    if (!reply) co_return reply.error();
    if (!is(*reply, "TAKEN", 3)) co_return unreadable("take");
    std::vector<ports::BlockEnd> ended;
    for (const auto& told : reply->list[2].list) ended.push_back(end_of(told));
    co_return ended;
}

Async<> IdentityView::note_answered(std::string reservation) {
    auto words = first_words();
    words.push_back(std::move(reservation));
    (void)co_await call("note", std::move(words));
}

Result<Lending> IdentityView::lending_of(const Reply& reply) const {
    const auto& part = reply.list;
    if (is(reply, "WAIT", 3)) return Lending(Wait{number_in(part[1].text), number_in(part[2].text)});
    if (is(reply, "SLOT", 5)) {
        Fixed fixed(part[2].text);
        const auto number = static_cast<std::size_t>(number_in(part[3].text));
        return Lending(Lent{ports::reservation_in(fixed.block, number), UserAgentId{part[1].text},
                            std::move(fixed.user_agent), std::move(fixed.sealed_token), number_in(part[4].text)});
    }
    if (!is(reply, "EMPTY", 6)) return unreadable("lend");
    Empty empty{
        .now = number_in(part[1].text), .ceiling_free = number_in(part[3].text), .ended = {}, .run = part[5].text};
    if (!part[2].text.empty()) empty.next = number_in(part[2].text);
    for (const auto& told : part[4].list) empty.ended.push_back(end_of(told));
    return Lending(std::move(empty));
}

// Its times are Redis'; what they are on the ledger's clock follows from when the block began on both. It was asked for before it was lent,
// so that they come out rather too late than too early.
ports::BlockEnd IdentityView::end_of(const Reply& told) const {
    const auto& part = told.list;
    if (part.size() < 6) return {};
    const Fixed fixed(part[1].text);
    const auto asked = number_in(part[5].text);
    auto translated = [&](std::int64_t time) {
        return fixed.begun + Duration{std::max<std::int64_t>(0, time - asked)};
    };
    ports::BlockEnd end{.block = fixed.block, .identity = UserAgentId{part[0].text}, .made = {}};
    end.told = static_cast<std::size_t>(number_in(part[2].text));
    std::string_view made = part[3].text;
    while (!made.empty()) {
        auto one = cut(made, ',');
        const auto reserved = number_in(cut(one, ':'));
        end.made.push_back({translated(reserved), translated(number_in(one))});
    }
    if (const auto since = number_in(part[4].text); since > 0) end.made.push_back({translated(since), std::nullopt});
    return end;
}

}  // namespace crawler::adapters::redis
