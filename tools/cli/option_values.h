// Options that are read as text and checked by the subcommand, so that all their faults are reported
// at once instead of the first one only.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "arch_specs/arch_spec.h"
#include "base/diagnostics.h"
#include "tools/cli/command.h"

namespace gpumodel::cli {

// Where a value was written: an option's name, or a file's line and column with the column's name.
struct ValuePlace {
    std::string file;
    int line = 0;
    int column = 0;
    std::string key;
};

struct NumberRange {
    std::int64_t lowest = 0;
    std::int64_t highest = std::numeric_limits<int>::max();
};
inline constexpr NumberRange at_least_one{1};

class OptionFaults {
public:
    void add(const ValuePlace& place, const std::string& message);
    void add(const std::string& option, const std::string& message) {
        add(ValuePlace{"", 0, 0, option}, message);
    }

    // A decimal or 0x number within the range; empty, with a fault, for anything else.
    [[nodiscard]] std::optional<std::int64_t> whole_number(const std::string& text, const ValuePlace& place,
                                                           NumberRange range = {});
    [[nodiscard]] std::optional<std::int64_t> whole_number(const std::string& text, const std::string& option,
                                                           NumberRange range = {});
    // `fallback` when the option was not given ("").
    [[nodiscard]] std::int64_t number_or(const std::string& text, const std::string& option,
                                         std::int64_t fallback, NumberRange range = {});

    // The text's place among `names`; 0, with a fault, if it is none of them.
    [[nodiscard]] std::size_t one_of(const std::string& text, const std::vector<std::string>& names,
                                     const std::string& option);

    // "X", "X,Y" or "X,Y,Z", each from `lowest` to its own of `highest`; what is left out is `lowest`. Empty,
    // with faults, for anything else.
    [[nodiscard]] std::optional<std::array<std::int64_t, 3>> dimensions(
        const std::string& text, const std::string& option, std::int64_t lowest,
        const std::array<std::int64_t, 3>& highest);

    // Loads the spec; its usage faults (no --arch, unknown name, bad --set) join the list, and a default spec
    // is returned. A bad spec file throws at once, as it exits with another code.
    [[nodiscard]] ArchSpec load_arch(const ArchOptions& options);

    // Does the work; its usage faults join the list, other errors pass through.
    void collect(const std::function<void()>& work);

    // Throws InputError (usage) with everything collected, if anything was.
    void throw_if_any();

    [[nodiscard]] bool any() const { return !faults_.empty(); }

private:
    std::vector<Diagnostic> faults_;
};

// A page of HTML goes to a file or a pipe; `option` asked for it.
void refuse_page_on_terminal(const OutputOptions& output, const std::string& option, OptionFaults& faults);

}  // namespace gpumodel::cli
