// Views of a file's launches.
#include <fmt/format.h>

#include "base/csv_text.h"
#include "tools/views/occupancy/occupancy_views.h"
#include "tools/views/prediction/shared_rows.h"
#include "tools/views/result_json.h"

namespace gpumodel::cli {

std::string table_csv(const OccupancyTable& table) {
    auto cells = table.given.header;
    cells.insert(cells.end(), {"blocks_per_sm", "limiter", "occupancy"});
    auto text = csv_record(cells);
    for (std::size_t i = 0; i < table.results.size(); ++i) {
        for (const auto& field : table.given.rows[i]) {
            text += csv_field(field.text) + ',';
        }
        const auto& o = table.results[i];
        text += csv_record(o.blocks_per_sm, limiter_names(o), o.occupancy);
    }
    return text;
}

std::string table_json(const OccupancyTable& table, const ArchSpec& arch) {
    auto json = json_head(arch);
    json["rows"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < table.results.size(); ++i) {
        nlohmann::ordered_json input;
        for (std::size_t column = 0; column < table.given.header.size(); ++column) {
            input[table.given.header[column]] = table.given.rows[i][column].text;
        }
        const auto& o = table.results[i];
        json["rows"].push_back({{"input", input},
                                {"blocks_per_sm", o.blocks_per_sm},
                                {"limiter", limiter_names(o)},
                                {"occupancy", o.occupancy},
                                {"reason", o.infeasible_reason}});
    }
    return json_text(json);
}

std::string table_text(const OccupancyTable& table) {
    auto text = fmt::format("{:>8} {:>9} {:>8} {:>7} {:>10}  {}\n", "threads", "registers", "shared",
                            "blocks", "occupancy", "limiter");
    for (std::size_t i = 0; i < table.results.size(); ++i) {
        const auto& o = table.results[i];
        const auto& asked = table.requests[i];
        text += fmt::format("{:>8} {:>9} {:>8} {:>7} {:>8.1f} %  {}{}\n", asked.threads_per_block,
                            asked.registers_per_thread, asked.shared_bytes_per_block, o.blocks_per_sm,
                            100 * o.occupancy, limiter_names(o),
                            o.infeasible_reason.empty() ? "" : ": " + o.infeasible_reason);
    }
    return text;
}

}  // namespace gpumodel::cli
