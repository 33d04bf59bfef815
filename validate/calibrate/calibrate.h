// Fits the keys of a spec to microbenchmarks: each key from the rows that isolate it (forward_model.h).
//
// Keys that share rows are fitted together, others apart (least_squares.h). A row's standard deviation is
//   sqrt((1.2533 d / sqrt(samples))^2 + (0.5 % of the median)^2),  d = min(median - min, max - median):
// that of a median, of which the longer side of the range says nothing (now and then something else runs on
// the GPU), and what a benchmark's own loop and timer add (estimated).
//
// Pipes that rows show to be wider than in the base are widened first (pipe_lanes.h).
//
// A key is refused, and keeps its base value, if the rows do not identify it or its standard error is not
// below its value; a key that may be 0 is accepted though, where the rows exclude the base value.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "arch_specs/schema/schema.h"
#include "validate/calibrate/microbenchmark.h"

namespace gpumodel {

enum class KeyStatus : unsigned char {
    changed,
    confirmed,  // within two standard errors or 0.5 % of the base value
    refused,
};

// Values in the base units of the key's dimension.
struct CalibratedKey {
    const Field* field = nullptr;
    double base = 0;
    double value = 0;           // rounded to a tenth of the standard error's leading digit; = base if refused
    double standard_error = 0;  // 0 if refused
    KeyStatus status = KeyStatus::refused;
    bool base_estimated = false;
    std::string reason;                   // refused: why, and what it takes
    std::vector<std::string> benchmarks;  // whose rows it was fitted to
    std::size_t rows = 0;
    double rms_pct = 0;  // of measured / predicted - 1 over those rows

    // Belongs into the new spec: a new value, or an old estimate that is one no longer.
    [[nodiscard]] bool is_written() const {
        return status == KeyStatus::changed || (status == KeyStatus::confirmed && base_estimated);
    }
};

struct CalibrationRow {
    const MicrobenchmarkRow* measured = nullptr;
    double predicted = 0;  // by the fitted values; 0 if unused or every key of the row is refused
    bool misfit = false;   // more than three robust standard deviations off
    std::string unused;    // why it determines nothing; "" = used
};

struct Calibration {
    std::vector<CalibratedKey> keys;   // in schema order
    std::vector<CalibrationRow> rows;  // in file order
    ArchSpec arch;                     // base with the keys that are written
};

// `keys`: those to calibrate, "" = all that benchmarks can determine and `base` has. Throws InputError
// (usage) for keys that are unknown or that no benchmark determines, and (invalid_input) for keys asked for
// by name that are refused. The rows are referred to, not copied.
[[nodiscard]] Calibration calibrate(const MicrobenchmarkFile& file, const ArchSpec& base,
                                    const std::vector<std::string>& keys = {});

// What the schema and the spec's other keys allow.
struct KeyRange {
    double lower = 0, upper = 0;
};
[[nodiscard]] KeyRange allowed_range(const Field& field, const ArchSpec& arch);

// Sets numbers of a spec and derives what follows from them.
void set_values(ArchSpec& arch, std::span<const Field* const> fields, std::span<const double> values);
// The number of a key that the spec has.
[[nodiscard]] double value_of(const Field& field, const ArchSpec& arch);

// Rounded to two digits of `standard_error`, within `range`; whole keys to whole numbers.
[[nodiscard]] double rounded(double value, double standard_error, const Field& field, const KeyRange& range);

// Throws InputError (usage) for keys that calibrate() refuses by name alone.
void check_key_names(const std::vector<std::string>& keys, const ArchSpec& base);

// status, given value, standard_error and base.
[[nodiscard]] KeyStatus compared_with_base(const CalibratedKey& key);

}  // namespace gpumodel
