// Facts of the committed listings that can be counted by hand or by another program.
#include <catch2/catch.hpp>
#include <fstream>
#include <regex>
#include <sstream>

#include "tests/support/listing_files.h"
#include "traces/sass/analysis/instruction_counts.h"
#include "traces/sass/opcodes/opcode_table.h"

using namespace gpumodel;

namespace {

// Per K tile: what stands in the outermost loop with most FFMAs, inner loops times their trips. The trips are
// those that make the FFMAs equal to `products`; empty if no whole number does.
struct TileCounts {
    InstructionCounts outside;
    InstructionCounts inside;
    int trips = 0;
    [[nodiscard]] int of(SassSpace space, SassDirection direction, int bytes) const {
        return outside.of(space, direction, bytes) + trips * inside.of(space, direction, bytes);
    }
    [[nodiscard]] int of(OpClass op) const { return outside.of(op) + trips * inside.of(op); }
};

std::optional<TileCounts> tile_counts(const SassFunction& function, int products) {
    const auto flow = control_flow(function);
    const auto counts = count_instructions(function, flow);
    TileCounts best;
    int most = -1;
    for (std::size_t i = 0; i < flow.loops.size(); ++i) {
        const auto& loop = counts.loops[i];
        if (flow.loops[i].parent >= 0 || loop.whole.of(OpClass::ffma) <= most) {
            continue;
        }
        most = loop.whole.of(OpClass::ffma);
        best.outside = loop.own;
        best.inside = {};
        for (std::size_t j = 0; j < flow.loops.size(); ++j) {
            if (flow.loops[j].parent == static_cast<int>(i)) {
                best.inside.add(counts.loops[j].whole);
            }
        }
    }
    const int missing = products - best.outside.of(OpClass::ffma);
    const int inner = best.inside.of(OpClass::ffma);
    if (missing < 0 || (inner == 0 ? missing != 0 : missing % inner != 0)) {
        return std::nullopt;
    }
    best.trips = inner == 0 ? 0 : missing / inner;
    return best;
}

std::map<std::string, std::vector<int>> count_rows() {
    std::map<std::string, std::vector<int>> rows;
    std::ifstream file(GPUMODEL_SOURCE_DIR "/tests/traces/kernel/listing_counts.csv");
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
        std::vector<std::string> cells;
        std::string cell;
        for (std::istringstream in(line); std::getline(in, cell, ',');) {
            cells.push_back(cell);
        }
        auto& counts = rows[cells[0] + "," + cells[1] + ",sm_" + cells[2]];
        for (std::size_t i = 3; i < cells.size(); ++i) {
            counts.push_back(std::stoi(cells[i]));
        }
    }
    return rows;
}

bool accumulates_in_registers(const SassFunction& function) {
    return std::none_of(function.instructions.begin(), function.instructions.end(),
                        [](const auto& instruction) {
                            return instruction.effect && instruction.effect->space == SassSpace::local;
                        });
}

// Maxwell's words may carry the bit of a slot that holds no register, which is not printed.
unsigned reuse_of_registers(const SassInstruction& instruction, SassIsa isa) {
    auto reuse = instruction.control.reuse;
    for (std::size_t slot = 0; isa == SassIsa::maxwell && instruction.effect && slot < 4; ++slot) {
        const auto at = static_cast<std::size_t>(instruction.effect->results) + slot;
        if (at >= instruction.operands.size() || instruction.operands[at].kind != OperandKind::reg) {
            reuse &= ~(1U << slot);
        }
    }
    return reuse;
}

}  // namespace

TEST_CASE("listings: all of them are read, no opcode is unknown", "[sass][listings]") {
    for (const auto& arch : listing_archs) {
        INFO(arch);
        const auto& module = listing(arch);
        // entries.txt names 40 kernels, and two asynchronous ones for sm_80 and later
        const bool early = arch.size() == 5 && arch < "sm_80";
        CHECK(module.functions.size() == (early ? 40U : 42U));
        for (const auto& function : module.functions) {
            INFO(function.name);
            CHECK(unknown_opcodes(function).empty());
            const auto flow = control_flow(function);
            CHECK(flow.irreducible_edges == 0);
            CHECK(flow.indirect_branches == 0);
        }
    }
}

TEST_CASE("listings: FFMAs of the main loop follow from the tile", "[sass][listings]") {
    int checked = 0;
    for (const auto& arch : listing_archs) {
        for (const auto& function : listing(arch).functions) {
            const auto name = kernel_name(function.name);
            const int products = products_per_tile(name);
            // doublebuffer_split has one copy of the tile for each half of the block
            if (products == 0 || name.family == "doublebuffer_split" || !accumulates_in_registers(function)) {
                continue;
            }
            INFO(arch << " " << function.name);
            CHECK(tile_counts(function, products).has_value());
            ++checked;
        }
    }
    CHECK(checked >= 5 * 20);
}

