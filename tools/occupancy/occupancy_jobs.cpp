#include "tools/occupancy/occupancy_jobs.h"

#include <fmt/format.h>

#include <limits>
#include <vector>

#include "base/csv_table.h"
#include "tools/cli/option_values.h"
#include "tools/occupancy/occupancy_views.h"
#include "tools/views/prediction/report.h"
#include "tools/views/result_json.h"

namespace gpumodel::cli {

namespace {

constexpr NumberRange at_least_one{1, std::numeric_limits<int>::max()};
constexpr NumberRange at_least_zero{0, std::numeric_limits<int>::max()};

std::vector<OccupancyRequest> read_requests(const CsvTable& table, const OccupancyRequest& base) {
    const auto columns = require_columns(table, {"threads", "registers", "shared"}, true);
    OptionFaults faults;
    std::vector<OccupancyRequest> requests;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
        const auto& row = table.rows[i];
        if (!table.row_faults[i].empty()) {
            faults.add(ValuePlace{table.file, row.front().line, 1, ""}, table.row_faults[i]);
            continue;
        }
        const auto read = [&](std::size_t which, NumberRange range) {
            const auto& field = row[columns[which]];
            const ValuePlace place{table.file, field.line, field.column, table.header[columns[which]]};
            return faults.whole_number(field.text, place, range).value_or(range.lowest);
        };
        auto request = base;
        request.threads_per_block = static_cast<int>(read(0, at_least_one));
        request.registers_per_thread = static_cast<int>(read(1, at_least_zero));
        request.shared_bytes_per_block = read(2, at_least_zero);
        requests.push_back(request);
    }
    faults.throw_if_any();
    return requests;
}

std::string jobs_csv(const CsvTable& table, const std::vector<Occupancy>& results) {
    std::string text;
    for (const auto& name : table.header) {
        text += csv_field(name) + ",";
    }
    text += "blocks_per_sm,limiter,occupancy\n";
    for (std::size_t i = 0; i < results.size(); ++i) {
        for (const auto& field : table.rows[i]) {
            text += csv_field(field.text) + ",";
        }
        text += fmt::format("{},{},{}\n", results[i].blocks_per_sm, limiter_names(results[i]),
                            number(results[i].occupancy));
    }
    return text;
}

std::string jobs_json(const CsvTable& table, const ArchSpec& arch, const std::vector<Occupancy>& results) {
    auto json = json_head(arch);
    json["rows"] = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < results.size(); ++i) {
        nlohmann::ordered_json input;
        for (std::size_t column = 0; column < table.header.size(); ++column) {
            input[table.header[column]] = table.rows[i][column].text;
        }
        json["rows"].push_back({{"input", input},
                                {"blocks_per_sm", results[i].blocks_per_sm},
                                {"limiter", limiter_names(results[i])},
                                {"occupancy", results[i].occupancy},
                                {"reason", results[i].infeasible_reason}});
    }
    return json_text(json);
}

std::string jobs_text(const std::vector<OccupancyRequest>& requests, const std::vector<Occupancy>& results) {
    auto text = fmt::format("{:>8} {:>9} {:>8} {:>7} {:>10}  {}\n", "threads", "registers", "shared",
                            "blocks", "occupancy", "limiter");
    for (std::size_t i = 0; i < results.size(); ++i) {
        const auto& o = results[i];
        text += fmt::format("{:>8} {:>9} {:>8} {:>7} {:>8.1f} %  {}{}\n", requests[i].threads_per_block,
                            requests[i].registers_per_thread, requests[i].shared_bytes_per_block,
                            o.blocks_per_sm, 100 * o.occupancy, limiter_names(o),
                            o.infeasible_reason.empty() ? "" : ": " + o.infeasible_reason);
    }
    return text;
}

}  // namespace

std::string run_occupancy_jobs(const std::string& path, const ArchSpec& arch, const OccupancyRequest& base,
                               Format format) {
    const auto table = read_csv(path);
    const auto requests = read_requests(table, base);
    std::vector<Occupancy> results;
    results.reserve(requests.size());
    for (const auto& request : requests) {
        results.push_back(compute_occupancy(arch, request));
    }
    switch (format) {
        case Format::csv:
            return jobs_csv(table, results);
        case Format::json:
            return jobs_json(table, arch, results);
        case Format::text:
            break;
    }
    return jobs_text(requests, results);
}

}  // namespace gpumodel::cli
