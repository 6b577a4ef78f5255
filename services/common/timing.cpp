#include "common/timing.hpp"

namespace crawler::services {
namespace {

std::string text_of(Duration length) {
    return runtime::field(length, runtime::between(Duration::min(), Duration::max())).current();
}

std::string name_of(const Timing& timing) {
    return timing.section + "." + timing.key + ", " + text_of(timing.length);
}

// A key of a section within a section is named with a dot.
runtime::Node section_of(runtime::Node node, std::string_view path) {
    for (auto dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
        node = node.section(path.substr(0, dot));
        path.remove_prefix(dot + 1);
    }
    return node.section(path);
}

void tell_unless(bool holds, runtime::Node root, const Timing& promise, const std::string& rule) {
    const auto wrong = '"' + text_of(promise.length) + "\" is too short; " + rule;
    section_of(root, promise.section).check(promise.key, holds, wrong);
}

Timing total_timeout_of(const adapters::HttpClientConfig& http) {
    return {"http_client", "total_timeout", http.total_timeout};
}

}  // namespace

void must_cover(runtime::Node root, const Timing& promise, const Timing& need) {
    tell_unless(promise.length >= need.length, root, promise, "must not be shorter than " + name_of(need));
}

void must_exceed(runtime::Node root, const Timing& promise, const Timing& need) {
    tell_unless(promise.length > need.length, root, promise, "must be longer than " + name_of(need));
}

void check_slot_times(runtime::Node root, const PoolConfig& pool, const SlotsConfig& slots,
                      const adapters::HttpClientConfig& http, const runtime::ConsumerConfig& consumer) {
    const Timing margin{"slots", "margin", slots.margin};
    const Timing wait{"consumer", "wait", consumer.wait};
    must_exceed(root, margin, total_timeout_of(http));
    tell_unless(pool.rules.lease > margin.length + wait.length, root, {"pool", "lease", pool.rules.lease},
                "must be longer than " + name_of(margin) + ", and " + name_of(wait) + ", together");
}

void check_attempt_times(runtime::Node root, const Timing& lease, const application::AttemptSettings& attempt,
                         const adapters::HttpClientConfig& http) {
    const Timing longest{lease.section + ".attempt", "longest_request", attempt.longest_request};
    must_exceed(root, longest, total_timeout_of(http));
    must_exceed(root, lease, longest);
}

void check_silence(runtime::Node root, const CommonConfig& common, const std::vector<Timing>& leases) {
    for (const auto& lease : leases) must_cover(root, {"health", "longest_silence", common.longest_silence}, lease);
}

}  // namespace crawler::services
