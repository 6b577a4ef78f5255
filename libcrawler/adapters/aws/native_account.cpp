#include "adapters/aws/native_account.hpp"

#include <boost/json/serialize.hpp>

#include "adapters/aws/service.hpp"
#include "coro/timeout.hpp"

namespace crawler::adapters {
namespace aws {
namespace {

namespace json = boost::json;

// AWS refuses what is five minutes off; less than this is not worth a second try.
constexpr Duration least_skew = std::chrono::minutes{1};

std::string seconds(Duration length) {
    return std::to_string(std::chrono::ceil<std::chrono::seconds>(length).count()) + " s";
}

}  // namespace

NativeAccount::NativeAccount(const AwsConfig& config, AwsEnvironment environment, ports::HttpClient& http,
                             const ports::Clock& clock, ports::IdGenerator& ids,
                             const boost::asio::any_io_executor& executor)
    : AwsAccount(config, clock, ids, executor),
      surroundings_{config, std::move(environment), http, clock},
      credentials_(credential_sources(surroundings_), config.refresh_early, clock, executor) {}

Async<Result<json::object>> NativeAccount::call(Call call) {
    Course course{.id = fresh_id()};
    const auto deadline = config().deadline + call.wait;
    auto answer = co_await coro::with_timeout(attempts(call, course), deadline);
    if (answer) co_return std::move(*answer);
    const auto last = course.refusal ? "; the last try: " + course.refusal->as_error("it").detail : std::string();
    co_return Error{Errc::timeout, call.name() + ": not done within " + seconds(deadline) + last};
}

// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): call() awaits it with both in its frame
Async<Result<json::object>> NativeAccount::attempts(const Call& call, Course& course) {
    for (;;) {
        auto credentials = co_await credentials_.get();
        if (!credentials) co_return Error{credentials.error().code, call.name() + ": " + credentials.error().detail};
        auto answer = co_await attempt(call, *credentials);
        if (auto* members = std::get_if<json::object>(&answer)) co_return std::move(*members);
        course.refusal = std::get<Refusal>(std::move(answer));
        const auto wait = remedy(course, *credentials);
        if (!wait) co_return course.refusal->as_error(call.name());
        if (*wait > Duration{0}) co_await coro::sleep(*wait);
    }
}

// NOLINTNEXTLINE(cppcoreguidelines-avoid-reference-coroutine-parameters): call() awaits it with the call in its frame
Async<std::variant<json::object, Refusal>> NativeAccount::attempt(const Call& call, Credentials credentials) {
    const auto limit = config().attempt_timeout + call.wait;
    auto sending = surroundings_.http.send(signed_request(call, credentials));
    const auto answer = co_await coro::with_timeout(std::move(sending), limit);
    if (!answer) co_return unanswered(Error{Errc::timeout, "no answer within " + seconds(limit)});
    if (!*answer) co_return unanswered((*answer).error());
    const auto& response = **answer;
    if (response.status != 200) co_return refusal_of(response);
    if (response.body.empty()) co_return json::object{};  // of actions that have nothing to say
    auto members = object_of(response.body);
    if (!members) co_return unanswered(members.error());
    co_return std::move(*members);
}

ports::HttpRequest NativeAccount::signed_request(const Call& call, const Credentials& credentials) const {
    ports::HttpRequest request{.method = "POST",
                               .url = endpoint_of(config(), surroundings_.environment, call.service) + "/",
                               .headers = {},
                               .body = json::serialize(call.body)};
    request.headers = {{"Content-Type", call.content_type}, {"X-Amz-Target", call.target}};
    sign(request, credentials, {config().region, call.service, clock().now() + skew_});
    return request;
}

std::optional<Duration> NativeAccount::remedy(Course& course, const Credentials& credentials) {
    const auto& refusal = *course.refusal;
    if (refusal.may_be_the_clock && !course.has_mended_clock && mend_clock(refusal)) {
        course.has_mended_clock = true;
        return Duration{0};
    }
    if (refusal.may_be_the_credentials && !course.has_new_credentials) {
        course.has_new_credentials = true;
        credentials_.forget(credentials);
        return Duration{0};
    }
    if (refusal.code == Errc::blocked || !is_retryable(refusal.code)) return std::nullopt;
    const auto asked = refusal.asked_wait.value_or(Duration{0});
    return config().retry.next_wait(course.retries++, course.id, asked);
}

// From now on we sign with the time that the other side has. True: that makes a difference.
bool NativeAccount::mend_clock(const Refusal& refusal) {
    if (!refusal.date) return false;
    const auto skew = *refusal.date - clock().now();
    if (std::chrono::abs(skew - skew_) < least_skew) return false;
    skew_ = skew;
    return true;
}

}  // namespace aws

// NOLINTNEXTLINE(performance-unnecessary-value-param): the variant on the SDK keeps it
Aws open_aws(AwsConfig config, AwsEnvironment environment, ports::HttpClient& http, const ports::Clock& clock,
             ports::IdGenerator& ids, const boost::asio::any_io_executor& executor) {
    return std::make_shared<aws::NativeAccount>(config, std::move(environment), http, clock, ids, executor);
}

}  // namespace crawler::adapters
