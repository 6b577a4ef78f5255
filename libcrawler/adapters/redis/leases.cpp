#include <charconv>

#include "adapters/redis/link.hpp"

namespace crawler::adapters {
namespace {

using Acquired = std::optional<ports::Lease>;

// Redis remembers who holds what and until when. That only ever refuses somebody: who gets a lease has it from the truth, so
// that a Redis which forgets, or which not everybody sees, makes no second holder.
class RedisLeases final : public ports::Leases {
  public:
    RedisLeases(RedisLink& link, ports::Leases& truth, const ports::Clock& clock)
        : link_(link), truth_(truth), clock_(clock) {}

    Async<Result<Acquired>> acquire(std::string name, std::string holder, Duration length) override {
        const bool taken = co_await is_known_to_be_held(name, holder);
        if (taken) co_return Acquired{};
        auto acquired = co_await truth_.acquire(std::move(name), std::move(holder), length);
        if (acquired && *acquired) co_await remember(**acquired, length);
        co_return acquired;
    }

    Async<Result<>> release(ports::Lease lease) override {
        auto name = lease.name;
        auto released = co_await truth_.release(std::move(lease));
        if (released) co_await forget(std::move(name));
        co_return released;
    }

  private:
    Async<bool> is_known_to_be_held(std::string name, std::string holder) {
        redis::Command look;
        look.emplace_back("GET");
        look.push_back(key_of(name));
        const auto known = co_await link_.command(std::move(look));
        if (!known || known->kind != redis::Reply::Kind::text) co_return false;
        // "<until> <holder>"
        const auto& text = known->text;
        std::int64_t until = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), until);
        if (error != std::errc{} || end == text.data() + text.size()) co_return false;
        const auto by = std::string_view(text).substr(static_cast<std::size_t>(end - text.data()) + 1);
        co_return by != holder&& TimePoint{Duration{until}} > clock_.now();
    }

    Async<> remember(ports::Lease lease, Duration length) {
        const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(length).count();
        redis::Command note;
        note.emplace_back("SET");
        note.push_back(key_of(lease.name));
        note.push_back(std::to_string(lease.until.time_since_epoch().count()) + " " + lease.holder);
        note.emplace_back("PX");
        note.push_back(std::to_string(std::max<std::int64_t>(1, milliseconds)));
        (void)co_await link_.command(std::move(note));
    }

    Async<> forget(std::string name) {
        redis::Command drop;
        drop.emplace_back("DEL");
        drop.push_back(key_of(name));
        (void)co_await link_.command(std::move(drop));
    }

    std::string key_of(const std::string& name) const { return link_.key("lease:" + name); }

    RedisLink& link_;
    ports::Leases& truth_;
    const ports::Clock& clock_;
};

}  // namespace

std::unique_ptr<ports::Leases> make_redis_leases(RedisLink& link, ports::Leases& truth, const ports::Clock& clock) {
    return std::make_unique<RedisLeases>(link, truth, clock);
}

}  // namespace crawler::adapters
