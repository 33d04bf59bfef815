// Rows of a result csv (predict, its --jobs, sweep; the columns: tools/views/prediction/report.h), one at a
// time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/csv_table.h"
#include "model/compare/launch_record.h"

namespace gpumodel::cli {

enum class ReadCounters : bool { no, yes };

class ResultReader {
public:
    // `reader` must outlive this one. Throws InputError (usage) for a table without the columns that name a
    // launch and its time.
    ResultReader(CsvReader& reader, ReadCounters counters);

    // Columns that are neither the contract's nor a counter's become the record's `variant`. Rows that are no
    // results are left out and kept as faults.
    [[nodiscard]] std::optional<LaunchRecord> next();
    // Throws InputError (usage) with the first twenty faults and the number of the others.
    void throw_if_faulty() const;

private:
    struct Column {
        std::string name;
        std::size_t index = 0;
    };

    std::optional<LaunchRecord> read(const CsvRow& row);
    void read_time(const CsvRow& row, LaunchRecord& record);
    [[nodiscard]] const CsvField& field(const CsvRow& row, const std::string& column) const;
    std::optional<double> number(const CsvField& field, const std::string& column);
    std::int64_t dimension(const CsvRow& row, const std::string& column);
    void fault(const CsvField& field, const std::string& column, const std::string& what);

    CsvReader& reader_;
    std::vector<Column> known_, resources_, counters_, variant_;
    std::vector<Diagnostic> faults_;
    std::int64_t fault_count_ = 0;
};

}  // namespace gpumodel::cli
