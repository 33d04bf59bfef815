#include "validate/calibrate/pipe_lanes.h"

#include <algorithm>
#include <cmath>

namespace gpumodel {
namespace {

constexpr double clearly_above = 1.05;  // of all lanes; rows repeat within 1 %

struct FastestRow {
    const MicrobenchmarkRow* row = nullptr;
    std::size_t rows = 0;
};

}  // namespace

std::vector<CalibratedKey> widen_pipes(const MicrobenchmarkFile& file, ArchSpec& arch) {
    std::array<FastestRow, pipe_count> fastest{};
    for (const auto& row : file.rows) {
        const auto op = row.benchmark == "pipe_throughput"
                            ? std::find(op_class_names.begin(), op_class_names.end(), row.word("OP"))
                            : op_class_names.end();
        if (op == op_class_names.end()) {
            continue;
        }
        if (const auto& timing = arch.sm.ops[static_cast<std::size_t>(op - op_class_names.begin())]) {
            auto& found = fastest[static_cast<std::size_t>(timing->pipe)];
            found.rows += 1;
            found.row = found.row == nullptr || row.median > found.row->median ? &row : found.row;
        }
    }
    std::vector<CalibratedKey> keys;
    for (std::size_t pipe = 0; pipe < pipe_count; ++pipe) {
        const auto& lanes = arch.sm.pipe_lanes[pipe];
        const auto& [row, rows] = fastest[pipe];
        if (!lanes || row == nullptr || row->median <= clearly_above * *lanes) {
            continue;
        }
        CalibratedKey key;
        key.field = find_field("sm.pipes." + std::string(pipe_names[pipe]) + ".lanes");
        key.base = value_of(*key.field, arch);
        key.value = std::max(1.0, std::round(row->median / arch.sm.schedulers)) * arch.sm.schedulers;
        key.standard_error = std::max(1.0, (row->max - row->min) / 2);  // a whole number
        key.status = KeyStatus::changed;
        key.benchmarks = {"pipe_throughput"};
        key.rows = rows;
        key.rms_pct = 100 * std::abs(row->median / key.value - 1);
        const Field* const fields[] = {key.field};
        const double values[] = {key.value};
        set_values(arch, fields, values);
        keys.push_back(std::move(key));
    }
    return keys;
}

}  // namespace gpumodel
