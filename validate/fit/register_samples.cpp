#include "validate/fit/register_samples.h"

#include <algorithm>

#include "base/diagnostics.h"
#include "validate/accuracy/csv_row.h"
#include "validate/programs/listing_entry.h"

namespace gpumodel {

namespace {

// Nothing for a pinned loop that the family has no parameter for.
std::optional<ParamValues> family_params(const Family& family, ParamValues params) {
    const bool has_unroll = std::any_of(family.params.begin(), family.params.end(),
                                        [](const ParamSpec& spec) { return spec.name == "UNROLL"; });
    if (const auto unroll = params.find("UNROLL"); !has_unroll && unroll != params.end()) {
        if (unroll->second != 0) {
            return std::nullopt;
        }
        params.erase(unroll);
    }
    return resolve_params(family, params);
}

std::optional<RegisterSample> sample_of(const Family& family, const ParamValues& given, int cc) {
    const auto params = family_params(family, given);
    if (!params) {
        return std::nullopt;
    }
    RegisterSample sample;
    sample.arch = "sm_" + std::to_string(cc);
    sample.family = family.name;
    sample.params = *params;
    sample.target.cc = {.major = cc / 10, .minor = cc % 10};
    sample.held_back = held_back(family.name, given);
    const auto made = family.lower(*params, smallest_problem(family, *params), sample.target);
    if (!made.program) {
        throw std::invalid_argument(family.name + ": " + made.infeasible_reason);
    }
    sample.code = made.code;
    return sample;
}

}  // namespace

std::vector<RegisterSample> read_register_samples(const std::string& path) {
    const CsvTable table = read_csv(path);
    const auto at = require_columns(table, {"arch", "family", "params", "registers", "stack_bytes"}, true);
    std::vector<Diagnostic> faults;
    CsvRowReader read(table, faults);
    std::vector<RegisterSample> samples;
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const auto& fields = table.rows[row];
        const Family* family = find_family(fields[at[1]].text);
        if (family == nullptr) {
            read.fault(fields[at[1]], "family", "is unknown");
            continue;
        }
        auto sample = sample_of(*family, read.params(row, at[2]), std::stoi(fields[at[0]].text.substr(3)));
        if (sample) {
            sample->registers = read.number<int>(row, at[3]);
            sample->stack_bytes = read.number<int>(row, at[4]);
            samples.push_back(*std::move(sample));
        }
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::invalid_input, std::move(faults));
    }
    return samples;
}

int blocks_by_registers(int registers, int threads) {
    const int warps = (threads + 31) / 32;
    const int per_warp = (registers * 32 + 255) / 256 * 256;
    return std::min(4 * (16384 / per_warp), 64) / warps;
}

ProblemShape smallest_problem(const Family& family, const ParamValues& params) {
    const auto either = [&params](const char* name, const char* other) {
        constexpr std::int64_t side = 32;  // of families without the parameter
        const auto found = params.find(name);
        const auto second = params.find(other);
        return found != params.end() ? found->second : second != params.end() ? second->second : side;
    };
    return {either("BM", "BS"), either("BN", "BS"),
            family.depth == ProblemDepth::fixed ? family.default_shape.k : either("BK", "BS")};
}

}  // namespace gpumodel
