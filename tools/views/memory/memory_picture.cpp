#include "tools/views/memory/memory_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

namespace gpumodel::cli {

namespace {

constexpr int banks_per_line = 32;

std::string cell(const BankWord& word) {
    return fmt::format("{}{}", std::countr_zero(word.lanes), std::popcount(word.lanes) > 1 ? "+" : "");
}

using BankColumns = std::map<int, std::vector<std::string>>;  // bank -> cells, one per distinct word

std::string picture_of_banks(const BankColumns& columns, int first, int last, std::size_t depth) {
    std::string text = "    bank";
    for (int bank = first; bank < last; ++bank) {
        text += fmt::format(" {:>3}", bank);
    }
    for (std::size_t row = 0; row < depth; ++row) {
        text += row == 0 ? "\n    lane" : "\n        ";
        for (int bank = first; bank < last; ++bank) {
            const auto column = columns.find(bank);
            const bool filled = column != columns.end() && row < column->second.size();
            text += fmt::format(" {:>3}", filled ? column->second[row] : row == 0 ? "." : "");
        }
    }
    return text + "\n";
}

// Short columns leave blanks at the end of a line.
std::string without_trailing_blanks(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (c == '\n') {
            result.erase(result.find_last_not_of(' ') + 1);
        }
        result += c;
    }
    return result;
}

}  // namespace

std::string bank_picture_text(const std::vector<BankWord>& words, int banks) {
    std::map<int, BankColumns> phases;
    for (const auto& word : words) {
        phases[word.phase][word.bank].push_back(cell(word));
    }
    std::string text;
    for (const auto& [phase, columns] : phases) {
        std::size_t depth = 0;
        for (const auto& [bank, cells] : columns) {
            depth = std::max(depth, cells.size());
        }
        text += fmt::format("  phase {}: up to {} word{} in a bank\n", phase, depth, depth == 1 ? "" : "s");
        for (int first = 0; first < banks; first += banks_per_line) {
            text += picture_of_banks(columns, first, std::min(first + banks_per_line, banks), depth);
        }
    }
    return without_trailing_blanks(text);
}

}  // namespace gpumodel::cli
