// Times that others have published, scored against the products that they were measured on.
//
// The index is a csv with one row per ladder (one author's launches on one GPU); its columns are
//   ladder   what the `id` of its rows begins with (Measurement::ladder)
//   arch     the product
//   file     of the rows, as read_measurements takes them, named from the index's folder on
//   listing  "" or the code of the rows' entries, named likewise
//   set      "KEY=VALUE;..." of the spec: only what the source itself states of its GPU
//   clock    stated (by the source), fixed (the product runs at one clock) or unknown
//   code     written (its source is known), library (the vendor's, tile of the row) or library_default (the
//            vendor's, and nobody says which kernel it chose: the family's default tile is assumed)
//   note     where the clock comes from; not read
// Nothing is fitted to these rows. Where the clock is not known, the ratios inside a ladder say more than its
// times: each score therefore has its clock factor beside it, which is applied to nothing else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arch_specs/loader.h"
#include "validate/accuracy/accuracy.h"
#include "validate/accuracy/error_statistics.h"

namespace gpumodel {

enum class KnownClock : unsigned char { stated, fixed, unknown };
enum class PublishedCode : unsigned char { written, library, library_default };
[[nodiscard]] std::string_view to_string(KnownClock clock);
[[nodiscard]] std::string_view to_string(PublishedCode code);

struct PublishedLadder {
    std::string ladder, arch, file, listing;  // files with the index's folder
    std::vector<Override> set;
    KnownClock clock = KnownClock::unknown;
    PublishedCode code = PublishedCode::written;
};

// Throws InputError with all faults of the file.
[[nodiscard]] std::vector<PublishedLadder> read_published(const std::string& index);

// Of `launches` that one model predicted.
struct PublishedScore {
    std::string name;  // of a sum; "" for a ladder
    std::optional<PublishedLadder> ladder;
    ModelKind model = ModelKind::analytic;
    ErrorStatistics errors;  // as predicted
    // exp(median log(predicted / measured)): the share of the spec's clock at which the GPU would have to run
    // for half of the ladder's predictions to be too fast; empty for sums and below three launches.
    std::optional<double> clock_factor;
    // With every prediction divided by its ladder's clock factor; ladders without one are left out.
    std::optional<ErrorStatistics> ratios;
};

struct PublishedReport {
    std::vector<PublishedScore> ladders;  // by model, in the index's order
    std::vector<PublishedScore> gpus;     // of products with several ladders
    std::vector<PublishedScore> sums;     // by code and knowledge of the clock; all
    std::size_t launches = 0, products = 0;
    std::vector<std::string> skipped;  // "LADDER: why", each once
};

struct PublishedOptions {
    std::vector<ModelKind> models{ModelKind::analytic};  // simulate means simulate-sass for entries
    MeasurementChoice choice;                            // the sample is of each ladder
    ForEach for_each;
    std::function<void(const PublishedLadder&, const ComparedLaunch&)> take{};
};

// Throws InputError for specs and files that cannot be read and for a ladder without rows.
[[nodiscard]] PublishedReport score_published(const std::vector<PublishedLadder>& ladders,
                                              const PublishedOptions& options);

}  // namespace gpumodel
