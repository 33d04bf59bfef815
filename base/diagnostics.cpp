#include "base/diagnostics.h"

#include <algorithm>
#include <utility>

#include "base/printable.h"

namespace gpumodel {

namespace {

constexpr std::size_t longest_key = 200;  // ours have at most 50 characters; binary files yield longer ones

std::string joined(const std::vector<Diagnostic>& diagnostics) {
    std::string text;
    for (const auto& diagnostic : diagnostics) {
        text.append(text.empty() ? "" : "\n").append(to_string(diagnostic));
    }
    return text;
}

// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours cost 1 each.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before_last(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) {
        row[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        before_last.swap(last);
        last.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substitution = a[i - 1] == b[j - 1] ? 0 : 1;
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + substitution});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before_last[j - 2] + 1);
            }
        }
    }
    return row[b.size()];
}

}  // namespace

std::string to_string(const Diagnostic& diagnostic) {
    std::string text = diagnostic.file;
    if (diagnostic.line > 0) {
        text.append(":").append(std::to_string(diagnostic.line));
        if (diagnostic.column > 0) {
            text.append(":").append(std::to_string(diagnostic.column));
        }
    }
    const auto& key = diagnostic.key;
    const auto short_key = key.size() > longest_key ? key.substr(0, longest_key) + "..." : key;
    for (const auto& part : {short_key, diagnostic.message}) {
        if (!part.empty()) {
            text.append(text.empty() ? "" : ": ").append(part);
        }
    }
    return safe_to_print(text);
}

InputError::InputError(InputErrorKind kind, std::vector<Diagnostic> diagnostics)
    : std::runtime_error(joined(diagnostics)), kind_(kind), diagnostics_(std::move(diagnostics)) {}

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
    // Longer input cannot be a slip of the finger for any of our names; comparing it would only cost time.
    constexpr std::size_t longest_plausible_name = 200;
    if (name.size() > longest_plausible_name) {
        return "";
    }
    std::size_t best_distance = std::max<std::size_t>(2, name.size() / 3) + 1;
    std::string best;
    for (const auto& candidate : candidates) {
        const auto distance = edit_distance(name, candidate);
        if (distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string nearest_hint(std::string_view name, std::span<const std::string> candidates) {
    const auto nearest = nearest_name(name, candidates);
    return nearest.empty() ? nearest : std::string("; nearest: ").append(nearest);
}

}  // namespace gpumodel
