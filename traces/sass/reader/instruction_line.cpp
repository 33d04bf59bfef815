#include "traces/sass/reader/instruction_line.h"

#include "traces/sass/reader/operand_parser.h"
#include "traces/sass/reader/text_scan.h"

namespace gpumodel {

namespace {

constexpr std::size_t encoding_digits = 16;

// Column of `part`, a piece of `line`.
int column_of(std::string_view line, std::string_view part) {
    return static_cast<int>(part.data() - line.data()) + 1;
}

// Text between `/*` and `*/` at the start of `rest`; moves `rest` behind it.
std::optional<std::string_view> take_comment(std::string_view& rest) {
    if (!rest.starts_with("/*")) {
        return std::nullopt;
    }
    const auto end = rest.find("*/", 2);
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    const auto inside = rest.substr(2, end - 2);
    rest.remove_prefix(end + 2);
    return inside;
}

std::optional<std::uint64_t> encoding_word(std::string_view comment) {
    const auto text = trim(comment);
    if (text.size() != encoding_digits + 2 || !text.starts_with("0x")) {
        return std::nullopt;
    }
    return parse_number<std::uint64_t>(text.substr(2), 16);
}

bool is_mnemonic(std::string_view text) {
    const auto upper = [](char c) { return c >= 'A' && c <= 'Z'; };
    const auto fits = [&](char c) {
        return upper(c) || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '_' || c == '.';
    };
    if (text.empty() || !upper(text.front()) || text.back() == '.') {
        return false;
    }
    for (const char c : text) {
        if (!fits(c)) {
            return false;
        }
    }
    return text.find("..") == std::string_view::npos;
}

std::string_view take_word(std::string_view& rest) {
    rest = trim(rest);
    const auto end = std::min(rest.find_first_of(" \t"), rest.size());
    const auto word = rest.substr(0, end);
    rest.remove_prefix(end);
    return word;
}

// Splits at commas outside brackets and braces.
std::vector<std::string_view> split_operands(std::string_view text) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        depth += c == '[' || c == '{' || c == '(' ? 1 : 0;
        depth -= c == ']' || c == '}' || c == ')' ? 1 : 0;
        if (c == ',' && depth <= 0) {
            parts.push_back(text.substr(begin, i - begin));
            begin = i + 1;
        }
    }
    parts.push_back(text.substr(begin));
    return parts;
}

class LineParser {
public:
    LineParser(std::string_view line, std::vector<LineFault>& faults) : line_(line), faults_(faults) {}

    std::optional<InstructionLine> parse() {
        const auto before = faults_.size();
        std::string_view rest = trim(line_);
        InstructionLine result;
        if (!parse_address(rest, result.instruction)) {
            return std::nullopt;
        }
        const auto end = rest.find(';');
        if (end == std::string_view::npos) {
            if (rest.ends_with(" }")) {
                parse_body(rest.substr(0, rest.size() - 2), result.instruction);
                result.encoding_follows = true;
                return faults_.size() == before ? std::optional(std::move(result)) : std::nullopt;
            }
            add(rest.empty() ? line_ : rest, "instruction", "expected ';' after the instruction");
            return std::nullopt;
        }
        parse_body(rest.substr(0, end), result.instruction);
        parse_tail(rest.substr(end + 1), result);
        return faults_.size() == before ? std::optional(std::move(result)) : std::nullopt;
    }

private:
    void add(std::string_view where, std::string key, std::string message, std::size_t offset = 0) {
        faults_.push_back(
            {column_of(line_, where) + static_cast<int>(offset), std::move(key), std::move(message)});
    }

    bool parse_address(std::string_view& rest, SassInstruction& instruction) {
        const auto start = rest;
        const auto comment = take_comment(rest);
        const auto address = comment ? parse_number<std::uint64_t>(trim(*comment), 16) : std::nullopt;
        // Code of one function is far below 4 GiB; a larger address is damage.
        constexpr std::uint64_t address_end = std::uint64_t{1} << 32;
        if (!address || *address >= address_end) {
            add(start, "address", "expected an address as /*0010*/, below 2^32");
            return false;
        }
        instruction.address = *address;
        return true;
    }

    void parse_body(std::string_view body, SassInstruction& instruction) {
        body = trim(body);
        if (body.starts_with('{')) {  // some releases mark Kepler's pairs by braces
            body = trim(body.substr(1));
        }
        instruction.printed = body;
        if (body.starts_with('@')) {
            const auto word = take_word(body);
            if (const auto guard = parse_guard(word.substr(1))) {
                instruction.guard = *guard;
            } else {
                add(word, "guard", "expected @P0 ... @P6, @PT or @UP0 ..., got '" + excerpt(word) + "'");
            }
        }
        parse_annotations(body, instruction.control);
        const auto mnemonic = take_word(body);
        if (!is_mnemonic(mnemonic)) {
            add(mnemonic.empty() ? line_ : mnemonic, "opcode",
                "expected a mnemonic, got '" + excerpt(mnemonic) + "'");
            return;
        }
        instruction.column = column_of(line_, mnemonic);
        const auto parts = split(mnemonic, '.');
        instruction.opcode = parts.front();
        instruction.modifiers.assign(parts.begin() + 1, parts.end());
        parse_operands(trim(body), instruction);
    }

