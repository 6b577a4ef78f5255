// What the samples say, field by field, written down from the samples and the specification by another hand than the readers'. Whoever
// changes a text here changes the digest of every product: all of them would be pushed again.
#include <catch2/catch_test_macros.hpp>

#include "adapters/mustit/mustit.hpp"
#include "support/sample_answers.hpp"

using namespace crawler;
using namespace crawler::adapters::mustit;
using crawler::test::sample_answer;

namespace {

const std::vector<std::string> listing_facets{
    R"({"appPrice":545600,"brandName":"STONE ISLAND","discountRate":49,"imageUrlList":["https://image.mustit.co.kr/lib/)"
    R"(upload/product/dmont/2025/11/0b4a3d68db951ad18b1e5e8b9b10211d.jpeg/_dims_/resize/300x300/extent/300x400","https:)"
    R"(//image.mustit.co.kr/lib/upload/product/dmont/2025/11/8f8209ff93c95cca46d1aea85c1cfd21.jpeg/_dims_/resize/300x30)"
    R"(0/extent/300x400","https://image.mustit.co.kr/lib/upload/product/dmont/2025/11/b39f3dae844f7a3190fcdfc4ce197c21.)"
    R"(jpeg/_dims_/resize/300x300/extent/300x400"],"itemNo":117757690,"name":"디몬트 스톤 남성 와펜 패치 램스울 반집업 )"
    R"(니트(네이비) K2S15 5100040 S00A3 V0020","normalPrice":1075000,"originalPrice":1075000,"price":545600,"tags":["무)"
    R"(료배송"]})",
    R"({"appPrice":1047600,"brandName":"Max Mara","discountRate":49,"imageUrlList":["https://image.mustit.co.kr/lib/upl)"
    R"(oad/product/dmont/2025/11/253bb18d9c784e6a68f6e4fad07d1636.jpeg/_dims_/resize/300x300/extent/300x400"],"itemNo":)"
    R"(117757668,"name":"디몬트 막스마라 여성 레지나 벨티드 롱 코트(뉴트럴) 2525016102600 002","normalPrice":2065000,"o)"
    R"(riginalPrice":2065000,"price":1047600,"tags":["무료배송"]})",
    R"({"appPrice":1086400,"brandName":"Max Mara","discountRate":47,"imageUrlList":["https://image.mustit.co.kr/lib/upl)"
    R"(oad/product/dmont/2025/11/db74d75311846e9c48670e5d5be59809.jpeg/_dims_/resize/300x300/extent/300x400"],"itemNo":)"
    R"(117757667,"name":"디몬트 막스마라 여성 레지나 벨티드 롱 코트(네이비) 2525016102600 010","normalPrice":2065000,"o)"
    R"(riginalPrice":2065000,"price":1086400,"tags":["무료배송"]})",
    R"({"appPrice":1047600,"brandName":"Max Mara","discountRate":49,"imageUrlList":["https://image.mustit.co.kr/lib/upl)"
    R"(oad/product/dmont/2025/11/b4502b4c4a185cd38f4e40e87e80e9da.jpeg/_dims_/resize/300x300/extent/300x400"],"itemNo":)"
    R"(117757666,"name":"디몬트 막스마라 여성 레지나 벨티드 롱 코트(그레이) 2525016102600 011","normalPrice":2065000,"o)"
    R"(riginalPrice":2065000,"price":1047600,"tags":["무료배송"]})",
    R"({"appPrice":1086400,"brandName":"Max Mara","discountRate":47,"imageUrlList":["https://image.mustit.co.kr/lib/upl)"
    R"(oad/product/dmont/2025/11/2af06bca65ca81a9be1e282ca19ce736.jpeg/_dims_/resize/300x300/extent/300x400"],"itemNo":)"
    R"(117757664,"name":"디몬트 막스마라 여성 레지나 벨티드 롱 코트(블랙) 2525016102600 013","normalPrice":2065000,"ori)"
    R"(ginalPrice":2065000,"price":1086400,"tags":["무료배송"]})"};

const std::string search_facet =
    R"({"brandName":"STONE ISLAND","discountRate":58,"imageUrlList":["https://image.mustit.co.kr/lib/upload/product/dmo)"
    R"(nt/2025/02/7167570affab3296afd4da1e9526a61a.jpeg/_dims_/resize/300x300/extent/300x400","https://image.mustit.co.)"
    R"(kr/lib/upload/product/dmont/2025/02/99553321afadf49d2427d46a56969b95.jpeg/_dims_/resize/300x300/extent/300x400"])"
    R"(,"itemNo":103446837,"name":"디몬트 스톤 남성 와펜 패치  코튼 플리스 맨투맨(더스티핑크) K1S15 6100044 S0051 V0082)"
    R"(","originalPrice":682000,"price":286100,"tags":["무료배송"]})";

