#include "description.hpp"

#include "words.hpp"

namespace marketsim {
namespace {

void append_picture(std::string& out, std::string_view folder, std::string_view file) {
    out.append("<p align=\"center\"><img src=\"https://shop.openhost.cafe24.com/web/product/image/");
    out.append(folder).append("/").append(file).append(".jpg\"></p>\n");
}

}  // namespace

std::string make_description(const Product& product, std::size_t edition, Dice& dice) {
    std::string out;
    out.reserve(7000);
    const auto folder = std::to_string(product.item_no);
    out.append("<!-- ").append(std::to_string(edition)).append(" -->\n");
    append_picture(out, "notice", "open");
    out.append("<h3 style=\"color:#333\">").append(product.name).append("</h3>\n");
    const auto paragraphs = dice.between(10, 24);
    for (std::int64_t i = 0; i < paragraphs; ++i)
        out.append("<p style=\"text-align:center\">").append(dice.one_of(sentences())).append("</p>\n");
    const auto pictures = dice.between(3, 9);
    for (std::int64_t i = 1; i <= pictures; ++i) append_picture(out, folder, std::to_string(i));
    out.append("\n<p align=\"center\">원산지: ").append(product.origin_country).append("</p>\n");
    append_picture(out, "notice", "shoppingguide");
    return out;
}

}  // namespace marketsim
