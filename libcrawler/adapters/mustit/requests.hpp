// What the requests to the marketplace look like: those of a browser on a phone. Private to this folder.
#pragma once
#include "adapters/mustit/mustit.hpp"

namespace crawler::adapters::mustit {

// The URL is encoded already and goes out as it is. The session is the slot's token, where it has one.
ports::HttpRequest ask_for(const MustitConfig& config, const RequestUrl& url, const ports::Slot& slot);
// The site's root as somebody sees it who was never there before.
ports::HttpRequest ask_for_session(const MustitConfig& config, const ports::Slot& slot);

// The session that an answer gives, as the value of the Cookie header that keeps it: token, nid and mustit_uid. invalid: one of
// them was not given, was taken away, or is nothing a cookie can be; the detail says which, never what it is.
Result<Secret> session_in(const std::vector<ports::HttpHeader>& headers);

}  // namespace crawler::adapters::mustit