    // "&req={0,1} &wr=0x2 ?WAIT5_END_GROUP" behind the operands: what CUDA 13 prints of the control
    // information. Where an encoding stands too, that one counts.
    void parse_annotations(std::string_view& body, SassControl& control) {
        const auto begin = body.find_first_of("&?");
        if (begin == std::string_view::npos) {
            return;
        }
        auto rest = body.substr(begin);
        body = trim(body.substr(0, begin));
        while (!trim(rest).empty()) {
            const auto word = take_word(rest);
            if (!parse_annotation(word, control)) {
                add(word, "annotation", "expected &req={0,1}, &wr=0x0, &rd=0x0, ?trans1 or ?WAIT5_END_GROUP");
                return;
            }
        }
        control.known = true;
    }

    static bool parse_annotation(std::string_view word, SassControl& control) {
        constexpr std::uint64_t scoreboards = 6;
        const auto number = [&](std::string_view prefix) {
            return word.starts_with(prefix) ? parse_integer_literal(word.substr(prefix.size()))
                                            : std::nullopt;
        };
        if (const auto board = number("&wr="); board && *board < scoreboards) {
            control.write_barrier = static_cast<int>(*board);
            return true;
        }
        if (const auto board = number("&rd="); board && *board < scoreboards) {
            control.read_barrier = static_cast<int>(*board);
            return true;
        }
        if (word.starts_with("&req={") && word.ends_with('}')) {
            for (const auto part : split(word.substr(6, word.size() - 7), ',')) {
                const auto board = parse_number<std::uint64_t>(part);
                if (!board || *board >= scoreboards) {
                    return false;
                }
                control.wait_mask |= 1U << *board;
            }
            return true;
        }
        return parse_stall(word, control);
    }

    // "?trans4" and "?WAIT4_END_GROUP": cycles until the warp's next instruction.
    static bool parse_stall(std::string_view word, SassControl& control) {
        if (!word.starts_with('?')) {
            return false;
        }
        const auto digits = word.find_first_of("0123456789");
        if (digits == std::string_view::npos) {
            return true;  // another hint of the scheduler's
        }
        const auto end = std::min(word.find_first_not_of("0123456789", digits), word.size());
        const auto cycles = parse_number<std::uint64_t>(word.substr(digits, end - digits));
        constexpr std::uint64_t longest = 15;
        control.stall = cycles && *cycles <= longest ? static_cast<int>(*cycles) : control.stall;
        return cycles && *cycles <= longest;
    }

    void parse_operands(std::string_view text, SassInstruction& instruction) {
        if (text.empty()) {
            return;
        }
        for (const auto part : split_operands(text)) {
            const auto operand_text = trim(part);
            if (operand_text.empty()) {
                add(part.data() == nullptr ? line_ : part, "operand", "empty operand");
                continue;
            }
            auto operand = parse_operand(operand_text);
            if (const auto* fault = std::get_if<OperandFault>(&operand)) {
                add(operand_text, "operand", fault->message, fault->offset);
                continue;
            }
            instruction.operands.push_back(std::move(std::get<SassOperand>(operand)));
            instruction.operands.back().column = column_of(line_, operand_text);
        }
    }

    void parse_tail(std::string_view rest, InstructionLine& result) {
        rest = trim(rest);
        if (rest.starts_with('}')) {
            rest = trim(rest.substr(1));
        }
        if (rest.empty()) {
            return;
        }
        const auto start = rest;
        const auto comment = take_comment(rest);
        result.encoding = comment ? encoding_word(*comment) : std::nullopt;
        if (!result.encoding || !trim(rest).empty()) {
            add(start, "encoding", "expected /* 0x and 16 hexadecimal digits */");
        }
    }

    std::string_view line_;
    std::vector<LineFault>& faults_;
};

}  // namespace

bool looks_like_encoding(std::string_view line) {
    return trim(line).starts_with("/* ");
}

std::optional<std::uint64_t> parse_encoding_line(std::string_view line) {
    auto rest = trim(line);
    const auto comment = take_comment(rest);
    return comment && rest.empty() ? encoding_word(*comment) : std::nullopt;
}

std::optional<InstructionLine> parse_instruction_line(std::string_view line, std::vector<LineFault>& faults) {
    return LineParser(line, faults).parse();
}

}  // namespace gpumodel
