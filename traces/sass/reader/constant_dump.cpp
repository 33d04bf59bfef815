#include "traces/sass/reader/constant_dump.h"

#include <algorithm>

#include "traces/sass/reader/text_scan.h"

namespace gpumodel {

namespace {

constexpr std::string_view bank_prefix = ".nv.constant";
constexpr std::string_view relocation_prefix = ".section .rel";
constexpr int word_bytes = 4;
constexpr int largest_bank = 1 << 16;  // CUDA C++ programming guide: 64 KiB of constant memory
constexpr int last_bank = 17;          // more than any architecture names

}  // namespace

bool ConstantDumps::begins_image(std::string_view line) {
    // the last two: CUDA 13
    return line.starts_with("64bit elf:") || line.starts_with("32bit elf:") ||
           line.starts_with("64-bit ELF:") || line.starts_with("32-bit ELF:");
}

bool ConstantDumps::begins_bank(std::string_view line) {
    return line.starts_with(bank_prefix);
}

std::vector<LineFault> ConstantDumps::read_line(std::string_view line) {
    std::vector<LineFault> faults;
    if (begins_image(line)) {
        begin_image(line);
    } else if (begins_bank(line)) {
        begin_bank(line, faults);
    } else if (line.starts_with(relocation_prefix)) {
        begin_relocations(line);
    } else if (line.empty() || line.starts_with(".")) {
        state_ = State::outside;
    } else if (state_ == State::bank) {
        read_words(line, faults);
    } else if (state_ == State::relocations) {
        read_relocation(line, faults);
    }
    resources_.read_line(line, arch_, image());
    symbols_.read_line(line, arch_, image());
    return faults;
}

// "64bit elf: type=2, abi=7, sm=70, toolkit=118, flags = 0x460546", since CUDA 13
// "64-bit ELF: type=ET_EXEC, ABI=8, sm=90, toolkit=13.0, flags=0x6005a04"
void ConstantDumps::begin_image(std::string_view line) {
    constexpr std::string_view mark = " sm=";
    const auto at = line.find(mark);
    const auto number = at == std::string_view::npos ? std::string_view{} : line.substr(at + mark.size());
    const auto end = std::min(number.find_first_not_of("0123456789"), number.size());
    arch_ = "sm_" + std::string(number.substr(0, end));
    ++images_[arch_];
    state_ = State::outside;
}

void ConstantDumps::begin_bank(std::string_view line, std::vector<LineFault>& faults) {
    state_ = State::outside;
    const auto number = line.substr(bank_prefix.size());
    const auto end = std::min(number.find('.'), number.size());
    const auto bank = parse_number<std::uint64_t>(number.substr(0, end), 10);
    if (!bank || *bank > last_bank || arch_.empty()) {
        faults.push_back({1, "constants",
                          arch_.empty() ? "a constant bank before the line '64bit elf: ... sm=XX'"
                                        : "'" + excerpt(line) + "' does not name a constant bank"});
        return;
    }
    if (*bank == 0) {
        return;  // the launch fills it
    }
    state_ = State::bank;
    sections_.push_back({arch_, image(), std::string(line.substr(1)), std::make_shared<SassConstants>()});
    current_ = sections_.back().constants.get();
    current_->bank = static_cast<int>(*bank);
    bytes_ = 0;
}

// ".section .rel.nv.constant3	REL" or ".rela": concerns a bank of this image.
void ConstantDumps::begin_relocations(std::string_view line) {
    state_ = State::outside;
    const auto parts = words_of(line);
    const auto at = parts[1].find(bank_prefix);
    const auto* section = at == std::string_view::npos ? nullptr : find(parts[1].substr(at + 1));
    if (section != nullptr) {
        current_ = section->constants.get();
        state_ = State::relocations;
    }
}

void ConstantDumps::read_words(std::string_view line, std::vector<LineFault>& faults) {
    constexpr std::size_t word_digits = 10, byte_digits = 4;  // with "0x"
    for (const auto text : words_of(line)) {
        const auto value = parse_integer_literal(text);
        const bool whole = text.size() == word_digits && bytes_ % word_bytes == 0;
        if (!value || (!whole && text.size() != byte_digits) || bytes_ >= largest_bank) {
            faults.push_back({1, "constants",
                              bytes_ >= largest_bank
                                  ? std::string("a constant bank of more than 64 KiB")
                                  : "'" + excerpt(text) + "' is no word or byte of a constant bank"});
            state_ = State::outside;
            return;
        }
        if (bytes_ % word_bytes == 0) {
            current_->words.emplace_back(0);
        }
        *current_->words.back() |= static_cast<std::uint32_t>(*value) << (8 * (bytes_ % word_bytes));
        bytes_ += whole ? word_bytes : 1;
    }
}

// "0x28    table    R_CUDA_G64": the kind's number says how many bits are filled in.
void ConstantDumps::read_relocation(std::string_view line, std::vector<LineFault>& faults) {
    const auto parts = words_of(line);
    const auto offset = parse_integer_literal(parts[0]);
    if (!offset || parts.size() < 3) {
        faults.push_back({1, "constants", "expected offset, symbol and kind of a relocation"});
        state_ = State::outside;
        return;
    }
    const int words = parts[2].find("64") != std::string_view::npos ? 2 : 1;
    const auto relocation = SymbolDumps::relocation(line);
    for (int i = 0; i < words; ++i) {
        const auto word = *offset / word_bytes + static_cast<std::uint64_t>(i);
        if (word < current_->words.size()) {
            current_->words[static_cast<std::size_t>(word)].reset();
            if (relocation) {
                current_->relocations.push_back(*relocation);
                current_->relocations.back().at = word * word_bytes;
                current_->relocations.back().upper = i > 0 || relocation->upper;
            }
        }
    }
}

int ConstantDumps::image() const {
    const auto found = images_.find(arch_);
    return found == images_.end() ? -1 : found->second - 1;
}

const ConstantDumps::Section* ConstantDumps::find(std::string_view name) const {
    const auto found = std::find_if(sections_.begin(), sections_.end(), [&](const Section& section) {
        return section.image == image() && section.arch == arch_ && section.name == name;
    });
    return found == sections_.end() ? nullptr : &*found;
}

void ConstantDumps::assign(SassFunction& function, int image) const {
    resources_.assign(function, image);
    symbols_.assign(function, image);
    for (const auto& section : sections_) {
        const auto own = "nv.constant" + std::to_string(section.constants->bank);
        if (section.image == image && section.arch == function.arch &&
            (section.name == own || section.name == own + "." + function.name)) {
            function.constants.list.push_back(section.constants);
        }
    }
}

}  // namespace gpumodel
