// The six ways in which a request to the marketplace goes wrong, by what must happen next.
#pragma once
#include "domain/result.hpp"

namespace crawler {

enum class ErrorClass {
    no_capacity,  // pool empty, breaker open, budget spent: nothing was asked
    throttled,    // 429
    transient,    // timeout, reset, 5xx
    auth,         // 401, 403
    gone,         // 404, 410
    permanent,    // any other 4xx, a body that is too long or not JSON
};
constexpr auto names(ErrorClass) {
    return std::to_array<EnumName<ErrorClass>>({{ErrorClass::no_capacity, "NO_CAPACITY"},
                                                {ErrorClass::throttled, "THROTTLED"},
                                                {ErrorClass::transient, "TRANSIENT"},
                                                {ErrorClass::auth, "AUTH"},
                                                {ErrorClass::gone, "GONE"},
                                                {ErrorClass::permanent, "PERMANENT"}});
}

// The class of what the marketplace port answers.
constexpr ErrorClass class_of(Errc code) {
    switch (code) {
        case Errc::rate_limited:
            return ErrorClass::throttled;
        case Errc::blocked:
            return ErrorClass::auth;
        case Errc::not_found:
            return ErrorClass::gone;
        case Errc::timeout:
        case Errc::unavailable:
            return ErrorClass::transient;
        case Errc::invalid:
        case Errc::conflict:
            return ErrorClass::permanent;
    }
    return ErrorClass::permanent;
}

}  // namespace crawler
