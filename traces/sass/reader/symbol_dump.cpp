#include "traces/sass/reader/symbol_dump.h"

#include <algorithm>

#include "traces/sass/reader/text_scan.h"

namespace gpumodel {

namespace {

constexpr std::string_view global_section = ".nv.global";
constexpr std::string_view initialised_section = ".nv.global.init";
constexpr std::string_view constant_section = ".nv.constant3";
constexpr std::string_view section_mark = ".section ";
constexpr std::int64_t most_dump_bytes = std::int64_t{1} << 40;  // far beyond any device's memory

// "0x1f" or, in the table of sections, "1f".
std::optional<std::uint64_t> hexadecimal(std::string_view text) {
    text.remove_prefix(text.starts_with("0x") ? 2 : 0);
    return parse_number<std::uint64_t>(text, 16);
}

}  // namespace

std::optional<SassRelocation> SymbolDumps::relocation(std::string_view line) {
    const auto parts = words_of(line);
    const auto at = parts.empty() ? std::nullopt : parse_integer_literal(parts[0]);
    if (!at || parts.size() < 3) {
        return std::nullopt;
    }
    SassRelocation r;
    r.at = static_cast<std::uint64_t>(*at);
    r.symbol = parts[1];
    r.upper = parts[2].find("32_HI") != std::string_view::npos;
    r.whole = r.upper || parts[2].find("32_LO") != std::string_view::npos || parts[2] == "R_CUDA_64" ||
              parts[2] == "R_CUDA_G64" || parts[2] == "R_CUDA_32" || parts[2] == "R_CUDA_G32";
    if (parts.size() > 3) {
        const auto addend = parse_integer_literal(parts[3]);
        r.addend = addend ? static_cast<std::int64_t>(*addend) : 0;
    }
    return r;
}

// "21   5dc0    404  0  4          NOBITS       3    0        0 .nv.global"
void SymbolDumps::read_section_row(std::string_view line, Module& module) {
    constexpr std::size_t columns = 10;
    const auto parts = words_of(line);
    const bool constants = !parts.empty() && parts.back() == constant_section;
    if (parts.size() != columns || !(constants || parts.back().starts_with(global_section))) {
        return;
    }
    if (const auto number = hexadecimal(parts[0])) {
        using Place = Module::Place;
        module.sections[*number] = constants                             ? Place::constants
                                   : parts.back() == initialised_section ? Place::initialised_global
                                                                         : Place::global;
    }
}

void SymbolDumps::read_symbol(std::string_view line, Module& module) {
    constexpr std::size_t columns = 7, value_column = 1, size_column = 2, info_column = 3, section_column = 5;
    constexpr std::uint64_t type_mask = 0xf, object = 1;  // ELF: STT_OBJECT
    const auto parts = words_of(line);
    if (parts.size() != columns) {
        return;
    }
    const auto value = hexadecimal(parts[value_column]), bytes = hexadecimal(parts[size_column]),
               info = hexadecimal(parts[info_column]), section = hexadecimal(parts[section_column]);
    const auto place = section ? module.sections.find(*section) : module.sections.end();
    if (!value || !bytes || std::max(*value, *bytes) > static_cast<std::uint64_t>(most_dump_bytes) || !info ||
        (*info & type_mask) != object || place == module.sections.end()) {
        return;
    }
    SassVariable variable{std::string(parts.back()), static_cast<std::int64_t>(*bytes),
                          place->second == Module::Place::initialised_global, std::nullopt};
    if (place->second == Module::Place::constants) {
        variable.constant_offset = static_cast<std::int64_t>(*value);
    }
    module.variables.push_back(std::move(variable));
}

void SymbolDumps::begin_section(std::string_view line, Module& module) {
    constexpr std::string_view code = ".text.";
    state_ = State::outside;
    if (!line.starts_with(section_mark)) {
        return;
    }
    const auto parts = words_of(line.substr(section_mark.size()));
    const auto at = parts.empty() ? std::string_view::npos : parts[0].find(code);
    if (!parts.empty() && parts[0] == ".symtab") {
        state_ = State::symbols;
    } else if (at != std::string_view::npos && parts[0].starts_with(".rel")) {
        current_ = &module.code[std::string(parts[0].substr(at + code.size()))];
        state_ = State::relocations;
    }
}

void SymbolDumps::read_line(std::string_view line, const std::string& arch, int image) {
    if (image < 0) {
        return;
    }
    auto& module = modules_[{arch, image}];
    if (line.empty() || line.starts_with('.')) {
        begin_section(line, module);
    } else if (state_ == State::symbols) {
        read_symbol(line, module);
    } else if (state_ == State::relocations) {
        if (auto r = relocation(line)) {
            current_->push_back(std::move(*r));
        }
    } else if (line.find(global_section) != std::string_view::npos || line.ends_with(constant_section)) {
        read_section_row(line, module);
    }
}

void SymbolDumps::assign(SassFunction& function, int image) const {
    const auto found = modules_.find({function.arch, image});
    if (found == modules_.end()) {
        return;
    }
    function.variables = found->second.variables;
    const auto code = found->second.code.find(function.name);
    if (code != found->second.code.end()) {
        function.relocations = code->second;
    }
}

}  // namespace gpumodel
