#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/printable.h"
#include "tools/views/prediction/report.h"
#include "tools/views/result_json.h"
#include "tools/views/tune/tune_views.h"

namespace gpumodel::cli::tuning {
namespace {

// "V100 SXM2" -> "V100_SXM2": what may stand in a macro's name.
std::string macro_text(const std::string& text) {
    std::string name;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        name += std::isalnum(byte) != 0 ? static_cast<char>(std::toupper(byte)) : '_';
    }
    return name;
}

// Text that may hold anything, inside of a comment or a string.
std::string harmless(std::string text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool ends_comment = text[i] == '/' && i > 0 && text[i - 1] == '*';
        const bool opens_comment = text[i] == '*' && i > 0 && text[i - 1] == '/';
        const auto byte = static_cast<unsigned char>(text[i]);
        if (ends_comment || opens_comment || byte < ' ' || byte > '~' || text[i] == '\\' || text[i] == '"') {
            text[i] = '_';
        }
    }
    return text;
}

// Of all families, in the order of the first that has it.
std::vector<std::string> all_params(const std::vector<std::string>& kernels) {
    std::vector<std::string> names;
    for (const auto& kernel : kernels) {
        for (const auto& spec : find_family(kernel)->params) {
            if (std::find(names.begin(), names.end(), spec.name) == names.end()) {
                names.push_back(spec.name);
            }
        }
    }
    return names;
}

std::string row_text(const ShapeChoice& choice, const std::vector<std::string>& names) {
    const auto& winner = choice.ranked.front();
    const auto& s = choice.shape;
    auto row = fmt::format("    {{{}, {}, {}, \"{}\"", s.m, s.n, s.k, winner.job.kernel);
    const auto values = resolve_params(*find_family(winner.job.kernel), winner.job.params);
    for (const auto& name : names) {
        const auto found = values.find(name);
        row += fmt::format(", {}", found == values.end() ? 0 : found->second);
    }
    return fmt::format("{}}}, /* {} predicted */\n", row, human_time(winner.shown().time_seconds));
}

constexpr const char* lookup = R"(
/* a / b or b / a, whichever is at least 1. */
static inline double gpumodel_tuned_ratio(long long a, long long b) {{
    return a > b ? (double)a / (double)b : (double)b / (double)a;
}}

/* The entry of the nearest shape: the least |log2(m / M)| + |log2(n / N)| + |log2(k / K)|, which is the
   least product of the ratios; the first of equals. m, n, k of at least 1. */
static inline const struct gpumodel_tuned *gpumodel_tuned_for(long long m, long long n, long long k) {{
    const struct gpumodel_tuned *nearest = &gpumodel_tuned_table[0];
    double least = -1.0;
    int i;
    for (i = 0; i < {count}; ++i) {{
        const struct gpumodel_tuned *entry = &gpumodel_tuned_table[i];
        const double distance = gpumodel_tuned_ratio(m, entry->m) * gpumodel_tuned_ratio(n, entry->n) *
                                gpumodel_tuned_ratio(k, entry->k);
        if (least < 0.0 || distance < least) {{
            least = distance;
            nearest = entry;
        }}
    }}
    return nearest;
}}
)";

}  // namespace

std::string tune_header(const TuneView& view) {
    const auto metadata = report_metadata(view.arch);
    const auto guard =
        fmt::format("GPUMODEL_TUNED_{}_{}_H", macro_text(view.kernels.front()), macro_text(view.arch.name));
    const auto names = all_params(view.kernels);
    auto text = fmt::format(
        "/* Predicted best configurations of {} on {}; not measured.\n   gpumodel {}, spec {}\n   {} */\n"
        "#ifndef {}\n#define {}\n\n",
        fmt::join(view.kernels, ", "), harmless(view.arch.marketing_name), metadata.tool_version,
        metadata.spec_hash, harmless(metadata.command_line), guard, guard);
    text += "struct gpumodel_tuned {\n    long long m, n, k;\n    const char *kernel;\n";
    text += "    /* 0: the kernel has no such parameter, or UNROLL is left to the compiler. */\n";
    for (const auto& name : names) {
        text += fmt::format("    int {};\n", name);
    }
    text += "};\n\nstatic const struct gpumodel_tuned gpumodel_tuned_table[] = {\n";
    std::size_t count = 0;
    for (const auto& choice : view.choices) {
        if (!choice.ranked.empty()) {
            text += row_text(choice, names);
            ++count;
        }
    }
    return text + "};\n" + fmt::format(lookup, fmt::arg("count", count)) +
           fmt::format("\n#endif /* {} */\n", guard);
}

}  // namespace gpumodel::cli::tuning
