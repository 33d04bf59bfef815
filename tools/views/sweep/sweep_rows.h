// How a sweep's predictions are written: the rows of `predict` with the swept spec keys behind them.
#pragma once

#include <string>
#include <vector>

#include "tools/sweep/study.h"

namespace gpumodel::cli {

// csv_header with one column per swept key, and with `sharded` the column "shard".
[[nodiscard]] std::string sweep_csv_header(const Study& study, bool sharded);

// One line per model, without the cell of the shard.
[[nodiscard]] std::string sweep_csv_rows(const std::vector<Prediction>& models, const ArchPoint& arch);

// What the csv lines of a point start and end with, per model: arch to model, and the swept keys' values.
struct RowKey {
    std::string head;
    std::string tail;
};
[[nodiscard]] std::vector<RowKey> row_keys(const Study& study, const StudyPoint& point,
                                           const ArchPoint& arch);

// Items of a json list, with commas between; with swept keys they begin with "overrides".
[[nodiscard]] std::string sweep_json_items(const std::vector<Prediction>& models, const ArchPoint& arch);

// The table of --format text: columns and one row per model; the rank stands in front of the first.
[[nodiscard]] std::string sweep_table_header(const Study& study);
[[nodiscard]] std::string sweep_table_rows(const Study& study, const StudyPoint& point,
                                           const std::vector<Prediction>& models);

}  // namespace gpumodel::cli
