#include "tools/trace/trace_compare_codegen.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/cli/parallel_runs.h"
#include "tools/views/trace/fidelity_views.h"
#include "tools/views/trace/pair_views.h"

namespace gpumodel::cli {

int run_compare_codegen(const CompareCodegenOptions& options) {
    FidelityOptions fidelity;
    fidelity.listings = options.listings;
    fidelity.size = options.size;
    if (!options.arch.empty()) {
        const auto& known = fidelity.archs;
        if (std::find(known.begin(), known.end(), options.arch) == known.end()) {
            throw InputError(
                InputErrorKind::usage,
                {{"", 0, 0, "--arch",
                  fmt::format("'{}' has no listings, allowed {}", options.arch, fmt::join(known, ", "))}});
        }
        fidelity.archs = {options.arch};
    }
    if (options.output.format == Format::json) {
        throw InputError(InputErrorKind::usage,
                         {{"", 0, 0, "--format", "compare-codegen has no json form, allowed text and csv"}});
    }
    if (options.simulate) {
        const auto pairs = simulate_pairs({.listings = options.listings,
                                           .archs = fidelity.archs,
                                           .size = options.size,
                                           .kernel_filter = options.kernel,
                                           .sample = options.sample,
                                           .for_each = parallel_runs(options.threads)});
        if (options.rows) {
            return write_data(options.output, pair_rows_csv(pairs));
        }
        return write_output(options.output, options.output.format == Format::csv
                                                ? pairs_csv(pairs, fidelity.archs)
                                                : pairs_text(pairs, fidelity.archs));
    }
    const FidelityTable table = codegen_fidelity(fidelity);
    if (options.rows) {
        return write_data(options.output, fidelity_rows_csv(table));
    }
    return write_output(options.output, options.output.format == Format::csv
                                            ? fidelity_csv(table, fidelity.archs)
                                            : fidelity_text(table, fidelity.archs));
}

}  // namespace gpumodel::cli
