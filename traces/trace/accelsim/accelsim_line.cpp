#include "traces/trace/accelsim/accelsim_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>

#include "base/parse.h"
#include "traces/trace/accelsim/accelsim_limits.h"

namespace gpumodel {

namespace {

constexpr std::size_t max_instructions = 1 << 20;  // of one kernel; the largest compiled ones have 100,000

struct Malformed {
    std::size_t column = 0;  // 0-based
    std::string message;
};

}  // namespace

class AccelSimTable::Scanner {
public:
    explicit Scanner(std::string_view line) : line_(line) {}

    [[nodiscard]] std::size_t at() const { return at_; }
    void move_to(std::size_t at) { at_ = at; }
    [[nodiscard]] std::string_view rest() const { return line_.substr(at_); }
    [[nodiscard]] std::string_view between(std::size_t begin, std::size_t end) const {
        return line_.substr(begin, end - begin);
    }
    void skip_blanks() {
        while (at_ < line_.size() && blank(line_[at_])) {
            ++at_;
        }
    }
    [[nodiscard]] bool at_end() {
        skip_blanks();
        return at_ == line_.size();
    }

    std::string_view word(std::string_view what) {
        skip_blanks();
        const auto begin = at_;
        while (at_ < line_.size() && !blank(line_[at_])) {
            ++at_;
        }
        if (at_ == begin) {
            throw Malformed{begin, fmt::format("expected {}, found the end of the line", what)};
        }
        return between(begin, at_);
    }

    template <typename Value>
    Value value(std::string_view what, int base, std::string_view prefix = "") {
        auto text = word(what);
        const auto begin = at_ - text.size();
        if (!text.starts_with(prefix)) {
            throw Malformed{begin,
                            fmt::format("expected {}, '{}' does not begin with {}", what, text, prefix)};
        }
        text.remove_prefix(prefix.size());
        const auto result = parse_number<Value>(text, base);
        if (!result) {
            throw Malformed{begin, fmt::format("expected {}, found '{}'", what, text)};
        }
        return *result;
    }

    int number_in(int low, int high, std::string_view what, std::string_view prefix = "") {
        skip_blanks();
        const auto begin = at_;
        const auto result = value<int>(what, 10, prefix);
        if (result < low || result > high) {
            throw Malformed{begin, fmt::format("{} is {}, allowed {} to {}", what, result, low, high)};
        }
        return result;
    }

    std::int64_t address() { return checked(value<std::uint64_t>("an address 0x...", 16, "0x")); }
    [[nodiscard]] std::int64_t checked(std::uint64_t bits) const {
        const auto result = static_cast<std::int64_t>(bits);
        if (result < 0 || result > max_address) {
            throw Malformed{at_ - 1, "an address above 2^52"};
        }
        return result;
    }

private:
    static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

