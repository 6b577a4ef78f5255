#include "adapters/mustit/requests.hpp"

namespace crawler::adapters::mustit {

ports::HttpRequest ask_for(const MustitConfig& config, const RequestUrl& url, const ports::Slot& slot) {
    ports::HttpRequest request{
        .method = "GET", .url = config.base_url + url.text(), .headers = {}, .body = {}, .once = true};
    request.headers = {{"User-Agent", slot.user_agent},
                       {"Accept", "application/json"},
                       {"Accept-Language", config.accept_language},
                       {"Origin", config.base_url},
                       {"Referer", config.base_url + "/"}};
    if (!slot.token.empty()) request.headers.push_back({"Cookie", slot.token.reveal()});
    return request;
}

ports::HttpRequest ask_for_session(const MustitConfig& config, const ports::Slot& slot) {
    ports::HttpRequest request{.method = "GET", .url = config.base_url + "/", .headers = {}, .body = {}, .once = true};
    request.headers = {{"User-Agent", slot.user_agent},
                       {"Accept", "text/html,application/xhtml+xml"},
                       {"Accept-Language", config.accept_language}};
    return request;
}

}  // namespace crawler::adapters::mustit