TEST_CASE("listings: a pinned unroll factor shows in the innermost loop", "[sass][listings]") {
    int checked = 0;
    for (const auto& arch : listing_archs) {
        for (const auto& function : listing(arch).functions) {
            const auto name = kernel_name(function.name);
            if (name.params.empty() || name.at("UNROLL") != 4 || name.family == "smem") {
                continue;
            }
            INFO(arch << " " << function.name);
            const auto tile = tile_counts(function, products_per_tile(name));
            REQUIRE(tile);
            CHECK(tile->inside.of(OpClass::ffma) == 4 * products_per_tile(name) / name.at("BK"));
            CHECK(tile->trips == name.at("BK") / 4);
            ++checked;
        }
    }
    CHECK(checked >= 5 * 4);
}

// listing_counts.csv was counted by another program (listing_counts.py) that knows neither operands nor flow.
TEST_CASE("listings: memory accesses per tile equal the independent count", "[sass][listings]") {
    const auto rows = count_rows();
    std::map<std::string, int> checked;
    for (const auto& arch : listing_archs) {
        for (const auto& function : listing(arch).functions) {
            const auto name = kernel_name(function.name);
            if (products_per_tile(name) == 0 || name.at("UNROLL") != 0) {
                continue;
            }
            const auto row = rows.find(name.family + "," + name.params_text() + "," + arch);
            if (row == rows.end()) {
                continue;
            }
            INFO(arch << " " << function.name);
            const auto tile = tile_counts(function, products_per_tile(name));
            REQUIRE(tile);
            const auto shared = [&](SassDirection direction, int bytes) {
                return tile->of(SassSpace::shared, direction, bytes);
            };
            const std::vector<int> counted{tile->of(OpClass::ffma),         shared(SassDirection::load, 4),
                                           shared(SassDirection::load, 8),  shared(SassDirection::load, 16),
                                           shared(SassDirection::store, 4), shared(SassDirection::store, 16),
                                           tile->of(OpClass::global_load),  tile->of(OpClass::barrier)};
            CHECK(counted == std::vector<int>(row->second.begin(), row->second.end() - 1));
            ++checked[arch];
        }
    }
    for (const auto& arch : {"sm_35", "sm_70", "sm_86", "sm_90"}) {
        INFO(arch);
        CHECK(checked[arch] >= 10);
    }
}

TEST_CASE("listings: the printed .reuse marks are the reuse bits of the encoding", "[sass][listings]") {
    int marked = 0;
    for (const auto& arch : listing_archs) {
        for (const auto& function : listing(arch).functions) {
            for (const auto& instruction : function.instructions) {
                const auto printed = std::count_if(instruction.operands.begin(), instruction.operands.end(),
                                                   [](const SassOperand& operand) { return operand.reuse; });
                if (instruction.line == 0 || function.isa == SassIsa::kepler) {
                    CHECK(printed == 0);
                    continue;
                }
                if (printed != __builtin_popcount(reuse_of_registers(instruction, function.isa))) {
                    FAIL_CHECK(arch << " " << function.name << " line " << instruction.line);
                }
                marked += static_cast<int>(printed);
            }
        }
    }
    CHECK(marked > 10000);
}

TEST_CASE("listings: registers fit what ptxas reports", "[sass][listings]") {
    for (const auto& arch : listing_archs) {
        std::ifstream log(GPUMODEL_SOURCE_DIR "/validate/listings/few/" + arch + ".resources.txt");
        std::map<std::string, int> reported;
        std::string line;
        std::string name;
        std::smatch match;
        while (std::getline(log, line)) {
            if (std::regex_search(line, match, std::regex("Compiling entry function '([^']+)'"))) {
                name = match[1];
            } else if (std::regex_search(line, match, std::regex("Used ([0-9]+) registers"))) {
                reported[name] = std::stoi(match[1]);
            }
        }
        REQUIRE(reported.size() == listing(arch).functions.size());
        for (const auto& function : listing(arch).functions) {
            INFO(arch << " " << function.name);
            const int used = registers_used(function);
            CHECK(used <= reported.at(function.name));
            CAPTURE(used, reported.at(function.name));
            // Volta and later reserve two registers beside the highest one used.
            CHECK(reported.at(function.name) - used <= 2);
        }
    }
}
