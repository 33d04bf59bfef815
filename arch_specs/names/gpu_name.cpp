#include "arch_specs/names/gpu_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "base/parse.h"

namespace gpumodel {

namespace {

using Words = std::vector<std::string>;

constexpr std::size_t longest_name = 120;  // the longest that a driver prints has 60

constexpr std::array<std::string_view, 6> brand_words{"geforce", "tesla", "quadro", "jetson", "rtx", "gtx"};
constexpr std::array<std::string_view, 9> architecture_words{
    "kepler", "maxwell", "pascal", "volta", "turing", "ampere", "ada", "hopper", "blackwell"};
// Words that do not tell one GPU from another, and the houses that sell boards.
constexpr std::array<std::string_view, 47> empty_words{
    "nvidia",      "corporation", "corp",        "gpu",       "gpus",     "graphics", "card",  "video",
    "generation",  "gen",         "edition",     "server",    "tensor",   "core",     "cores", "desktop",
    "workstation", "datacenter",  "data",        "center",    "tm",       "founders", "fe",    "the",
    "board",       "module",      "developer",   "devkit",    "kit",      "agx",      "grace", "dgx",
    "hgx",         "lovelace",    "accelerator", "superchip", "cuda",     "asus",     "msi",   "evga",
    "gigabyte",    "zotac",       "palit",       "pny",       "gainward", "inno3d",   "r"};

template <typename List>
bool contains(const List& list, std::string_view word) {
    return std::find(list.begin(), list.end(), word) != list.end();
}

bool all_digits(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

// Runs of letters and digits, in lower case; whatever else stands there separates.
Words split(std::string_view text) {
    Words words;
    bool open = false;
    for (const char c : text.substr(0, longest_name)) {
        const auto lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        if ((lower >= 'a' && lower <= 'z') || is_digit(lower)) {
            if (!open) {
                words.emplace_back();
            }
            words.back() += lower;
            open = true;
        } else {
            open = false;
        }
    }
    return words;
}

bool is_form(std::string_view word) {
    const bool sxm = word.starts_with("sxm") && (word.size() == 3 || (word.size() == 4 && is_digit(word[3])));
    return sxm || word == "pcie" || word == "nvl" || word == "fhhl";
}

bool is_memory_kind(std::string_view word) {
    const bool kind = word.starts_with("hbm") || word.starts_with("gddr") || word.starts_with("lpddr");
    return kind && word.size() <= 7;
}

bool is_memory_unit(std::string_view word) {
    return word == "g" || word == "gb" || word == "gib";
}

// 80 of "80gb"; nothing of other words.
std::optional<int> memory_size(std::string_view word) {
    const auto unit = word.find_first_not_of("0123456789");
    if (unit == std::string_view::npos || unit == 0 || unit > 4 || !is_memory_unit(word.substr(unit))) {
        return std::nullopt;
    }
    return std::stoi(std::string(word.substr(0, unit)));
}

// "pci-e" and "pci express" are one word, as are "80 gb", "max-q", "ti-super" in either order is left to the
// core.
Words joined_words(const Words& words) {
    Words joined;
    for (const auto& word : words) {
        const bool after_pci = !joined.empty() && joined.back() == "pci";
        if (after_pci && (word == "e" || word == "express")) {
            joined.back() = "pcie";
        } else if (!joined.empty() && is_memory_unit(word) && word != "g" && all_digits(joined.back())) {
            joined.back() += word;
        } else {
            joined.push_back(word);
        }
    }
    return joined;
}

// Parts of one word that are written together: "rtx4090", "teslav100", "a100pcie", "6000ada".
class WordParser {
public:
    explicit WordParser(GpuName& name) : name_(name) {}

    void take(std::string_view word) {
        if (word.empty() || take_whole(word)) {
            return;
        }
        for (const auto brand : brand_words) {
            if (word.starts_with(brand)) {
                name_.brands.emplace(brand);
                take(word.substr(brand.size()));
                return;
            }
        }
        for (std::size_t cut = 1; cut < word.size(); ++cut) {
            const auto tail = word.substr(cut);
            const bool behind_number =
                std::any_of(word.begin(), word.begin() + static_cast<long>(cut), is_digit);
            if (behind_number && !is_digit(tail.front()) && !is_memory_unit(tail) &&
                (is_form(tail) || contains(architecture_words, tail) || tail == "laptop")) {
                take(word.substr(0, cut));
                take(tail);
                return;
            }
        }
        name_.core += word;
    }

private:
    bool take_whole(std::string_view word) {
        const auto memory = memory_size(word);
        if (contains(brand_words, word)) {
            name_.brands.emplace(word);
        } else if (is_form(word) || word == "pci") {
            name_.form = word == "pci" ? "pcie" : word;
        } else if (contains(architecture_words, word)) {
            name_.architecture = word;
        } else if (is_memory_kind(word)) {
            name_.memory_kind = word;
        } else if (memory) {
            name_.memory_gb = memory;
        } else if (word == "laptop" || word == "notebook" || word == "mobile") {
            name_.core += "mobile";
        } else {
            return contains(empty_words, word);
        }
        return true;
    }

    GpuName& name_;
};

}  // namespace

GpuName parse_gpu_name(std::string_view text) {
    GpuName name;
    WordParser parser(name);
    for (const auto& word : joined_words(split(text))) {
        parser.take(word);
    }
    return name;
}

std::optional<int> parse_capability(std::string_view text) {
    auto words = split(text);
    bool named = false;
    for (const std::string_view prefix : {"sm", "compute", "capability", "cc"}) {
        if (!words.empty() && words.front().starts_with(prefix)) {
            named = true;
            words.front().erase(0, prefix.size());
            if (words.front().empty()) {
                words.erase(words.begin());
            }
        }
    }
    std::string digits;
    for (const auto& word : words) {
        digits += word;
    }
    const bool dotted = words.size() == 2 && text.find('.') != std::string_view::npos && words[1].size() == 1;
    if (named && !digits.empty() && (digits.back() == 'a' || digits.back() == 'f')) {
        digits.pop_back();  // sm_90a, sm_100f: with features of that generation alone
    }
    if (!(named || dotted) || !all_digits(digits) || digits.size() > 3) {
        return std::nullopt;
    }
    return std::stoi(digits);
}

SeriesNumber series_number(std::string_view core) {
    SeriesNumber parts;
    const auto first = core.find_first_of("0123456789");
    parts.series = core.substr(0, first);
    if (first != std::string_view::npos) {
        const auto end = std::min(core.find_first_not_of("0123456789", first), core.size());
        parts.number = end - first <= 6 ? std::stoi(std::string(core.substr(first, end - first))) : 0;
        parts.rest = core.substr(end);
    }
    return parts;
}

bool same_series(const SeriesNumber& a, const SeriesNumber& b) {
    if (a.number == 0 || b.number == 0 || a.series != b.series) {
        return false;
    }
    if (a.series.empty()) {
        return a.number / 100 == b.number / 100 && a.number >= 100;
    }
    return a.number <= 2 * b.number && b.number <= 2 * a.number;
}

}  // namespace gpumodel