const std::string detail_facet =
    R"({"averageDeliveryDay":"평균 배송 1일 소요","brandCode":153,"brandName":"Vivienne Westwood","brandNameKr":"비비안)"
    R"(웨스트우드","descriptionMarkUp":"<p align=\"center\"><img src=\"https://zstormz1227.openhost.cafe24.com/web/prod)"
    R"(uct/image/dmontnotice.jpg\"></p>\n<p align=\"center\"><img src=\"https://zstormz1227.openhost.cafe24.com/web/pro)"
    R"(duct/image/111.jpg\"></p>\n<p align=\"center\"><img src=\"https://zstormz1227.openhost.cafe24.com/web/product/im)"
    R"(age/43010072UW019EN403/02.jpg\"></p>\n<p align=\"center\"><img src=\"https://zstormz1227.openhost.cafe24.com/web)"
    R"(/product/image/43010072UW019EN403/03.jpg\"></p>\n<p align=\"center\"><img src=\"https://zstormz1227.openhost.caf)"
    R"(e24.com/web/product/image/43010072UW019EN403/04.jpg\"></p>\n<p align=\"center\"><img src=\"https://zstormz1227.o)"
    R"(penhost.cafe24.com/web/product/image/43010072UW019EN403/05.jpg\"></p>\n<p align=\"center\"><img src=\"https://zs)"
    R"(tormz1227.openhost.cafe24.com/web/product/image/43010072UW019EN403/06.jpg\"></p>\n<p align=\"center\"><img src=\)"
    R"("https://zstormz1227.openhost.cafe24.com/web/product/image/43010072UW019EN403/01.jpg\"></p>\n\n<p align=\"center)"
    R"(\"><img src=\"https://zstormz1227.openhost.cafe24.com/web/product/image/shoppingguide.jpg\"></p>","discountPrice)"
    R"(":565100,"discountRate":48,"headerCategory":"여성","headerCategoryCode":"W","images":["https://image.mustit.co.k)"
    R"(r/lib/upload/product/dmont/2025/11/0bec6de328e8d100303d138c1ffad0e4.jpeg/_dims_/resize/500x500/extent/500x500"],)"
    R"("isCustomsDuty":false,"isDirectShipping":false,"isEachShippingFee":false,"isSoldOut":false,"itemName":"디몬트 비)"
    R"(비안웨스트우드 여성 ORB 하이랜드 백팩(블랙) 43010072U W019E N403","itemNo":118005032,"itemStatus":"새상품","larg)"
    R"(eCategory":"가방","largeCategoryCode":"16","mediumCategory":"백팩","mediumCategoryCode":"16r05","normalPrice":10)"
    R"(83000,"originCountry":"케냐","sellerId":"dmont","sellerNo":678,"sellingPrice":621000,"shippingFee":0,"shippingFe)"
    R"(eType":"FREE","shippingLocation":"대구 중구","shippingType":"DOMESTIC","stock":3})";

const std::string option_facet =
    R"({"4134224619":{"color":"","size":"US 4","sizeGuide":"","stock":1},"4134224622":{"color":"","size":"US 6","sizeGu)"
    R"(ide":"","stock":0},"4134224626":{"color":"","size":"US 8","sizeGuide":"","stock":0},"4134224627":{"color":"","si)"
    R"(ze":"US 10","sizeGuide":"","stock":0},"4134224628":{"color":"","size":"US 12","sizeGuide":"","stock":0}})";

}  // namespace

TEST_CASE("mustit golden: the listing's facets", "[mustit][golden]") {
    const auto page = read_listing(sample_answer("minishop.json"));

    REQUIRE(page);
    REQUIRE(page->facets.size() == listing_facets.size());
    for (std::size_t i = 0; i < listing_facets.size(); ++i) CHECK(page->facets[i].canonical == listing_facets[i]);
}

TEST_CASE("mustit golden: the search's facet", "[mustit][golden]") {
    const auto page = read_search(sample_answer("search.json"));

    REQUIRE(page);
    REQUIRE(page->facets.size() == 1);
    CHECK(page->facets[0].canonical == search_facet);
}

TEST_CASE("mustit golden: the detail's facet", "[mustit][golden]") {
    const auto facet = read_detail(sample_answer("detail.json"));

    REQUIRE(facet);
    CHECK(facet->canonical == detail_facet);
}

TEST_CASE("mustit golden: the options' facet", "[mustit][golden]") {
    const auto facet = read_options(sample_answer("options.json"), 117005038);

    REQUIRE(facet);
    CHECK(facet->canonical == option_facet);
}
