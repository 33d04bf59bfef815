// json as printed, whole and in pieces.
#include "base/json_text.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <vector>

using namespace gpumodel;
using Json = nlohmann::ordered_json;

TEST_CASE("a document is printed in the order of its fields", "[unit]") {
    CHECK(json_text({{"b", 1}, {"a", {1, 2}}}) ==
          "{\n"
          "  \"b\": 1,\n"
          "  \"a\": [\n"
          "    1,\n"
          "    2\n"
          "  ]\n"
          "}\n");
    CHECK(json_text("x\xff") == "\"x\xEF\xBF\xBD\"\n");
}

TEST_CASE("a list written item by item is the whole document", "[property]") {
    const std::vector<Json> items{{{"name", "a\nb"}, {"list", {1, 2}}}, 3, "text", Json::array(), nullptr};
    const Json head{{"schema_version", 1}, {"metadata", {{"tool", "x\xff"}, {"empty", Json::object()}}}};
    for (std::size_t count = 0; count <= items.size(); ++count) {
        for (const auto& tail : {Json::object(), Json{{"interrupted", true}, {"more", {{"k", 1}}}}}) {
            auto whole = head;
            whole["items"] = Json::array();
            auto text = json_list_opening(head, "items");
            for (std::size_t i = 0; i < count; ++i) {
                whole["items"].push_back(items[i]);
                text += (i > 0 ? "," : "") + json_list_item(items[i]);
            }
            whole.update(tail);
            CHECK(text + json_list_closing(count > 0, tail) == json_text(whole));
        }
    }
    CHECK(json_list_opening(Json::object(), "l") + json_list_closing(false, Json::object()) ==
          json_text({{"l", Json::array()}}));
}
