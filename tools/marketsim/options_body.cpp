#include "answer_parts.hpp"
#include "bodies.hpp"

namespace marketsim {

std::string options_body(const Product& product, Quirks quirks) {
    JsonText json(16 + product.options.size() * 220);
    json.array();
    for (const auto& option : product.options) {
        json.object();
        whole(json, "optionNo", option.no, quirks);
        whole(json, "itemNo", product.item_no, quirks);
        json.text("color", option.color).text("size", option.size).text("shippingType", "NONE");
        whole(json, "stock", option.stock, quirks);
        json.text("sizeGuide", option.size_guide).end_object();
    }
    json.end_array();
    return json.take();
}

}  // namespace marketsim
