#include "traces/provide/listing_words.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "base/diagnostics.h"
#include "traces/sass/reader/listing_arch.h"

namespace gpumodel {
namespace {

constexpr std::string_view function_mark = "Function : ";

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t");
    const auto last = text.find_last_not_of(" \t\r;");
    return first == std::string_view::npos || last < first ? std::string_view()
                                                           : text.substr(first, last + 1 - first);
}

// The number in "/* 0x... */" at the end of a line.
std::optional<std::uint64_t> encoding_of(std::string_view line) {
    const auto at = line.rfind("/* 0x");
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    std::uint64_t value = 0;
    const auto digits = line.substr(at + 5);
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    return read.ec == std::errc{} ? std::optional(value) : std::nullopt;
}

// "/*0010*/   MOV R1, R2 ;   /* 0x... */": what stands between; empty without an address.
std::optional<std::string_view> instruction_text(std::string_view line) {
    const auto start = line.find("/*");
    const auto end = line.find("*/");
    if (start == std::string_view::npos || end == std::string_view::npos || line[start + 2] == ' ') {
        return std::nullopt;
    }
    return trimmed(line.substr(end + 2, line.rfind("/* 0x") - end - 2));
}

class Collector {
public:
    explicit Collector(const std::string& file) : file_(file) {}

    void line(std::string_view text) {
        ++line_;
        if (const auto at = text.find(function_mark); at != std::string_view::npos) {
            finish();
            functions_.push_back({std::string(trimmed(text.substr(at + function_mark.size()))), arch_, {}});
            open_ = true;
        } else if (text.find("code for ") != std::string_view::npos) {
            arch_ = arch_in(text);
        } else if (trimmed(text).starts_with("......")) {
            finish();
        } else if (open_) {
            code(text);
        }
    }

    std::vector<ListedFunction> result() {
        finish();
        return std::move(functions_);
    }

private:
    void code(std::string_view text) {
        const auto encoding = encoding_of(text);
        if (!encoding) {
            return;
        }
        const auto instruction = instruction_text(text);
        const bool wide = isa_of(arch_) == SassIsa::volta;
        if (wide && half_ && !instruction) {
            words().back().high = *encoding;
            half_ = false;
            return;
        }
        check_whole();
        words().push_back({std::string(instruction.value_or("")), *encoding, 0});
        half_ = wide;
    }

    void check_whole() const {
        if (half_) {
            throw InputError(InputErrorKind::invalid_input,
                             {{file_, line_, 1, "encoding", "the second half of an instruction is missing"}});
        }
    }

    void finish() {
        check_whole();
        open_ = false;
    }

    std::vector<ListedWord>& words() { return functions_.back().words; }

    const std::string& file_;
    std::vector<ListedFunction> functions_;
    std::string arch_;
    int line_ = 0;
    bool open_ = false;
    bool half_ = false;  // of a 16-byte instruction
};

}  // namespace

std::vector<ListedFunction> functions_of(std::string_view listing, const std::string& file) {
    Collector collector(file);
    while (!listing.empty()) {
        const auto end = std::min(listing.find('\n'), listing.size());
        collector.line(listing.substr(0, end));
        listing.remove_prefix(std::min(end + 1, listing.size()));
    }
    return collector.result();
}

std::string listing_text(const ListedFunction& function) {
    const bool wide = isa_of(function.arch) == SassIsa::volta;
    const std::size_t bytes = wide ? 16 : 8;
    auto text = fmt::format("\tcode for {}\n\t\tFunction : {}\n", function.arch, function.name);
    auto out = std::back_inserter(text);
    for (std::size_t i = 0; i < function.words.size(); ++i) {
        const auto& word = function.words[i];
        if (word.text.empty()) {
            fmt::format_to(out, "        /* {:#018x} */\n", word.low);
        } else {
            fmt::format_to(out, "        /*{:04x}*/ {} ; /* {:#018x} */\n", i * bytes, word.text, word.low);
        }
        if (wide) {
            fmt::format_to(out, "        /* {:#018x} */\n", word.high);
        }
    }
    return text + "\t\t..........\n";
}

}  // namespace gpumodel
