#include "words.hpp"

#include <array>

namespace marketsim {
namespace {

constexpr std::array all_brands{
    Brand{25, "BURBERRY", "버버리"},
    Brand{106, "Moncler", "몽클레르"},
    Brand{133, "STONE ISLAND", "스톤 아일랜드"},
    Brand{153, "Vivienne Westwood", "비비안웨스트우드"},
    Brand{98, "Max Mara", "막스마라"},
    Brand{61, "GUCCI", "구찌"},
    Brand{121, "PRADA", "프라다"},
    Brand{127, "SAINT LAURENT", "생로랑"},
    Brand{16, "BALENCIAGA", "발렌시아가"},
    Brand{21, "BOTTEGA VENETA", "보테가베네타"},
    Brand{52, "ETRO", "에트로"},
    Brand{55, "FENDI", "펜디"},
    Brand{58, "GIVENCHY", "지방시"},
    Brand{84, "LOEWE", "로에베"},
    Brand{101, "Maison Margiela", "메종 마르지엘라"},
    Brand{111, "MIU MIU", "미우미우"},
    Brand{142, "THOM BROWNE", "톰브라운"},
    Brand{147, "TOD'S", "토즈"},
    Brand{150, "VALENTINO", "발렌티노"},
    Brand{171, "A.P.C.", "아페쎄"},
    Brand{188, "Acne Studios", "아크네 스튜디오"},
    Brand{203, "AMI", "아미"},
    Brand{219, "Canada Goose", "캐나다구스"},
    Brand{4011, "44 \"LABEL\" GROUP", ""},
};

constexpr Category women{"W", "여성"};
constexpr Category men{"M", "남성"};
constexpr Category kids{"K", "키즈"};
constexpr Category clothes{"15", "의류"};
constexpr Category bags{"16", "가방"};
constexpr Category shoes{"17", "신발"};
constexpr Category accessories{"18", "패션잡화"};
constexpr Category kids_clothes{"20", "의류"};
constexpr Category none{};

constexpr auto letters = std::to_array<std::string_view>({"XS", "S", "M", "L", "XL", "XXL"});
constexpr auto european = std::to_array<std::string_view>({"34", "36", "38", "40", "42", "44", "46", "48"});
constexpr auto american =
    std::to_array<std::string_view>({"US 4", "US 5", "US 6", "US 7", "US 8", "US 9", "US 10", "US 12"});
constexpr auto years = std::to_array<std::string_view>({"4A", "6A", "8A", "10A", "12A", "14A"});
constexpr auto one_size = std::to_array<std::string_view>({"FREE", "미니", "스몰", "라지"});

constexpr std::array all_shelves{
    Shelf{men, clothes, {"15r02", "탑"}, {"15r02r01", "티셔츠"}, "반팔 티셔츠", letters},
    Shelf{men, clothes, {"15r02", "탑"}, {"15r02r02", "스웨트셔츠"}, "코튼 플리스 맨투맨", letters},
    Shelf{men, clothes, {"15r01", "코트/자켓"}, {"15r01r01", "자켓"}, "나일론 메탈 자켓", european},
    Shelf{men, clothes, {"15r04", "니트"}, none, "램스울 반집업 니트", letters},
    Shelf{men, shoes, {"17r01", "스니커즈"}, {"17r01r01", "로우탑"}, "로우탑 스니커즈", american},
    Shelf{men, accessories, {"18r03", "벨트"}, none, "양면 가죽 벨트", european},
    Shelf{women, clothes, {"15r01", "코트/자켓"}, {"15r01r02", "코트"}, "벨티드 롱 코트", european},
    Shelf{women, clothes, {"15r05", "원피스"}, none, "플리츠 원피스", european},
    Shelf{women, clothes, {"15r04", "니트"}, {"15r04r02", "가디건"}, "브이넥 가디건", letters},
    Shelf{women, bags, {"16r05", "백팩"}, none, "하이랜드 백팩", one_size},
    Shelf{women, bags, {"16r01", "숄더백"}, {"16r01r01", "체인백"}, "퀼팅 체인 숄더백", one_size},
    Shelf{women, bags, {"16r03", "토트백"}, none, "캔버스 토트백", one_size},
    Shelf{women, shoes, {"17r04", "펌프스"}, none, "슬링백 펌프스", american},
    Shelf{women, accessories, {"18r01", "지갑"}, {"18r01r02", "반지갑"}, "엠보싱 반지갑", one_size},
    Shelf{kids, kids_clothes, {"20r01", "코트/자켓"}, {"20r01r03", "다운 자켓"}, "후드 다운 자켓", years},
    Shelf{kids, kids_clothes, {"20r02", "탑"}, none, "로고 맨투맨", years},
};

constexpr auto all_shops = std::to_array<std::string_view>(
    {"디몬트", "라비에트", "트레비소", "어반클로젯", "세레나샵", "몬테로", "비아델라", "오르비스"});
constexpr auto all_styles = std::to_array<std::string_view>(
    {"와펜 패치", "레지나", "ORB", "체크", "모노그램", "로고 자수", "오버핏", "클래식", "\"리미티드\" 에디션",
     "빈티지 워싱", "스트라이프", "인타르시아", "테크 & 라이트", "헤리티지", "시그니처", "하이랜드"});
constexpr auto all_colors =
    std::to_array<std::string_view>({"블랙", "화이트", "네이비", "그레이", "베이지", "카멜", "더스티핑크", "올리브",
                                     "버건디", "뉴트럴", "스카이블루", "멀티"});
constexpr auto all_size_guides =
    std::to_array<std::string_view>({"", "", "어깨 44 / 가슴 52 / 총장 68 (cm)", "허리 38 / 밑위 29 / 총장 104 (cm)",
                                     "발볼 \"보통\", 정사이즈 추천", "가로 28 / 세로 35 / 폭 14 (cm)"});
constexpr auto all_tags = std::to_array<std::string_view>({"무료배송", "당일발송", "해외직구", "백화점", "시즌오프"});
constexpr auto all_countries = std::to_array<std::string_view>(
    {"이탈리아", "프랑스", "포르투갈", "스페인", "루마니아", "중국", "베트남", "튀르키예", "케냐", "대한민국"});
constexpr auto all_places = std::to_array<std::string_view>(
    {"대구 중구", "서울 강남구", "서울 성동구", "경기 하남시", "부산 해운대구", "인천 연수구"});

constexpr auto all_sentences = std::to_array<std::string_view>({
    "부드러운 촉감의 원단을 사용하여 오래 입어도 편안하며, 계절에 관계없이 활용하기 좋은 상품입니다.",
    "본 상품은 \"정식 수입\" 제품으로 100% 정품만을 취급하며, 가품일 경우 200% 보상해 드립니다.",
    "모니터의 해상도와 촬영 환경에 따라 실제 색상과 차이가 있을 수 있습니다.\n구매 전 상세 사진을 꼭 확인해 주세요.",
    "측정 방법에 따라 1~3cm 정도의 오차가 발생할 수 있으며, 이는 교환 및 반품의 사유가 되지 않습니다.",
    "주문 폭주로 인하여 재고가 조기에 소진될 수 있으니 <b class=\"point\">양해</b> 부탁드립니다.",
    "세탁 시 반드시 드라이클리닝을 권장하며, 물세탁으로 인한 변형은 책임지지 않습니다.\r\n보관 시 습기를 피해 주세요.",
    "교환 및 반품은 상품 수령 후 7일 이내에 고객센터(\\1588-0000)로 접수해 주시기 바랍니다.",
    "\t• 소재: 면 80%, 폴리아미드 20%\t• 안감: 비스코스 100%\t• 제조사: 협력업체",
    "선물 포장이 필요하신 분은 배송 메모에 \"선물\"이라고 적어 주세요 🎁 쇼핑백을 함께 보내 드립니다.",
    "매장과 동시에 판매되는 상품으로, 결제 완료 후에도 품절이 될 수 있는 점 <i>미리</i> 안내드립니다.",
    "이번 시즌 새롭게 선보이는 디자인으로, 은은한 광택과 입체적인 실루엣이 돋보입니다 ✨",
    "가죽 제품의 특성상 미세한 주름이나 스크래치가 있을 수 있으며, 이는 천연 소재의 자연스러운 현상입니다.",
});

}  // namespace

std::span<const Brand> brands() {
    return all_brands;
}
std::span<const Shelf> shelves() {
    return all_shelves;
}
std::span<const std::string_view> shop_names() {
    return all_shops;
}
std::span<const std::string_view> styles() {
    return all_styles;
}
std::span<const std::string_view> colors() {
    return all_colors;
}
std::span<const std::string_view> size_guides() {
    return all_size_guides;
}
std::span<const std::string_view> tag_titles() {
    return all_tags;
}
std::span<const std::string_view> countries() {
    return all_countries;
}
std::span<const std::string_view> places_of_dispatch() {
    return all_places;
}
std::span<const std::string_view> sentences() {
    return all_sentences;
}

}  // namespace marketsim
