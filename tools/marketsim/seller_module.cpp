#include "seller_module.hpp"

#include "answer_parts.hpp"

namespace marketsim {
namespace {

constexpr std::string_view satisfactions =
    R"([{"satisfactionType":"DELIVERY","satisfactions":[)"
    R"({"satisfactionName":"DELIVERY_0","satisfactionScore":@,"satisfactionPercent":0},)"
    R"({"satisfactionName":"DELIVERY_1","satisfactionScore":@,"satisfactionPercent":21},)"
    R"({"satisfactionName":"DELIVERY_2","satisfactionScore":@,"satisfactionPercent":79}]},)"
    R"({"satisfactionType":"PACKING","satisfactions":[)"
    R"({"satisfactionName":"PACKING_0","satisfactionScore":@,"satisfactionPercent":2},)"
    R"({"satisfactionName":"PACKING_1","satisfactionScore":@,"satisfactionPercent":29},)"
    R"({"satisfactionName":"PACKING_2","satisfactionScore":@,"satisfactionPercent":69}]},)"
    R"({"satisfactionType":"PRICE","satisfactions":[)"
    R"({"satisfactionName":"PRICE_0","satisfactionScore":@,"satisfactionPercent":17},)"
    R"({"satisfactionName":"PRICE_1","satisfactionScore":@,"satisfactionPercent":78},)"
    R"({"satisfactionName":"PRICE_2","satisfactionScore":@,"satisfactionPercent":5}]}])";

}  // namespace

void append_seller_module(JsonText& json, std::int64_t seller_no, std::uint64_t tick, Dice& dice) {
    json.object().text("type", "SellerModule").object("data").text("title", "판매자정보");
    // Trust moves with every request, so that no two answers in a row are the same bytes.
    json.object("sellerInfo").number("sellerNo", seller_no).text("status", "ACTIVE");
    json.number("trustPoint", 3000 + static_cast<std::int64_t>(tick % 1'000'000));
    json.number("cntPointBad", dice.between(0, 99)).number("cntPointNormal", dice.between(20'000, 29'999));
    json.number("cntPointGood", dice.between(9000, 9999)).number("regularCustomCnt", 0);
    json.number("todayUpdateCnt", dice.between(0, 300)).end_object();
    json.number("sellerTopPercentile", 5);
    json.object("sellerReviewSummary").number("reviewCount", dice.between(14'000, 14'999));
    json.json("reviewTotalAvg", "4." + std::to_string(dice.between(1000, 9999)));
    json.number("satisfactionScore", 87).number("sizeReviewCnt", 0);
    json.json("satisfactions", counted(satisfactions, 11'000, dice)).end_object();
    json.text("sellerBadgeUrl", "https://static-ux.mustit.co.kr/img/front/icon/seller/icon_seller_excellence.svg");
    json.end_object().end_object();
}

}  // namespace marketsim
