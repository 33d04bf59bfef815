// Bad input is reported all at once. A reader adds one Diagnostic per fault and throws one InputError
// at the end; tools/ prints every line as `path:line:col: key: what, allowed, nearest` and exits with
// the kind's code. Nothing below tools/ prints or exits.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace gpumodel {

struct Diagnostic {
    std::string file;     // "" where there is none; "--set" or "-p" for a command-line value
    int line = 0;         // 1-based, 0 = none
    int column = 0;       // 1-based, 0 = none
    std::string key;      // key path, option or column name
    std::string message;  // what is wrong, the allowed range, the nearest valid name
};

// `path:line:col: key: message`; parts that are absent are left out with their colon. Safe to print: a
// key of more than 200 bytes is cut, control characters and bytes that are no UTF-8 are replaced.
[[nodiscard]] std::string to_string(const Diagnostic& diagnostic);

enum class InputErrorKind : int { usage = 2, invalid_input = 3 };  // values are the exit codes

class InputError : public std::runtime_error {
public:
    InputError(InputErrorKind kind, std::vector<Diagnostic> diagnostics);
    [[nodiscard]] InputErrorKind kind() const { return kind_; }
    [[nodiscard]] const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

private:
    InputErrorKind kind_;
    std::vector<Diagnostic> diagnostics_;
};

// The candidate with the smallest Damerau-Levenshtein distance, "" if none is near (distance above
// max(2, length/3)).
[[nodiscard]] std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

// `; nearest: X` or "".
[[nodiscard]] std::string nearest_hint(std::string_view name, std::span<const std::string> candidates);

}  // namespace gpumodel
