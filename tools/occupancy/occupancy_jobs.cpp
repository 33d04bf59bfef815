#include "tools/occupancy/occupancy_jobs.h"

#include <limits>
#include <vector>

#include "tools/cli/option_values.h"

namespace gpumodel::cli {

namespace {

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

}  // namespace

OccupancyTable occupancy_table(const std::string& path, const ArchSpec& arch, const OccupancyRequest& base) {
    OccupancyTable table{read_csv(path), {}, {}};
    table.requests = read_requests(table.given, base);
    for (const auto& request : table.requests) {
        table.results.push_back(compute_occupancy(arch, request));
    }
    return table;
}

}  // namespace gpumodel::cli
