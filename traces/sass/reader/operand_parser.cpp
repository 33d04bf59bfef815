#include "traces/sass/reader/operand_parser.h"

#include <charconv>
#include <cmath>

#include "traces/sass/reader/register_name.h"
#include "traces/sass/reader/text_scan.h"

namespace gpumodel {

namespace {

using Result = std::variant<SassOperand, OperandFault>;

OperandFault fault(std::size_t offset, std::string message) {
    return {offset, std::move(message)};
}

std::optional<int> scale_of(std::string_view suffix) {
    if (suffix == "X4" || suffix == "X8") {
        return suffix[1] - '0';
    }
    return suffix == "X16" ? std::optional<int>(16) : std::nullopt;
}

// One summand of an address: a register with suffixes, or an offset.
std::optional<OperandFault> add_term(SassOperand& operand, std::string_view term, bool negative,
                                     std::size_t offset) {
    if (const auto number = parse_integer_literal(term)) {
        if (operand.value != 0) {
            return fault(offset, "a second offset in one address");
        }
        const auto value = static_cast<std::int64_t>(*number);
        operand.value = negative ? -value : value;
        return std::nullopt;
    }
    const auto parts = split(term, '.');
    OperandKind kind{};
    int index = 0;
    if (negative || match_register(parts.front(), kind, index) != NameFit::fits ||
        (kind != OperandKind::reg && kind != OperandKind::uniform_reg)) {
        return fault(offset, "expected a register or an offset, got '" + excerpt(term) + "'");
    }
    int& slot = kind == OperandKind::reg ? operand.base : operand.uniform;
    if (slot != sass_no_register) {
        return fault(offset, "a second register of the same file in one address");
    }
    slot = index;
    for (std::size_t i = 1; i < parts.size(); ++i) {
        if (const auto scale = scale_of(parts[i])) {
            operand.scale = *scale;
        } else if (parts[i] == "64" && kind == OperandKind::reg) {
            operand.wide_address = true;
        } else if (parts[i] == "reuse") {
            operand.reuse = true;
        } else {
            operand.text.append(operand.text.empty() ? "" : ".").append(parts[i]);
        }
    }
    return std::nullopt;
}

// "R36.X4+UR5+-0x10": summands between plus signs; a minus may stand before an offset.
std::optional<OperandFault> add_terms(SassOperand& operand, std::string_view text, std::size_t offset) {
    if (text.empty()) {
        return fault(offset, "empty address");
    }
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const auto end = std::min(text.find('+', begin), text.size());
        auto term = trim(text.substr(begin, end - begin));
        const bool negative = term.starts_with('-');
        if (auto bad = add_term(operand, negative ? term.substr(1) : term, negative, offset + begin)) {
            return bad;
        }
        begin = end + 1;
    }
    return std::nullopt;
}

// Contents of the bracket pair that opens at `text[open]`; advances `open` behind it.
std::optional<std::string_view> bracketed(std::string_view text, std::size_t& open) {
    if (open >= text.size() || text[open] != '[') {
        return std::nullopt;
    }
    const auto close = text.find(']', open);
    if (close == std::string_view::npos) {
        return std::nullopt;
    }
    const auto inside = text.substr(open + 1, close - open - 1);
    open = close + 1;
    return inside;
}

Result parse_memory(std::string_view text, std::size_t open, SassOperand operand) {
    operand.kind = OperandKind::memory;
    const auto start = open + 1;
    const auto inside = bracketed(text, open);
    if (!inside) {
        return fault(start - 1, "missing ']'");
    }
    if (open != text.size()) {
        return fault(open, "text after ']'");
    }
    if (auto bad = add_terms(operand, *inside, start)) {
        return *bad;
    }
    return operand;
}

// gdesc[UR4].tnspB: the uniform registers with the descriptors of matrices in shared memory.
Result parse_matrix_descriptor(std::string_view inside, std::size_t offset, std::string_view suffix,
                               SassOperand operand) {
    if (match_register(inside, operand.kind, operand.index) != NameFit::fits ||
        operand.kind != OperandKind::uniform_reg) {
        return fault(offset, "expected a uniform register, got '" + excerpt(inside) + "'");
    }
    operand.text = std::string(matrix_descriptor_text) + std::string(suffix);
    return operand;
}

// c[bank][offset]; the bank is a number or a uniform register.
Result parse_constant(std::string_view text, std::size_t open, SassOperand operand) {
    operand.kind = OperandKind::constant;
    const auto start = open;
    const auto bank = bracketed(text, open);
    while (bank && open < text.size() && text[open] == ' ') {
        ++open;  // conversions of constants are printed as c[0x0] [0x158]
    }
    const auto offset_start = open + 1;
    const auto offset = bank ? bracketed(text, open) : std::nullopt;
    if (!offset) {
        return fault(start, "expected c[bank][offset]");
    }
    SassOperand handle;
    if (auto bad = add_terms(handle, *bank, start + 1)) {
        return *bad;
    }
    // Constant banks: 18 at most (CUDA binary utilities list c[0x0] ... c[0x11]).
    constexpr std::int64_t bank_count = 18;
    if (handle.base != sass_no_register || handle.value < 0 || handle.value >= bank_count) {
        return fault(start + 1, "constant bank out of range 0 to 0x11");
    }
    operand.bank = static_cast<int>(handle.value);
    if (auto bad = add_terms(operand, *offset, offset_start)) {
        return *bad;
    }
    if (operand.uniform != sass_no_register) {
        operand.uniform_base = operand.uniform != sass_urz;
        operand.base = operand.uniform_base ? operand.uniform : operand.base;
    }
    operand.uniform = handle.uniform;
    const auto suffix = text.substr(open);
    if (!suffix.empty() && !suffix.starts_with('.')) {
        return fault(open, "text after ']'");
    }
    operand.text = suffix.empty() ? suffix : suffix.substr(1);
    return operand;
}

Result number_operand(std::string_view text, std::size_t offset, SassOperand operand) {
    const auto digits = text.substr(offset);
    if (digits.starts_with("0x")) {
        const auto number = parse_integer_literal(digits);
        if (!number) {
            return fault(offset, "bad hexadecimal number '" + excerpt(digits) + "'");
        }
        operand.kind = OperandKind::integer;
        const auto value = static_cast<std::int64_t>(*number);
        operand.value = operand.negated ? -value : value;
        operand.negated = false;
        return operand;
    }
    double number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool whole = end == digits.data() + digits.size();
    if (error != std::errc{} || !std::isfinite(number)) {
        return fault(offset, "bad number '" + excerpt(digits) + "'");
    }
    if (!whole) {
        operand.text = digits;  // "2D": a texture shape
        return operand;
    }
    operand.kind = OperandKind::number;
    operand.number = operand.negated ? -number : number;
    operand.negated = false;
    return operand;
}

Result parse_name(std::string_view text, std::size_t offset, SassOperand operand) {
    const auto name = text.substr(offset);
    const auto parts = split(name, '.');
    if (parts.front() == "INF" || parts.front() == "QNAN" || parts.front() == "SNAN") {
        operand.kind = OperandKind::number;
        operand.number = parts.front() == "INF" ? HUGE_VAL : std::nan("");
        operand.number = operand.negated ? -operand.number : operand.number;
        operand.negated = false;
        return operand;
    }
    switch (match_register(parts.front(), operand.kind, operand.index)) {
        case NameFit::out_of_range:
            return fault(offset, "no register '" + excerpt(parts.front()) + "'");
        case NameFit::none:
            operand.kind = name.starts_with("SR") ? OperandKind::special_reg : OperandKind::other;
            operand.text = name;
            return operand;
        case NameFit::fits:
            break;
    }
    for (std::size_t i = 1; i < parts.size(); ++i) {
        if (parts[i] == "reuse") {
            operand.reuse = true;
        } else if (parts[i] == "CC") {
            operand.condition_code = true;
        } else {
            operand.text.append(operand.text.empty() ? "" : ".").append(parts[i]);
        }
    }
    return operand;
}

// Signs and bars before the operand proper; drops the closing bar.
std::size_t take_prefix(std::string_view& text, SassOperand& operand) {
    std::size_t at = 0;
    for (; at < text.size(); ++at) {
        if (text[at] == '-') {
            operand.negated = true;
        } else if (text[at] == '~' || text[at] == '!') {
            operand.inverted = true;
        } else if (text[at] == '|') {
            operand.absolute = true;
        } else if (text[at] != '+') {
            break;
        }
    }
    return at;
}

// "|R3.reuse|" and "|R3|.reuse" alike: the closing bar says nothing more.
std::string without_closing_bar(std::string_view text, std::size_t begin, const SassOperand& operand,
                                bool& closed) {
    std::string kept(text);
    const auto bar = operand.absolute ? kept.find('|', begin) : std::string::npos;
    closed = !operand.absolute || bar != std::string::npos;
    if (bar != std::string::npos) {
        kept.erase(bar, 1);
    }
    return kept;
}

}  // namespace

