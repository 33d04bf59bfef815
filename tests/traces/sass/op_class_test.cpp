// The table of opcode classes (arch_specs/op_class.h) against the decoder's table of opcodes.
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "traces/sass/opcodes/opcode_table.h"
#include "traces/sass/reader/sass_reader.h"

using namespace gpumodel;

namespace {

// "IMMA.8816.S8.S8" as the reader takes it apart.
const OpcodeRow* opcode(std::string_view mnemonic, SassIsa isa) {
    SassInstruction instruction;
    std::istringstream words{std::string(mnemonic)};
    std::getline(words, instruction.opcode, '.');
    for (std::string modifier; std::getline(words, modifier, '.');) {
        instruction.modifiers.push_back(modifier);
    }
    return find_opcode(instruction, isa);
}

}  // namespace

TEST_CASE("opcode classes: generated mnemonics decode to their class", "[sass]") {
    // what Kepler does not have ("CUDA Binary Utilities", instruction set reference)
    const std::set<OpClass> later{OpClass::hfma, OpClass::async_copy, OpClass::uniform};
    for (const auto& row : op_classes) {
        INFO(row.name);
        const auto* volta = opcode(row.mnemonic, SassIsa::volta);
        REQUIRE(volta != nullptr);
        CHECK(volta->op == row.op);
        const auto name = row.kepler_mnemonic.empty() ? row.mnemonic : row.kepler_mnemonic;
        const auto* kepler = opcode(name, SassIsa::kepler);
        REQUIRE((kepler == nullptr) == (later.contains(row.op) || row.group == OpGroup::tensor));
        // Kepler's IMAD makes wide products of its own
        CHECK((kepler == nullptr || kepler->op == row.op || row.op == OpClass::imad_wide));
    }
}

TEST_CASE("opcode classes: opcodes that move data belong to a group that does", "[sass]") {
    for (const auto& row : opcode_rows()) {
        INFO(row.name);
        const auto group = group_of(row.op);
        const bool loads = row.direction == SassDirection::load;
        const bool stores = row.direction == SassDirection::store;
        if (row.space == SassSpace::shared && row.op != OpClass::barrier) {
            CHECK((group == OpGroup::shared_load || group == OpGroup::shared_store));
            CHECK((!loads || group == OpGroup::shared_load));
            CHECK((!stores || group == OpGroup::shared_store));
        } else if (row.direction == SassDirection::copy) {
            CHECK(group == OpGroup::async_copy);
        } else if (row.space == SassSpace::none) {
            CHECK((group < OpGroup::shared_load || group > OpGroup::async_copy));
        } else if (row.space != SassSpace::constant && row.space != SassSpace::shared) {
            CHECK((group == OpGroup::global_load || group == OpGroup::global_store));
            CHECK((!loads || group == OpGroup::global_load));
            CHECK((!stores || group == OpGroup::global_store));
        }
    }
}

TEST_CASE("opcodes: floating-point operations per lane", "[sass]") {
    for (const auto& row : opcode_rows()) {
        INFO(row.name);
        if (row.form == OperandForm::matrix) {
            continue;
        }
        // FMA multiplies and adds, ADD and MUL do one of the two; H*2 does it for two numbers, H*2.F32 for
        // one
        const bool number = row.name.size() > 3 && std::string_view("FDH").find(row.name[0]) < 3;
        const auto operation = number ? row.name.substr(1, 3) : "";
        const int once = operation == "FMA" ? 2 : operation == "ADD" || operation == "MUL" ? 1 : 0;
        const bool pair = row.name[0] == 'H' && row.name.find(".F32") == std::string_view::npos;
        CHECK(row.flops == once * (pair ? 2 : 1));
    }
}

TEST_CASE("opcodes: a matrix product's operations are those of its shape", "[sass]") {
    // M, N, K; of integers none
    const std::map<std::string_view, int> shapes{
        {"1688", 16 * 8 * 8},   {"16816", 16 * 8 * 16}, {"1684", 16 * 8 * 4},    {"8x8x4", 8 * 8 * 4},
        {"16x8x4", 16 * 8 * 4}, {"16x8x8", 16 * 8 * 8}, {"16x8x16", 16 * 8 * 16}};
    int checked = 0;
    for (const auto& row : opcode_rows()) {
        INFO(row.name);
        if (row.form != OperandForm::matrix || row.name.find("884") != std::string_view::npos) {
            continue;
        }
        const auto shape = row.name.substr(5, row.name.find('.', 5) - 5);
        const bool floating = row.name[0] == 'H' || row.name[0] == 'D';
        CHECK(row.flops == (floating ? 2 * shapes.at(shape) / 32 : 0));
        ++checked;
    }
    CHECK(checked > 15);
}

TEST_CASE("opcodes: a multiply-add of zeros is a move", "[sass]") {
    const auto flops = [](const std::string& line) {
        return read_sass("\tcode for sm_80\n\t\tFunction : f\n        /*0000*/ " + line + " ;\n", "test")
            .functions.front()
            .instructions.front()
            .effect->flops;
    };
    CHECK(flops("HFMA2.MMA R1, -RZ, RZ, 0, 3.2e-05") == 0);
    CHECK(flops("HFMA2 R1, R2, R3, R4") == 4);
    CHECK(flops("DFMA R2, R4, R6, R8") == 2);
    CHECK(flops("FFMA R1, R2, R3, RZ") == 2);
}
