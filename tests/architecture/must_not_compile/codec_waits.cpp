#include <coroutine>

namespace crawler {

template <class Something>
Something wait_for(Something something) {
    co_await something;
}

}  // namespace crawler
