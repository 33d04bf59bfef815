// Operands and instructions as text.
#include <catch2/catch.hpp>

#include "traces/sass/opcodes/opcode_table.h"
#include "traces/sass/reader/operand_parser.h"
#include "traces/sass/reader/sass_reader.h"

using namespace gpumodel;

namespace {

SassOperand operand(const std::string& text) {
    auto result = parse_operand(text);
    INFO(text);
    REQUIRE(std::holds_alternative<SassOperand>(result));
    return std::get<SassOperand>(result);
}

std::string fault(const std::string& text) {
    auto result = parse_operand(text);
    const auto* bad = std::get_if<OperandFault>(&result);
    return bad == nullptr ? "" : bad->message;
}

SassInstruction instruction(const std::string& text, const std::string& arch = "sm_80") {
    const auto module = read_sass("code for " + arch + "\nFunction : f\n/*0010*/ " + text + " ;\n", "t");
    return module.functions.at(0).instructions.at(0);
}

std::vector<int> widths(const SassInstruction& i) {
    std::vector<int> list;
    for (const auto& o : i.operands) {
        list.push_back(o.width);
    }
    return list;
}

}  // namespace

TEST_CASE("operands: registers and predicates", "[sass][operands]") {
    CHECK(operand("R17").kind == OperandKind::reg);
    CHECK(operand("R17").index == 17);
    CHECK(operand("RZ").index == sass_rz);
    CHECK(operand("R254").index == 254);
    CHECK(operand("-R3").negated);
    CHECK(operand("|R3|").absolute);
    CHECK(operand("-|R3.reuse|").reuse);
    CHECK(operand("R4.reuse").reuse);
    CHECK(operand("R0.CC").condition_code);
    CHECK(operand("R5.H0_H0").text == "H0_H0");
    CHECK(operand("UR5").kind == OperandKind::uniform_reg);
    CHECK(operand("URZ").index == sass_urz);
    CHECK(operand("!UPT").kind == OperandKind::uniform_predicate);
    CHECK(operand("!P2").inverted);
    CHECK(operand("PT").index == sass_true_predicate);
    CHECK(operand("B3").kind == OperandKind::barrier_reg);
    CHECK(operand("SR_TID.X").text == "SR_TID.X");
    CHECK(operand("SR_TID.X").kind == OperandKind::special_reg);
    CHECK(operand("SRZ").kind == OperandKind::special_reg);
}

TEST_CASE("operands: immediates", "[sass][operands]") {
    CHECK(operand("0x1f").value == 31);
    CHECK(operand("-0x2").value == -2);
    CHECK(operand("0x1f").kind == OperandKind::integer);
    CHECK(operand("1").kind == OperandKind::number);
    CHECK(operand("-2.384185791015625e-07").number == -2.384185791015625e-07);
    CHECK(operand("-INF").number < -1e308);
    CHECK(operand("{0,1}").kind == OperandKind::other);
    CHECK(operand("2D").text == "2D");
}

TEST_CASE("operands: memory and constants", "[sass][operands]") {
    const auto address = operand("[R36.X16+UR5+-0x10]");
    CHECK(address.kind == OperandKind::memory);
    CHECK(address.base == 36);
    CHECK(address.scale == 16);
    CHECK(address.uniform == 5);
    CHECK(address.value == -16);
    CHECK(operand("[R2.64]").wide_address);
    CHECK(operand("[0x4004]").base == sass_no_register);
    CHECK(operand("[UR4+0x8]").uniform == 4);
    CHECK(operand("desc[UR16][R2.64+0x20]").value == 32);
    const auto constant = operand("-c[0x3][R5+0x160]");
    CHECK(constant.kind == OperandKind::constant);
    CHECK(constant.negated);
    CHECK(constant.bank == 3);
    CHECK(constant.base == 5);
    CHECK(constant.value == 0x160);
    CHECK(operand("c[0x0][RZ]").base == sass_rz);
}

