// What a task may ask the marketplace for: path and query, encoded once; the host is configuration. There is none that is
// not right for its type of task.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "domain/ids.hpp"
#include "domain/seller.hpp"
#include "domain/task_type.hpp"

namespace crawler {

inline constexpr int listing_page_size = 500;

class RequestUrl {
  public:
    static constexpr std::size_t max_length = 2048;
    // The marketplace's own URL travels in a value of ours: up to max_length before it is encoded, three times that after.
    static constexpr std::size_t max_search_length = 8192;

    // invalid: the rule that is broken and by what. Rules of all types: a path without host, nothing but characters of a
    // URL, whole escapes, no control character even inside an escape, no fragment, not over-long.
    //   MINISHOP        sellerId, pageNo from 0, pageSize=500 and order=LATEST, each once in any order, nothing else
    //   PRODUCT_DETAIL, PRODUCT_OPTION   a positive item number of 64 bits, without leading zeros, and no query
    //   SEARCH          keyword or nextApiUrl or both, each at most once; whatever else the search takes
    // Double encoding is refused where it can be told: a nextApiUrl must be a path once it is decoded, so one that still
    // begins with %2F was encoded twice; a sellerId or keyword was, if it still looks encoded once it is decoded. What
    // nextApiUrl holds behind its first slash is the marketplace's, escapes included, and is left alone.
    static Result<RequestUrl> parse(TaskType type, std::string text);

    // Each encodes what it is given once and answers as parse does.
    static Result<RequestUrl> minishop(const SellerId& seller, std::int64_t page);
    static Result<RequestUrl> detail(ItemNo item);
    static Result<RequestUrl> option(ItemNo item);
    static Result<RequestUrl> search(const std::string& keyword);            // the first page
    static Result<RequestUrl> search_next(const std::string& next_api_url);  // as it stands in the answer before

    TaskType type() const { return type_; }
    const std::string& text() const { return text_; }
    std::optional<ItemNo> item() const { return item_; }        // of a PRODUCT_DETAIL or PRODUCT_OPTION
    std::optional<std::int64_t> page() const { return page_; }  // of a MINISHOP, from 0

    // What must not be asked twice at once: the product for what asks about an item, the page for a listing. Short, and
    // of letters, digits and dashes only, as queues want their groups named.
    std::string message_group() const;

    friend bool operator==(const RequestUrl&, const RequestUrl&) = default;

  private:
    RequestUrl(TaskType type, std::string text) : type_(type), text_(std::move(text)) {}

    TaskType type_;
    std::string text_;
    std::optional<ItemNo> item_;
    std::optional<std::int64_t> page_;
};

}  // namespace crawler
