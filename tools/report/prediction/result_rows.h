// Rows of a result csv (design of the columns: tools/views/prediction/report.h), one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/csv_table.h"
#include "base/diagnostics.h"

namespace gpumodel::cli::page {

struct ResultRow {
    std::string arch, kernel, params, m, n, k, model, status, reason, bottleneck;
    std::vector<std::pair<std::string, std::string>> spec_keys;  // of a sweep over spec values
    std::optional<double> time_us, gflops, error_band_pct;

    [[nodiscard]] bool ok() const { return time_us.has_value(); }
    // What was swept: parameters in the row's order, then spec keys, M, N, K, kernel and arch.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> axes() const;
    // Arch, kernel, sizes, parameters and spec keys in one line.
    [[nodiscard]] std::string identity() const;
};

// Reads the file from its start. Throws InputError (usage) with `option` as key for a file that cannot be
// read or lacks columns. Rows that are no results are left out and kept as faults.
class ResultReader {
public:
    ResultReader(const std::string& path, const std::string& option);
    [[nodiscard]] std::optional<ResultRow> next();
    // Throws InputError (usage) with the first twenty faults and the number of the others.
    void throw_if_faulty() const;

private:
    std::optional<double> number(const CsvRow& row, std::size_t column);
    std::optional<ResultRow> read(const CsvRow& row);
    void fault(const CsvField& field, const std::string& key, const std::string& message);

    std::unique_ptr<CsvSource> source_;
    std::vector<std::size_t> columns_;
    std::vector<std::size_t> spec_columns_;
    std::vector<Diagnostic> faults_;
    std::int64_t more_faults_ = 0;
};

}  // namespace gpumodel::cli::page
