#include "traces/sass/reader/register_name.h"

#include "traces/sass/reader/text_scan.h"

namespace gpumodel {

namespace {

struct RegisterFileName {
    std::string_view prefix;
    OperandKind kind;
    int count;                 // registers 0 ... count-1
    std::string_view special;  // RZ, PT: the name of the one with a fixed value
    int special_index;
};

// Sizes: 255 general registers and RZ (CUDA programming guide, compute capabilities 3.5 and later); 255
// uniform ones and URZ, 7 predicates and PT, 16 convergence barriers (opcode encodings of sm_100; before that
// code names no uniform register past UR62).
constexpr RegisterFileName register_files[] = {
    {"UR", OperandKind::uniform_reg, 255, "URZ", sass_urz},
    {"UP", OperandKind::uniform_predicate, 7, "UPT", sass_true_predicate},
    {"R", OperandKind::reg, 255, "RZ", sass_rz},
    {"P", OperandKind::predicate, 7, "PT", sass_true_predicate},
    {"B", OperandKind::barrier_reg, 16, "", 0},
};

}  // namespace

NameFit match_register(std::string_view name, OperandKind& kind, int& index) {
    for (const auto& file : register_files) {
        if (!file.special.empty() && name == file.special) {
            kind = file.kind;
            index = file.special_index;
            return NameFit::fits;
        }
        if (!name.starts_with(file.prefix)) {
            continue;
        }
        const auto digits = name.substr(file.prefix.size());
        if (digits.empty() || digits.find_first_not_of("0123456789") != std::string_view::npos) {
            continue;
        }
        const auto number = parse_number<std::uint64_t>(digits, 10);
        if (!number || *number >= static_cast<std::uint64_t>(file.count)) {
            return NameFit::out_of_range;
        }
        kind = file.kind;
        index = static_cast<int>(*number);
        return NameFit::fits;
    }
    return NameFit::none;
}

}  // namespace gpumodel
