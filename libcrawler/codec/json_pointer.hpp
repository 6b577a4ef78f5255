// JSON pointers (RFC 6901): how places in documents are named in errors and diffs.
#pragma once
#include <string>
#include <string_view>

namespace crawler::codec {

inline void append_pointer(std::string& pointer, std::string_view token) {
    pointer += '/';
    for (const char c : token) {
        if (c == '~') {
            pointer += "~0";
        } else if (c == '/') {
            pointer += "~1";
        } else {
            pointer += c;
        }
    }
}

}  // namespace crawler::codec