Result parse_operand(std::string_view text) {
    SassOperand operand;
    const auto at = take_prefix(text, operand);
    if (at == text.size()) {
        return fault(0, "empty operand");
    }
    bool closed = true;
    const auto kept = without_closing_bar(text, at, operand, closed);
    if (!closed) {
        return fault(at - 1, "missing closing '|'");
    }
    const std::string_view body = kept;
    const auto open = body.find('[', at);
    const auto head = trim(body.substr(at, open == std::string_view::npos ? 0 : open - at));
    if (open != std::string_view::npos && (head == "c" || head == "cx")) {
        return parse_constant(body, open, operand);
    }
    if (open != std::string_view::npos && (head == "desc" || head == "gdesc")) {
        // The descriptor says how to cache, not where: desc[UR4][R2.64].
        std::size_t second = open;
        const auto registers = bracketed(body, second);
        if (registers && head == "gdesc" && (second >= body.size() || body[second] == '.')) {
            return parse_matrix_descriptor(*registers, open + 1, body.substr(second), operand);
        }
        if (!registers || second >= body.size()) {
            return fault(open, "expected desc[UR][address]");
        }
        return parse_memory(body, second, operand);
    }
    if (body[at] == '[') {
        return parse_memory(body, at, operand);
    }
    if (body[at] >= '0' && body[at] <= '9') {
        return number_operand(body, at, operand);
    }
    if (body.find_first_of("[]", at) != std::string_view::npos) {
        return fault(at, "brackets do not fit '" + excerpt(body) + "'");
    }
    return parse_name(body, at, operand);
}

std::optional<SassGuard> parse_guard(std::string_view text) {
    SassGuard guard;
    guard.negated = text.starts_with('!');
    OperandKind kind{};
    const auto fit = match_register(guard.negated ? text.substr(1) : text, kind, guard.predicate);
    if (fit != NameFit::fits || (kind != OperandKind::predicate && kind != OperandKind::uniform_predicate)) {
        return std::nullopt;
    }
    guard.uniform = kind == OperandKind::uniform_predicate;
    return guard;
}

}  // namespace gpumodel