TEST_CASE("operands: faults", "[sass][operands]") {
    CHECK(fault("R256") == "no register 'R256'");
    CHECK(fault("R255") == "no register 'R255'");
    CHECK(fault("P7") == "no register 'P7'");
    CHECK(fault("UR255") == "no register 'UR255'");
    CHECK(fault("[R2") == "missing ']'");
    CHECK(fault("[]") == "empty address");
    CHECK(fault("[R2+R3]") == "a second register of the same file in one address");
    CHECK(fault("[0x1+0x2]") == "a second offset in one address");
    CHECK(fault("[P2]") == "expected a register or an offset, got 'P2'");
    CHECK(fault("[R2]x") == "text after ']'");
    CHECK(fault("c[0x0]") == "expected c[bank][offset]");
    CHECK(fault("c[0x20][0x0]") == "constant bank out of range 0 to 0x11");
    CHECK(fault("0xg") == "bad hexadecimal number '0xg'");
    CHECK(fault("0xffffffffffffffffff") == "bad hexadecimal number '0xffffffffffffffffff'");
    CHECK(fault("1e999") == "bad number '1e999'");
    CHECK(fault("|R2") == "missing closing '|'");
    CHECK(fault("-") == "empty operand");
    CHECK(fault("R2]") == "brackets do not fit 'R2]'");
}

TEST_CASE("opcodes: class, results and widths", "[sass][opcodes]") {
    const auto wide = instruction("IMAD.WIDE.U32 R88, R4, R8, c[0x0][0x170]");
    CHECK(wide.effect->op == OpClass::imad_wide);
    CHECK(widths(wide) == std::vector<int>{2, 1, 1, 1});
    CHECK(widths(instruction("IMAD.WIDE R4, R5, 0x4, R88")) == std::vector<int>{2, 1, 1, 2});
    CHECK(instruction("IMAD.MOV.U32 R1, RZ, RZ, R2").effect->op == OpClass::imad);
    CHECK(instruction("IADD3 R0, P1, P2, R3, R4, RZ").effect->results == 3);
    CHECK(instruction("IADD3.X R0, R3, R4, RZ, P1, !PT").effect->results == 1);
    CHECK(instruction("LOP3.LUT P0, RZ, R1, R2, RZ, 0xc0, !PT").effect->results == 2);
    CHECK(instruction("ISETP.GE.AND P0, PT, R1, R2, PT").effect->results == 2);
    CHECK(instruction("VOTE.ALL R14, PT, P0").effect->results == 2);
    CHECK(instruction("SHFL.IDX PT, R1, R2, R3, R4").effect->results == 2);
    CHECK(widths(instruction("CS2R R70, SRZ")) == std::vector<int>{2, 1});
    CHECK(widths(instruction("CS2R.32 R70, SR_CLOCKLO")) == std::vector<int>{1, 1});
    CHECK(widths(instruction("DFMA R2, R4, R6, R8")) == std::vector<int>{2, 2, 2, 2});
    CHECK(widths(instruction("F2F.F64.F32 R2, R4")) == std::vector<int>{2, 1});
    CHECK(widths(instruction("F2F.F32.F64 R2, R4")) == std::vector<int>{1, 2});
    CHECK(widths(instruction("I2F.F64 R2, R4")) == std::vector<int>{2, 1});
    CHECK(widths(instruction("F2I.F64.TRUNC R2, R4")) == std::vector<int>{1, 2});
}

TEST_CASE("opcodes: memory", "[sass][opcodes]") {
    const auto load = instruction("LDG.E.128.SYS R8, [R2]", "sm_70");
    CHECK(load.effect->space == SassSpace::global);
    CHECK(load.effect->direction == SassDirection::load);
    CHECK(load.effect->bytes == 16);
    CHECK(load.operands[0].width == 4);
    CHECK(load.operands[1].wide_address);  // a 64-bit pair without a mark
    CHECK_FALSE(instruction("LDG.E R8, [R2.U32+UR4]").operands[1].wide_address);
    CHECK(instruction("LDG.E R8, [R2.64]").operands[1].wide_address);
    CHECK_FALSE(instruction("LDS.U.128 R8, [R2]", "sm_70").operands[1].wide_address);
    CHECK(instruction("STS.64 [R2], R8").effect->bytes == 8);
    CHECK(instruction("STS.64 [R2], R8").operands[1].width == 2);
    CHECK(instruction("STS.64 [R2], R8").effect->results == 0);
    CHECK(instruction("LDG.E.U8 R8, [R2.64]").effect->bytes == 1);
    CHECK(instruction("LDGSTS.E.BYPASS.128 [R36+0x100], [R4.64]").effect->op == OpClass::async_copy);
    CHECK(instruction("ATOMS.ADD.S32 RZ, [0x4004], R16").effect->direction == SassDirection::atomic);
    const auto kepler = instruction("LD.E.64 R8, [R2]", "sm_35");
    CHECK(kepler.effect->space == SassSpace::global);
    CHECK(kepler.operands[1].wide_address);
    CHECK(instruction("LD R8, [R2]", "sm_35").effect->space == SassSpace::generic);
}

