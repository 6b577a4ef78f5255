// What kind of question a task asks the marketplace.
#pragma once
#include "domain/enum_names.hpp"

namespace crawler {

enum class TaskType {
    minishop,        // a page of a seller's listing
    search,          // a page of a keyword's listing
    product_detail,  // one item
    product_option,  // one item
};
constexpr auto names(TaskType) {
    return std::to_array<EnumName<TaskType>>({{TaskType::minishop, "MINISHOP"},
                                              {TaskType::search, "SEARCH"},
                                              {TaskType::product_detail, "PRODUCT_DETAIL"},
                                              {TaskType::product_option, "PRODUCT_OPTION"}});
}

// True for what asks about one item, so that "it is gone" is an answer; a listing that is gone is a mistake.
constexpr bool asks_about_item(TaskType type) {
    return type == TaskType::product_detail || type == TaskType::product_option;
}

}  // namespace crawler
