// The few ways in which the simulator answers.
#pragma once
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <chrono>
#include <string>

#include "ports/http.hpp"

namespace marketsim {

using crawler::ports::HttpRequest;
using crawler::ports::HttpResponse;

inline HttpResponse json_answer(int status, std::string body) {
    return {.status = status, .headers = {{"Content-Type", "application/json;charset=UTF-8"}}, .body = std::move(body)};
}

// {"errorCode":"TOKEN_EXPIRED","message":"..."}: what was wrong, where, and the rule.
inline HttpResponse refusal(int status, std::string_view code, std::string_view message) {
    const boost::json::object body{{"errorCode", code}, {"message", message}};
    return json_answer(status, boost::json::serialize(body));
}

inline HttpResponse too_many(std::chrono::nanoseconds wait) {
    const auto seconds = std::to_string(std::chrono::ceil<std::chrono::seconds>(wait).count());
    auto response = refusal(429, "TOO_MANY_REQUESTS", "too many requests; come back in " + seconds + " s");
    response.headers.push_back({"Retry-After", seconds});
    return response;
}

}  // namespace marketsim
