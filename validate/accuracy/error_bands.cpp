#include "validate/accuracy/error_bands.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "base/enum_table.h"
#include "validate/accuracy/csv_row.h"

namespace gpumodel {
namespace {

constexpr double inside_share = 0.9;
constexpr std::size_t fewest_launches = 5;
constexpr std::size_t fewest_families = 3;
constexpr std::array<SizeClass, 3> sizes{SizeClass::any, SizeClass::small, SizeClass::large};
constexpr auto basis_names = enum_words<BandBasis>("family", "all families");
const std::vector<std::string> band_columns{"generation", "model",    "family", "size",
                                            "band_pct",   "launches", "basis"};

// Kernels given as listings have compiled code only, which goes without saying.
std::optional<std::string> model_name(const ComparedLaunch& launch) {
    if (launch.measured->entry) {
        return launch.model == ModelKind::simulate_sass ? std::optional<std::string>("simulate")
               : launch.model == ModelKind::analytic    ? std::optional<std::string>("analytic")
                                                        : std::nullopt;
    }
    return std::string(to_string(launch.model));
}

// `type`: a word of TYPE, `cluster`: a number of blocks; "" without one.
std::string family_of(std::string family, std::string_view type, std::string_view cluster) {
    if (!type.empty() && type != "f16" && type != "bf16") {
        family += fmt::format(" TYPE={}", type);
    }
    if (!cluster.empty() && cluster != "1") {
        family += fmt::format(" CLUSTER={}", cluster);
    }
    return family;
}

std::string family_of(const Measurement& m) {
    const auto type = m.params.find("TYPE"), cluster = m.params.find("CLUSTER");
    const auto words = param_words("TYPE");
    return family_of(m.family, type == m.params.end() ? "" : words.at(static_cast<std::size_t>(type->second)),
                     cluster == m.params.end() ? "" : std::to_string(cluster->second));
}

// "tf32" of "TYPE" in "BM=128;TYPE=tf32;ACC=f32"; empty where it is not among them.
std::string_view value_of(std::string_view key, std::string_view params) {
    const auto at = params.find(fmt::format("{}=", key));
    const auto from = at + key.size() + 1;
    return at == std::string_view::npos ? std::string_view()
                                        : params.substr(from, params.find(';', from) - from);
}

std::string family_of(const Prediction& p) {
    return p.m == 0 ? std::string(sass_family)
                    : family_of(p.kernel, value_of("TYPE", p.params), value_of("CLUSTER", p.params));
}

std::optional<SizeClass> size_of(const Measurement& m) {
    return size_class(m.family, {m.m, m.n, m.k});
}

struct WeightedError {
    double magnitude = 0;
    double weight = 0;
};

// Smallest error with `inside_share` of the weight at or below it, one launch more than there are counted in.
double quantile(std::vector<WeightedError> errors) {
    std::sort(errors.begin(), errors.end(),
              [](const WeightedError& a, const WeightedError& b) { return a.magnitude < b.magnitude; });
    double all = 0;
    for (const auto& e : errors) {
        all += e.weight;
    }
    const double wanted = inside_share * all * (1 + 1 / static_cast<double>(errors.size()));
    double below = 0;
    for (const auto& e : errors) {
        below += e.weight;
        if (below >= wanted * (1 - 1e-12)) {
            return 100 * e.magnitude;
        }
    }
    return 100 * errors.back().magnitude;
}

using FamilyErrors = std::map<std::string, std::vector<double>>;

double pooled(const FamilyErrors& families) {
    std::vector<WeightedError> errors;
    for (const auto& [family, magnitudes] : families) {
        for (const double e : magnitudes) {
            errors.push_back({e, 1 / static_cast<double>(magnitudes.size())});
        }
    }
    return quantile(std::move(errors));
}

std::size_t count(const FamilyErrors& families) {
    std::size_t launches = 0;
    for (const auto& [family, magnitudes] : families) {
        launches += magnitudes.size();
    }
    return launches;
}

std::optional<ErrorBand> band_for(const FamilyErrors& errors, const std::string& family) {
    if (const auto own = errors.find(family); own != errors.end() && own->second.size() >= fewest_launches) {
        std::vector<WeightedError> list;
        for (const double e : own->second) {
            list.push_back({e, 1});
        }
        return ErrorBand{quantile(std::move(list)), own->second.size(), BandBasis::family};
    }
    const auto launches = count(errors);
    if (family == sass_family || errors.size() < fewest_families || launches < 2 * fewest_launches) {
        return std::nullopt;
    }
    return ErrorBand{pooled(errors), launches, BandBasis::all_families};
}

template <std::size_t N>
std::size_t index_of(const std::array<std::string_view, N>& names, const std::string& name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

}  // namespace

ErrorBands read_error_bands(const std::string& path) {
    const std::array<std::string_view, 3> size_names{to_string(sizes[0]), to_string(sizes[1]),
                                                     to_string(sizes[2])};
    ErrorBands bands;
    for_each_row(path, band_columns, [&](CsvRowReader& read, std::size_t i, const auto& row, const auto& at) {
        const auto size = index_of(size_names, row[at[3]].text);
        const auto basis = index_of(basis_names, row[at[6]].text);
        if (size == size_names.size() || basis == basis_names.size()) {
            read.fault(row[at[3]], "size, basis",
                       "unknown; size is one of any, 256-511, >=512, basis one of family, all families");
            return;
        }
        const ErrorBand band{read.number<double>(i, at[4]), read.number<std::size_t>(i, at[5]),
                             static_cast<BandBasis>(basis)};
        const BandKey key{row[at[0]].text, row[at[1]].text, row[at[2]].text, sizes[size]};
        if (!bands.emplace(key, band).second) {
            read.fault(row.front(), "family", "given twice for this generation, model and size");
        }
    });
    return bands;
}

std::string error_bands_csv(const ErrorBands& bands) {
    std::string text = fmt::format("{}\n", fmt::join(band_columns, ","));
    for (const auto& [key, band] : bands) {
        text += fmt::format("{},{},{},{},{:.1f},{},{}\n", key.generation, key.model, key.family,
                            to_string(key.size), band.pct, band.launches,
                            basis_names[static_cast<std::size_t>(band.basis)]);
    }
    return text;
}

ErrorBands load_error_bands(const std::vector<std::string>& search_path) {
    return load_first(search_path, "error_bands.csv", read_error_bands);
}

ErrorBands make_error_bands(const Comparison& comparison, const std::vector<Measurement>& measured,
                            const std::string& generation) {
    std::map<std::pair<std::string, SizeClass>, FamilyErrors> errors;  // by model and size
    for (const auto& launch : comparison.launches) {
        const auto model = model_name(launch);
        const auto size = size_of(*launch.measured);
        if (model && size && launch.measured->split == Split::calibration) {
            errors[{*model, *size}][family_of(*launch.measured)].push_back(std::abs(launch.error));
        }
    }
    std::set<std::pair<std::string, SizeClass>> families;
    for (const auto& m : measured) {
        if (const auto size = size_of(m)) {
            families.emplace(family_of(m), *size);
        }
    }
    ErrorBands bands;
    for (const auto& [group, family_errors] : errors) {
        for (const auto& [family, size] : families) {
            if (size != group.second) {
                continue;
            }
            if (const auto band = band_for(family_errors, family)) {
                bands[{generation, group.first, family, size}] = *band;
            }
        }
    }
    return bands;
}

std::optional<double> error_band(const ErrorBands& bands, const std::string& generation,
                                 const std::string& model, const std::string& family,
                                 const ProblemShape& shape) {
    const auto size = size_class(family, shape);
    if (!size) {
        return std::nullopt;
    }
    const auto found = bands.find({generation, model, family, *size});
    return found == bands.end() ? std::nullopt : std::optional(found->second.pct);
}

std::optional<double> error_band(const ErrorBands& bands, const ArchSpec& arch, const Prediction& p) {
    const bool compiled = p.program_source && is_compiled(*p.program_source);
    return error_band(bands, arch.generation, compiled ? p.model + "-sass" : p.model, family_of(p),
                      {p.m, p.n, p.k});
}

double BandCoverage::inside_pct() const {
    return launches > 0 ? 100 * static_cast<double>(inside) / static_cast<double>(launches) : 0;
}

std::optional<double> band_of(const ErrorBands& bands, const std::string& generation,
                              const ComparedLaunch& launch) {
    const auto model = model_name(launch);
    const auto& m = *launch.measured;
    return model ? error_band(bands, generation, *model, family_of(m), {m.m, m.n, m.k}) : std::nullopt;
}

}  // namespace gpumodel