    std::string_view line_;
    std::size_t at_ = 0;
};

namespace {

void listed(auto& scan, AccelSimLine& out) {
    for (std::size_t lane = 0; lane < 32; ++lane) {
        if ((out.mask >> lane & 1) != 0) {
            out.address[lane] = scan.address();
        }
    }
}

// One run of lanes; base and stride stand for the first of them and on.
void strided(auto& scan, AccelSimLine& out) {
    const auto base = scan.address();
    const auto stride = scan.template value<std::int32_t>("a stride", 10);
    if (out.mask == 0) {
        return;
    }
    const auto first = static_cast<std::size_t>(std::countr_zero(out.mask));
    const auto run = static_cast<std::size_t>(std::countr_one(out.mask >> first));
    if (run != static_cast<std::size_t>(std::popcount(out.mask))) {
        throw Malformed{scan.at() - 1, "base and stride for lanes that are not one run"};
    }
    auto address = static_cast<std::uint64_t>(base);
    for (std::size_t lane = first; lane < first + run; ++lane) {
        out.address[lane] = scan.checked(address);
        address += static_cast<std::uint64_t>(std::int64_t{stride});
    }
}

// Accel-Sim's own reader takes one number more, so that `imm` is lost to it; the tracer writes as many as
// here.
void differences(auto& scan, AccelSimLine& out) {
    auto address = scan.address();
    bool first = true;
    for (std::size_t lane = 0; lane < 32; ++lane) {
        if ((out.mask >> lane & 1) == 0) {
            continue;
        }
        if (!first) {
            const auto step = scan.template value<std::int64_t>("a difference of addresses", 10);
            address = scan.checked(static_cast<std::uint64_t>(address) + static_cast<std::uint64_t>(step));
        }
        first = false;
        out.address[lane] = address;
    }
}

void addresses(auto& scan, AccelSimLine& out) {
    switch (scan.number_in(0, 2, "address mode")) {
        case 0:
            return listed(scan, out);
        case 1:
            return strided(scan, out);
        default:
            return differences(scan, out);
    }
}

}  // namespace

// `scan` stands at the PC. The instruction whose text this is, with `scan` behind it; -1 if it is new.
int AccelSimTable::find(Scanner& scan) {
    const auto rest = scan.rest();
    const auto is = [&](int id) {
        const auto& known = instructions_[static_cast<std::size_t>(id)];
        const auto tail = known.pc_text.size() + 10;  // blank, mask, blank
        const auto end = tail + known.tail.size();
        return rest.size() >= end && rest.starts_with(known.pc_text) && rest[known.pc_text.size()] == ' ' &&
               rest[tail - 1] == ' ' && rest.substr(tail, known.tail.size()) == known.tail &&
               (rest.size() == end || rest[end] == ' ');
    };
    const int expected = last_ < 0 ? -1 : followers_[static_cast<std::size_t>(last_)];
    if (expected >= 0 && is(expected)) {
        return expected;
    }
    std::uint32_t pc = 0;
    std::from_chars(rest.data(), rest.data() + rest.size(), pc, 16);
    const auto found = by_pc_.find(pc);
    if (found == by_pc_.end()) {
        return -1;
    }
    const auto match = std::find_if(found->second.begin(), found->second.end(), is);
    return match == found->second.end() ? -1 : *match;
}

int AccelSimTable::add(Scanner& scan, int number) {
    if (instructions_.size() == max_instructions) {
        throw Malformed{0, fmt::format("more than {} different instructions", max_instructions)};
    }
    AccelSimStatic item;
    item.first_line = number;
    const auto begin = scan.at();
    item.pc = scan.value<std::uint32_t>("a PC in hexadecimal", 16);
    item.pc_text = std::string(scan.between(begin, scan.at()));
    static_cast<void>(scan.word("the lane mask"));
    scan.skip_blanks();
    const auto tail = scan.at();
    for (int left = scan.number_in(0, 1, "number of results"); left > 0; --left) {
        item.results.push_back(scan.number_in(0, 255, "register", "R"));
    }
    item.opcode = std::string(scan.word("an opcode"));
    for (int left = scan.number_in(0, 5, "number of sources"); left > 0; --left) {
        item.sources.push_back(scan.number_in(0, 255, "register", "R"));
    }
    item.width = scan.number_in(0, 64, "bytes per lane");
    item.tail = std::string(scan.between(tail, scan.at()));
    auto& same_pc = by_pc_[item.pc];
    for (const int known : same_pc) {  // unusual blanks before the tail
        if (instructions_[static_cast<std::size_t>(known)].tail == item.tail) {
            return known;
        }
    }
    constexpr std::size_t max_texts =
        64;  // functions linked into one kernel could share a PC, but not so many
    if (same_pc.size() == max_texts) {
        throw Malformed{0,
                        fmt::format("more than {} different instructions at PC {:04x}", max_texts, item.pc)};
    }
    const int id = static_cast<int>(instructions_.size());
    same_pc.push_back(id);
    instructions_.push_back(std::move(item));
    followers_.push_back(-1);
    return id;
}

bool AccelSimTable::parse(std::string_view line, int number, AccelSimLine& out,
                          std::vector<Diagnostic>& faults, const std::string& file) {
    Scanner scan(line);
    try {
        const int skipped = (layout_.block_fields ? 4 : 0) + (layout_.line_numbers ? 1 : 0);
        for (int i = 0; i < skipped; ++i) {
            static_cast<void>(scan.value<std::int64_t>("a leading number", 10));
        }
        scan.skip_blanks();
        const auto begin = scan.at();
        out.address.fill(0);
        int id = find(scan);
        if (id < 0) {
            id = add(scan, number);
        }
        const auto& item = instructions_[static_cast<std::size_t>(id)];
        scan.move_to(begin);
        static_cast<void>(scan.word("a PC in hexadecimal"));
        const auto after = scan.at();
        const auto mask = scan.word("the lane mask");
        scan.move_to(after);
        out.mask = scan.value<std::uint32_t>("a lane mask of 8 hexadecimal digits", 16);
        if (mask.size() != 8) {
            throw Malformed{scan.at() - mask.size(), "the lane mask has not 8 digits"};
        }
        scan.skip_blanks();
        scan.move_to(scan.at() + item.tail.size());
        if (item.width > 0) {
            addresses(scan, out);
        }
        if (!scan.at_end()) {
            static_cast<void>(scan.value<std::int64_t>("an immediate", 10));
        }
        if (!scan.at_end()) {
            throw Malformed{scan.at(), "text after the immediate"};
        }
        if (last_ >= 0) {
            followers_[static_cast<std::size_t>(last_)] = id;
        }
        last_ = out.instruction = id;
        return true;
    } catch (const Malformed& fault) {
        faults.push_back({file, number, static_cast<int>(fault.column) + 1, "instruction", fault.message});
        return false;
    }
}

}  // namespace gpumodel
