// Measured microbenchmarks: one figure per row, with the metadata of the run.
//
// The file: lines `# key: value` (gpu, date ...), the header
// `benchmark,params,metric,median,min,max,samples`, then rows; params is KEY=VALUE;KEY=VALUE and may be
// empty. What each benchmark and its parameters mean is in forward_model.h.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/diagnostics.h"

namespace gpumodel {

struct MicrobenchmarkRow {
    std::string benchmark;
    std::map<std::string, std::string> params;
    std::string metric;
    double median = 0;  // > 0, in the metric's unit
    double min = 0;     // min <= median <= max
    double max = 0;
    int samples = 1;
    int line = 0;

    // The parameter as a number of at least 0; 0 where it is absent (the reader refuses rows that lack one).
    [[nodiscard]] double number(const std::string& param) const;
    [[nodiscard]] const std::string& word(const std::string& param) const;
    // "shared_latency BITS=32;DEGREE=4"
    [[nodiscard]] std::string text() const;
};

struct MicrobenchmarkFile {
    std::string path;
    std::map<std::string, std::string> metadata;
    std::vector<MicrobenchmarkRow> rows;
};

// Throws InputError with every fault of the file: what spoils it as a whole (no such file, no header) as
// usage, faulty rows as invalid_input: unknown benchmarks, metrics, parameters and words with the nearest
// known one, numbers that are none, min <= median <= max broken, rows that appear twice.
[[nodiscard]] MicrobenchmarkFile read_microbenchmarks(const std::string& path);

}  // namespace gpumodel
