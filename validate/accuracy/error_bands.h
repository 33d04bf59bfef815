// Error bands: how far predictions were from measured times, by generation, model, family and size.
//   band b %: |predicted / measured - 1| <= b / 100 for 9 of 10 launches of the calibration half; with n of
//   them the ceil(0.9 (n + 1))-th smallest, so that a further launch falls inside with 90 % (split conformal
//   prediction, Vovk et al. 2005)
// A family that was measured but has nothing (or fewer than 5 launches) in the calibration half gets the band
// of all families together, each weighted alike, if there are three. Measured on another generation only: no
// band. Elements that are not of 16 bits (TYPE=tf32) are other instructions, and blocks of a cluster wait for
// one another: a family's band of theirs is one of its own, "mma_async TYPE=tf32". Never computed from the
// test half. The committed file is error_bands.csv beside the specs.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arch_specs/loader.h"
#include "validate/accuracy/accuracy.h"

namespace gpumodel {

struct BandKey {
    std::string generation;  // "sm_90"
    std::string model;   // as in Prediction: "simulate", "analytic"; of a family's compiled code "..-sass"
    std::string family;  // and its type and cluster; or "sass": any kernel given as an entry of a listing
    SizeClass size = SizeClass::large;
    friend auto operator<=>(const BandKey&, const BandKey&) = default;
};

enum class BandBasis : unsigned char { family, all_families };

struct ErrorBand {
    double pct = 0;
    std::size_t launches = 0;  // that it rests on
    BandBasis basis = BandBasis::family;
};

using ErrorBands = std::map<BandKey, ErrorBand>;

// Throws InputError with all faults.
[[nodiscard]] ErrorBands read_error_bands(const std::string& path);
[[nodiscard]] std::string error_bands_csv(const ErrorBands& bands);

// The first error_bands.csv on the path, read once a call; empty without one.
[[nodiscard]] ErrorBands load_error_bands(const std::vector<std::string>& search_path = default_spec_path());

// Bands for the families of `measured`, from those launches of `comparison` that are in the calibration
// half. A family's bands are by the source of its program: of generated code for simulate and analytic, of
// compiled code for simulate_sass and analytic_sass.
[[nodiscard]] ErrorBands make_error_bands(const Comparison& comparison,
                                          const std::vector<Measurement>& measured,
                                          const std::string& generation);

// Empty: not measured.
[[nodiscard]] std::optional<double> error_band(const ErrorBands& bands, const std::string& generation,
                                               const std::string& model, const std::string& family,
                                               const ProblemShape& shape);
// For a prediction as it stands; without a problem size (M = 0) it is of any kernel, family "sass".
[[nodiscard]] std::optional<double> error_band(const ErrorBands& bands, const ArchSpec& arch,
                                               const Prediction& prediction);

// Of the launches that have a band, how many lie inside.
struct BandCoverage {
    std::size_t launches = 0;
    std::size_t inside = 0;
    [[nodiscard]] double inside_pct() const;
};
[[nodiscard]] std::optional<double> band_of(const ErrorBands& bands, const std::string& generation,
                                            const ComparedLaunch& launch);

}  // namespace gpumodel
