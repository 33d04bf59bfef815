// gpumodel validate --published: what others measured, by ladder and GPU.
#include <fmt/format.h>

#include <optional>

#include "tools/cli/output_stream.h"
#include "tools/cli/parallel_runs.h"
#include "tools/validate/validate_options.h"
#include "tools/views/validate/published_views.h"

namespace gpumodel::cli {
namespace {

// The index names products and code; the rows of a ladder are few.
void check_published_options(const ValidateOptions& options) {
    std::vector<Diagnostic> faults;
    const auto refuse = [&faults](bool given, const char* option, const char* why) {
        if (given) {
            faults.push_back({"", 0, 0, option, why});
        }
    };
    refuse(!options.arch.arch.empty() || !options.arch.sets.empty(), "--arch",
           "and --set are not for --published: its index names the products");
    refuse(!options.listings.empty(), "--listings", "is not for --published: its index names them");
    refuse(!options.bands.empty() || !options.write_bands.empty(), "--bands",
           "and --write-bands are not for --published");
    for (const auto& name : options.models) {
        refuse(name == "simulate-sass" || name == "analytic-sass", "--model",
               "with --published analytic, simulate or all: the index says which rows have a listing");
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::usage, std::move(faults));
    }
}

}  // namespace

int validate_published(const ValidateOptions& options) {
    check_published_options(options);
    const auto ladders = read_published(options.published);
    PublishedOptions how;
    how.models = models_of(options);
    how.choice = choice_of(options);
    how.for_each = parallel_runs(options.threads);
    std::optional<OutputStream> rows;  // written as they come
    if (options.rows) {
        rows.emplace(options.output);
        rows->write(published_rows_header());
        how.take = [&rows](const PublishedLadder& ladder, const ComparedLaunch& launch) {
            rows->write(published_row(ladder, launch));
        };
    }
    const auto report = score_published(ladders, how);
    if (options.rows) {
        return exit_ok;
    }
    return write_result(options.output,
                        {[&] { return published_text(report); }, [&] { return published_json(report); },
                         [&] { return published_csv(report); }});
}

}  // namespace gpumodel::cli
