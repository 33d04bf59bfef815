#include "tools/sweep/pieces/piece_packing.h"

#include <nlohmann/json.hpp>

namespace gpumodel::cli {

using Message = nlohmann::json;

std::string packed(const PieceResult& result) {
    const auto& tally = result.tally;
    Message message{{"points", {result.points.begin, result.points.end}},
                    {"rows", Message::array()},
                    {"tally", {tally.points, tally.valid, tally.failed}},
                    {"rules", tally.rules}};
    for (const auto& row : result.rows) {
        message["rows"].push_back(
            Message::array({row.point, row.arch, row.shape, row.seconds, row.rejected, row.text}));
    }
    std::string bytes;
    Message::to_cbor(message, bytes);
    return bytes;
}

PieceResult unpacked(const std::string& bytes) {
    const auto message = Message::from_cbor(bytes);
    const auto& points = message.at("points");
    const auto& tally = message.at("tally");
    PieceResult result{{points.at(0), points.at(1)}, {}, {}};
    result.tally = {tally.at(0), tally.at(1), tally.at(2), message.at("rules")};
    for (const auto& row : message.at("rows")) {
        result.rows.push_back({row.at(0), row.at(1), row.at(2), row.at(3), row.at(4), row.at(5)});
    }
    return result;
}

}  // namespace gpumodel::cli
