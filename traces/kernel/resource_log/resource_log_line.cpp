#include "traces/kernel/resource_log/resource_log_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace gpumodel {

namespace {

// No generation has more registers per thread, nor more barriers than fit a count of this size (CUDA
// programming guide, technical specifications per compute capability).
constexpr std::int64_t max_count = 255;
constexpr std::int64_t max_bytes = std::int64_t{1} << 32;  // above any shared or local memory

// Reads a line from left to right; throws LogLineFault at the place where it is not as expected.
class Scanner {
public:
    explicit Scanner(std::string_view line) : line_(line) { skip_spaces(); }

    [[nodiscard]] bool at_end() const { return at_ >= line_.size(); }
    [[nodiscard]] int column() const { return static_cast<int>(at_) + 1; }
    [[nodiscard]] bool at_digit() const { return !at_end() && line_[at_] >= '0' && line_[at_] <= '9'; }

    bool accept(std::string_view text) {
        if (!line_.substr(at_).starts_with(text)) {
            return false;
        }
        at_ += text.size();
        return true;
    }

    void expect(std::string_view text) {
        if (!accept(text)) {
            throw LogLineFault{column(), fmt::format("expected `{}`", text)};
        }
    }

    // Up to and without the next of `stops`, or to the end.
    std::string_view take_until(std::string_view stops) {
        const std::size_t begin = std::exchange(at_, std::min(line_.find_first_of(stops, at_), line_.size()));
        return line_.substr(begin, at_ - begin);
    }

    std::int64_t number(std::string_view what, std::int64_t max) {
        const int begin = column();
        std::int64_t value = 0;
        const char* const last = line_.data() + line_.size();
        const auto [end, error] = std::from_chars(line_.data() + at_, last, value);
        if (!at_digit() || error == std::errc::invalid_argument) {
            throw LogLineFault{begin, fmt::format("expected {}", what)};
        }
        if (error != std::errc{} || value > max) {
            throw LogLineFault{begin, fmt::format("{} above {}", what, max)};
        }
        at_ = static_cast<std::size_t>(end - line_.data());
        return value;
    }

    void skip_spaces() { at_ = std::min(line_.find_first_not_of(" \t", at_), line_.size()); }

private:
    std::string_view line_;
    std::size_t at_ = 0;
};

int count(Scanner& scan, std::string_view what) {
    return static_cast<int>(scan.number(what, max_count));
}

EntryLine entry_line(Scanner& scan) {
    EntryLine line;
    scan.expect(" '");
    line.column = scan.column();
    line.name = scan.take_until("'");
    scan.expect("' for '");
    line.target = scan.take_until("'");
    scan.expect("'");
    return line;
}

// "6144" or "6144+16" bytes, the latter with the system's share
std::int64_t shared_bytes(Scanner& scan) {
    std::int64_t bytes = scan.number("a number of bytes", max_bytes);
    if (scan.accept("+")) {
        bytes += scan.number("a number of bytes", max_bytes);
    }
    return bytes;
}

// After "Used ": items "63 registers", "used 1 barriers", "11264 bytes smem"; others are skipped.
UsageLine ptxas_usage(Scanner& scan) {
    UsageLine line{.column = scan.column()};
    line.registers = count(scan, "a register count");
    scan.expect(" registers");
    while (scan.accept(",")) {
        scan.skip_spaces();
        if (scan.accept("used ")) {
            const int barriers = count(scan, "a barrier count");
            scan.expect(" barriers");
            line.barriers = barriers;
            continue;
        }
        if (scan.at_digit()) {
            const std::int64_t bytes = shared_bytes(scan);
            if (scan.accept(" bytes smem")) {
                line.shared_bytes = bytes;
            }
        }
        static_cast<void>(scan.take_until(","));
    }
    if (!scan.at_end()) {
        throw LogLineFault{scan.column(), "expected `,`"};
    }
    return line;
}

LogLine ptxas_line(Scanner& scan) {
    if (!(scan.accept("ptxas info") || scan.accept("ptxas : info"))) {
        return OtherLine{};
    }
    scan.skip_spaces();
    if (!scan.accept(":")) {
        return OtherLine{};
    }
    scan.skip_spaces();
    if (scan.accept("Compiling entry function")) {
        return entry_line(scan);
    }
    if (scan.accept("Function properties for ")) {
        return PropertiesLine{std::string(scan.take_until(" "))};
    }
    if (scan.accept("Used ")) {
        return ptxas_usage(scan);
    }
    return OtherLine{};
}

// "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"
LogLine spill_line(Scanner& scan) {
    SpillLine line;
    line.stack_bytes = scan.number("a number of bytes", max_bytes);
    scan.expect(" bytes stack frame, ");
    line.store_bytes = scan.number("a number of bytes", max_bytes);
    scan.expect(" bytes spill stores, ");
    line.load_bytes = scan.number("a number of bytes", max_bytes);
    scan.expect(" bytes spill loads");
    return line;
}

// "REG:40 STACK:0 SHARED:8192 LOCAL:0 CONSTANT[0]:380 TEXTURE:0"; the order of the items is free
UsageLine cuobjdump_usage(Scanner& scan) {
    UsageLine line{.column = scan.column()};
    while (!scan.at_end()) {
        if (scan.accept("REG:")) {
            line.registers = count(scan, "a register count");
        } else if (scan.accept("SHARED:")) {
            line.shared_bytes = scan.number("a number of bytes", max_bytes);
        } else if (scan.accept("STACK:") || scan.accept("LOCAL:")) {
            line.stack_bytes += scan.number("a number of bytes", max_bytes);
        } else {
            static_cast<void>(scan.take_until(":"));
            scan.expect(":");
            static_cast<void>(scan.number("a number", max_bytes));
        }
        if (!scan.at_end()) {
            scan.expect(" ");
        }
        scan.skip_spaces();
    }
    return line;
}

LogLine cuobjdump_line(Scanner& scan, std::string_view text) {
    if (text.starts_with("REG:")) {
        return cuobjdump_usage(scan);
    }
    if (scan.accept("arch = ")) {
        return ArchLine{std::string(scan.take_until(" "))};
    }
    // Only the last colon ends the name: a demangled one holds colons of its own.
    if (text.ends_with(":") && scan.accept("Function ")) {
        const int column = scan.column();
        const std::string_view name = text.substr(9, text.size() - 10);
        return FunctionLine{std::string(name), column};
    }
    return OtherLine{};
}

}  // namespace

LogLine parse_log_line(std::string_view line) {
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    const std::string_view text = line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
    Scanner scan(line);
    try {
        if (text.starts_with("ptxas")) {
            return ptxas_line(scan);
        }
        if (text.find(" bytes stack frame,") != std::string_view::npos) {
            return spill_line(scan);
        }
        return cuobjdump_line(scan, text);
    } catch (LogLineFault& fault) {
        return std::move(fault);
    }
}

}  // namespace gpumodel
