#include "tools/trace/trace_compare_codegen.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/views/trace/fidelity_views.h"

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
    const FidelityTable table = codegen_fidelity(fidelity);
    return write_output(options.output, options.rows ? fidelity_rows_csv(table)
                                        : options.output.format == Format::csv
                                            ? fidelity_csv(table, fidelity.archs)
                                            : fidelity_text(table, fidelity.archs));
}

}  // namespace gpumodel::cli
