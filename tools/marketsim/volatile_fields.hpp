// What changes from request to request without a product changing. `*` stands for any element of an array. Who compares two answers
// masks these.
#pragma once
#include <array>
#include <string_view>

namespace marketsim {

inline constexpr auto volatile_in_listing = std::to_array<std::string_view>({
    "/groupResult/headerCategoryGroupResult/*/categoryCount",
    "/groupResult/largeCategoryGroupResult/*/categoryCount",
    "/groupResult/mediumCategoryGroupResult/*/categoryCount",
    "/groupResult/smallCategoryGroupResult/*/categoryCount",
    "/groupResult/brandGroupResult/*/brandCount",
    "/groupResult/colorCodeResult/*/imgColorCodeCount",
    "/groupResult/recommendKeywordGroupResult/*/count",
    "/groupResult/usedStatusGroupResult/*/count",
    "/items/*/likeStatus",
});

inline constexpr auto volatile_in_search = std::to_array<std::string_view>({
    "/moduleList/*/data/likeCount",
    "/moduleList/*/data/likeStatus",
    "/moduleList/*/data/reviewScore",
    "/moduleList/*/data/catalogItemCount",
    "/moduleList/*/data/amplitudeInfo/parameters/product_count",
});

inline constexpr auto volatile_in_detail = std::to_array<std::string_view>({
    "/moduleList/*/data/countPriceComparison",
    "/moduleList/*/data/NEW/count",
    "/moduleList/*/data/items/*/data/point",
    "/moduleList/*/data/sellerInfo/trustPoint",
    "/moduleList/*/data/sellerInfo/cntPointBad",
    "/moduleList/*/data/sellerInfo/cntPointNormal",
    "/moduleList/*/data/sellerInfo/cntPointGood",
    "/moduleList/*/data/sellerInfo/todayUpdateCnt",
    "/moduleList/*/data/sellerReviewSummary/reviewCount",
    "/moduleList/*/data/sellerReviewSummary/reviewTotalAvg",
    "/moduleList/*/data/sellerReviewSummary/satisfactions/*/satisfactions/*/satisfactionScore",
    "/moduleList/*/data/*/count",
    "/moduleList/*/data/*/imageUrl",
    "/bottom/likeCount",
});

}  // namespace marketsim