TEST_CASE("opcodes: targets, guards, generations", "[sass][opcodes]") {
    const auto branch = instruction("@!P3 BRA 0x10");
    CHECK(branch.operands[0].kind == OperandKind::target);
    CHECK(branch.guard.predicate == 3);
    CHECK(branch.guard.negated);
    CHECK(instruction("@UP0 UIADD3 UR4, UR4, 0x1, URZ").guard.uniform);
    CHECK(instruction("WARPSYNC 0xffffffff").operands[0].kind == OperandKind::integer);
    CHECK(instruction("ISCADD R0, R1, R2, 0x2", "sm_35").effect.has_value());
    CHECK_FALSE(instruction("ISCADD R0, R1, R2, 0x2", "sm_80").effect.has_value());
    CHECK_FALSE(instruction("IADD3 R0, R1, R2, RZ", "sm_35").effect.has_value());
    CHECK_FALSE(instruction("HMMA.SP.16832.F32 R0, R4, R8, R0, R12, 0x0").effect.has_value());
}

TEST_CASE("operands of matrix products span the registers that their shape and types say") {
    struct Widths {
        std::string text;
        OpClass op;
        std::vector<int> d_a_b_c;
    };
    for (const auto& [text, op, widths] :
         {Widths{
              "HMMA.884.F32.F32.STEP0 R8, R16.reuse.ROW, R24.COL, R8", OpClass::hmma_884_f32, {2, 2, 2, 2}},
          Widths{"HMMA.884.F16.F16.STEP1 R8, R16.ROW, R24.COL, R8", OpClass::hmma_884_f16, {2, 2, 2, 2}},
          Widths{"HMMA.1688.F16 R4, R8, R2, R4", OpClass::hmma_1688_f16, {2, 2, 1, 2}},
          Widths{"HMMA.1688.F32 R4, R8, R2, R4", OpClass::hmma_1688_f32, {4, 2, 1, 4}},
          Widths{"HMMA.1688.F32.TF32 R4, R8, R2, R4", OpClass::hmma_1688_tf32, {4, 4, 2, 4}},
          Widths{"HMMA.16816.F32.BF16 R4, R8, R2, R4", OpClass::hmma_16816_f32, {4, 4, 2, 4}},
          Widths{"HMMA.16816.F16 R4, R8, R2, R4", OpClass::hmma_16816_f16, {2, 4, 2, 2}},
          Widths{"IMMA.16832.S8.S8 R4, R8.ROW, R2.COL, R4", OpClass::imma_16832, {4, 4, 2, 4}},
          Widths{"IMMA.16832.U4.S4.SAT R4, R8.ROW, R2.COL, R4", OpClass::imma_16816, {4, 2, 1, 4}},
          Widths{"BMMA.168256.XOR.POPC R4, R8.ROW, R2.COL, R4", OpClass::imma_16832, {4, 4, 2, 4}},
          Widths{"DMMA.16x8x16 R8, R16, R32, R8", OpClass::dmma_16816, {8, 16, 8, 8}}}) {
        INFO(text);
        const auto parsed = instruction(text);
        REQUIRE(parsed.effect.has_value());
        CHECK(parsed.effect->op == op);
        CHECK(parsed.effect->results == 1);
        for (std::size_t i = 0; i < 4; ++i) {
            CHECK(parsed.operands.at(i).width == widths[i]);
        }
    }
    // a register per matrix, while each lane that names a row stands for 16 bytes
    CHECK(instruction("LDSM.16.M88.4 R8, [R6]").operands[0].width == 4);
    CHECK(instruction("LDSM.16.MT88 R8, [R6]").operands[0].width == 1);
    CHECK(instruction("LDSM.16.M88.2 R8, [R6]").effect->bytes == 16);
    CHECK(instruction("STSM.16.M88.4 [R6], R8").operands[1].width == 4);
}
