// The listing reader: control words, faults with their places, damage.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "base/diagnostics.h"
#include "tests/support/listing_files.h"
#include "traces/sass/opcodes/opcode_table.h"
#include "traces/sass/reader/control_word.h"
#include "traces/sass/reader/sass_reader.h"

using namespace gpumodel;

namespace {

std::vector<std::string> faults_of(const std::string& text) {
    try {
        static_cast<void>(read_sass(text, "k.sass"));
    } catch (const InputError& error) {
        CHECK(error.kind() == InputErrorKind::invalid_input);
        std::vector<std::string> lines;
        for (const auto& diagnostic : error.diagnostics()) {
            lines.push_back(to_string(diagnostic));
        }
        return lines;
    }
    return {};
}

using Lines = std::vector<std::string>;

const std::string head = "\tcode for sm_80\n\t\tFunction : f\n";

}  // namespace

TEST_CASE("control: fields of a Volta encoding", "[sass][control]") {
    // Field by field: stall 12, yield set, write barrier 2, no read barrier, waits on 0 and 3, reuse B.
    const std::uint64_t high = (std::uint64_t{12} << 41) | (std::uint64_t{1} << 45) |
                               (std::uint64_t{2} << 46) | (std::uint64_t{7} << 49) |
                               (std::uint64_t{0b001001} << 52) | (std::uint64_t{0b0010} << 58);
    const auto control = volta_control(high);
    CHECK(control.stall == 12);
    CHECK_FALSE(control.gives_way);
    CHECK(control.write_barrier == 2);
    CHECK(control.read_barrier == -1);
    CHECK(control.wait_mask == 0b001001);
    CHECK(control.reuse == 0b0010);
}

TEST_CASE("control: Kepler's codes", "[sass][control]") {
    CHECK(kepler_code_meaning(0x20).stall == 1);
    CHECK(kepler_code_meaning(0x2c).stall == 13);  // before use of a predicate
    CHECK(kepler_code_meaning(0x3f).stall == 32);
    CHECK(kepler_code_meaning(0x04).dual_issue);
    CHECK(kepler_code_meaning(0x04).stall == 0);
    CHECK(kepler_code_meaning(0x00).stall == 16);
    // Zhang et al., PPoPP 2017, figure 2 (a).
    CHECK_FALSE(kepler_code_meaning(0x05).dual_issue);
    CHECK(kepler_code_meaning(0x05).stall == 1);
    CHECK(kepler_code_meaning(0x34).stall == 21);
    CHECK(kepler_code_meaning(0x35).stall == 32);
    CHECK(kepler_code_meaning(0x40).stall == 1);
    CHECK(kepler_code_meaning(0x66).stall == 7);
    CHECK(kepler_code_meaning(0x90).stall == 1);
    CHECK(kepler_code_meaning(0xa2).stall == 5);
    CHECK(kepler_code_meaning(0xc4).stall == 9);
    CHECK(kepler_code_meaning(0x8b).stall == 32);
    CHECK(kepler_code_meaning(0xe3).stall == 4);
    CHECK(kepler_code_meaning(0xa2).texture_wait);
    CHECK_FALSE(kepler_code_meaning(0x22).texture_wait);
    // codes 0x21, 0x22, ... 0x27 in order
    std::uint64_t word = std::uint64_t{2} << 58;
    for (std::uint64_t i = 0; i < 7; ++i) {
        word |= (0x21 + i) << (2 + 8 * i);
    }
    CHECK(is_kepler_control_word(word));
    for (int i = 0; i < 7; ++i) {
        CHECK(kepler_control(word, i).stall == i + 2);
    }
    CHECK_FALSE(is_kepler_control_word(word | 1));
    CHECK_FALSE(is_kepler_control_word(0));
}

TEST_CASE("reader: Maxwell's control words stand before groups of three", "[sass][reader]") {
    // stall 6 with a write barrier; a pair (stall 0); stall 5 that waits for scoreboards 0 and 3
    const auto code_of = [](std::uint64_t stall, std::uint64_t write, std::uint64_t wait,
                            std::uint64_t reuse) {
        return stall | 1U << 4 | write << 5 | 7U << 8 | wait << 11 | reuse << 17;
    };
    const auto word = code_of(6, 2, 0, 0) | code_of(0, 7, 0, 1) << 21 | code_of(5, 7, 9, 0) << 42;
    CHECK(is_maxwell_control_word(word));
    CHECK_FALSE(is_maxwell_control_word(word | std::uint64_t{1} << 63));
    // the second of a pair ends at a brace; its encoding follows
    const auto text = fmt::format(
        "code for sm_61\nFunction : f\n /* {:#018x} */\n"
        "/*0008*/ S2R R0, SR_TID.X ; /* 0xf0c8000002170000 */\n"
        "/*0010*/ {{ MOV R1, R2.reuse ; /* 0x5c98078000270001 */\n"
        "/*0018*/ @!P0 BRA 0x20 }}\n /* 0xe24000000008000f */\n"
        " /* {:#018x} */\n/*0028*/ EXIT ; /* 0xe30000000007000f */\n",
        word, word);
    const auto module = read_sass(text, "k.sass");
    const auto& code = module.functions.at(0).instructions;
    REQUIRE(code.size() == 4);
    CHECK(code[0].control.stall == 6);
    CHECK(code[0].control.write_barrier == 2);
    CHECK(code[0].control.read_barrier == -1);
    CHECK_FALSE(code[0].control.gives_way);
    CHECK(code[1].control.dual_issue);
    CHECK(code[1].control.reuse == 1);
    CHECK(code[1].printed == "MOV R1, R2.reuse");
    CHECK(code[2].control.stall == 5);
    CHECK(code[2].control.wait_mask == 9);
    CHECK_FALSE(code[2].control.dual_issue);
    CHECK(code[2].guard.negated);
    CHECK(code[2].encoding[0] == 0xe24000000008000fU);
    // a branch may lead to the control word in front of its target
    CHECK(module.functions[0].index_at(0x20) == 3);
    CHECK_FALSE(module.functions[0].index_at(0x10 + 4).has_value());
    CHECK(code[3].control.stall == 6);
    CHECK(faults_of("code for sm_61\nFunction : f\n/*0028*/ EXIT; /* 0xe30000000007000f */\n") ==
          Lines{"k.sass:3:1: encoding: no control word before this group of three"});
    CHECK(faults_of("code for sm_61\nFunction : f\n/* 0xffffffffffffffff */\n/*0008*/ EXIT;\n") ==
          Lines{"k.sass:3:1: encoding: not a control word: bit 63 must be 0"});
    CHECK(faults_of(
              "code for sm_61\nFunction : f\n/* 0x0000000000000000 */\n/*0008*/ EXIT }\n/*0010*/ EXIT;\n") ==
          Lines{"k.sass:5:1: encoding: the instruction before lacks its encoding"});
    CHECK(faults_of(head + "/*0000*/ EXIT }\n") ==
          Lines{"k.sass:3:10: instruction: expected ';' after the instruction"});
    const auto plain =
        read_sass("code for sm_61\nFunction : f\n/*0008*/ { NOP ;\n/*0010*/ EXIT }\n", "k.sass");
    CHECK(plain.functions.at(0).instructions.size() == 2);
    CHECK_FALSE(plain.functions[0].instructions[1].control.known);
}

TEST_CASE("reader: a listing without encodings has unknown control", "[sass][reader]") {
    const auto module = read_sass(head + "/*0000*/ MOV R1, R2 ;\n/*0010*/ EXIT ;\n", "k.sass");
    REQUIRE(module.functions.at(0).instructions.size() == 2);
    CHECK_FALSE(module.functions[0].instructions[0].control.known);
    CHECK(module.functions[0].instructions[1].line == 4);
    CHECK(module.functions[0].arch == "sm_80");
}

TEST_CASE("reader: encodings without text", "[sass][reader]") {
    const std::string text = head +
                             "/*0000*/ EXIT ; /* 0x000000000000794d */\n /* 0x000fea0003800000 */\n"
                             " /* 0x0000004094127836 */\n /* 0x040fe20000000000 */\n"
                             " /* 0x0000000b040e7c36 */\n /* 0x000fca0008000000 */\n"
                             " /* 0x000000080eb1799f */\n /* 0x000362000c1e1900 */\n";
    const auto module = read_sass(text, "k.sass");
    const auto& code = module.functions.at(0).instructions;
    REQUIRE(code.size() == 4);
    CHECK(code[1].address == 0x10);
    CHECK(code[1].opcode == "VIADD");
    CHECK(code[1].guard.always());
    CHECK(code[1].operands[0].index == 0x12);
    CHECK(code[1].operands[1].index == 0x94);
    CHECK(code[1].operands[1].reuse);
    CHECK(code[1].operands[2].value == 0x40);
    CHECK(code[2].operands[2].kind == OperandKind::uniform_reg);
    CHECK(code[2].operands[2].index == 11);
    CHECK(code[2].control.stall == 5);
    const auto unknown = unknown_opcodes(module.functions[0]);
    REQUIRE(unknown.size() == 1);
    CHECK(unknown[0].opcode == "OPCODE_0x99f");
    CHECK(unknown[0].first_address == 0x30);
}

TEST_CASE("reader: faults name their place, all at once", "[sass][reader]") {
    CHECK(faults_of("") ==
          Lines{"k.sass: listing: no function found; expected the output of cuobjdump -sass"});
    CHECK(faults_of("Function : f\n") ==
          Lines{"k.sass:1: arch: no 'code for sm_XX' before the first function"});
    CHECK(faults_of("code for sm_30\nFunction : f\n") ==
          Lines{"k.sass:2: arch: 'sm_30' is not read; allowed: sm_35, sm_37, sm_50 and later"});
    CHECK(faults_of(head) == Lines{"k.sass:2: function: 'f' has no instructions"});
    CHECK(faults_of(head + "/*0000*/ MOV R1, R300 ;\n/*0010*/ MOV R1, [R2 ;\n") ==
          Lines{"k.sass:3:18: operand: no register 'R300'", "k.sass:4:18: operand: missing ']'"});
    CHECK(faults_of(head + "/*0000*/ MOV R1, R2\n") ==
          Lines{"k.sass:3:9: instruction: expected ';' after the instruction"});
    CHECK(faults_of(head + "/*zz*/ EXIT ;\n") ==
          Lines{"k.sass:3:1: address: expected an address as /*0010*/, below 2^32"});
    CHECK(faults_of(head + "/*0000*/ @Q0 EXIT ;\n") ==
          Lines{"k.sass:3:10: guard: expected @P0 ... @P6, @PT or @UP0 ..., got '@Q0'"});
    CHECK(faults_of(head + "/*0000*/ exit ;\n") ==
          Lines{"k.sass:3:10: opcode: expected a mnemonic, got 'exit'"});
    CHECK(faults_of(head + "/*0000*/ EXIT ; /* 0x12 */\n") ==
          Lines{"k.sass:3:17: encoding: expected /* 0x and 16 hexadecimal digits */"});
    CHECK(faults_of(head + "/*0000*/ MOV R1, , R2 ;\n") == Lines{"k.sass:3:17: operand: empty operand"});
    CHECK(faults_of(head + "/*0010*/ EXIT ;\n/*0010*/ EXIT ;\n") ==
          Lines{"k.sass:4:1: address: addresses do not ascend"});
    CHECK(faults_of(head + "/*0010*/ EXIT ;\n/*0030*/ EXIT ;\n") ==
          Lines{"k.sass:4:1: address: instructions are missing before this address"});
    CHECK(faults_of(head + "/*0000*/ BRA 0x50 ;\n") ==
          Lines{"k.sass:3:14: target: no instruction at this address in the function"});
    CHECK(faults_of(head + "/*0000*/ EXIT ; /* 0x000000000000794d */\n/*0010*/ EXIT ;\n") ==
          Lines{"k.sass:4:1: encoding: the instruction before lacks the second half of its encoding"});
    CHECK(faults_of("code for sm_35\nFunction : f\n/* 0x0000000000000000 */\n/*0008*/ EXIT;\n") ==
          Lines{"k.sass:3:1: encoding: not a control word: bits 58-63 must be 2, bits 0-1 must be 0"});
    CHECK(faults_of("code for sm_35\nFunction : f\n/*0048*/ EXIT; /* 0x18000000001c003c */\n") ==
          Lines{"k.sass:3:1: encoding: no control word before this group of seven"});
}

TEST_CASE("reader: at most about a hundred faults", "[sass][reader]") {
    std::string text = head;
    for (int i = 0; i < 1000; ++i) {
        text += "/*0000*/ bad ;\n";
    }
    const auto faults = faults_of(text);
    CHECK(faults.size() == 101);
    CHECK(faults.back() == "k.sass:102: listing: too many faults; reading stopped here");
}

TEST_CASE("reader: random damage is refused or read, never worse", "[sass][reader]") {
    std::mt19937 random(20261121);  // fixed seed: the same damage every run
    const std::string bytes =
        " \t\n/*[]{}()@!,;.|-~+cRUP0x19fZ\xff\0"
        "A";
    int refused = 0;
    constexpr int tries = 1500;
    for (int i = 0; i < tries; ++i) {
        const auto& arch = listing_archs[static_cast<std::size_t>(i) % listing_archs.size()];
        static std::map<std::string, std::string> texts;
        auto& whole = texts[arch];
        if (whole.empty()) {
            whole = listing_text(arch);
        }
        const std::size_t begin = random() % (whole.size() - 20000);
        std::string text =
            "code for " + arch + "\nFunction : f\n" + whole.substr(whole.find('\n', begin), 8000);
        for (auto hit = random() % 6; hit > 0; --hit) {
            const auto at = random() % text.size();
            switch (random() % 3) {
                case 0:
                    text[at] = bytes[random() % bytes.size()];
                    break;
                case 1:
                    text.erase(at, random() % 100);
                    break;
                default:
                    text.insert(at, 1 + random() % 3, bytes[random() % bytes.size()]);
            }
        }
        CHECK(fuzz_sass(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()) == 0);
        refused += faults_of(text).empty() ? 0 : 1;
    }
    CHECK(refused > tries / 4);
}

TEST_CASE("control information behind the operands is read, and checked") {
    const auto first = [](const std::string& line) {
        return read_sass("\tcode for sm_100\n\t\tFunction : f\n        /*0000*/ " + line + " ;\n", "test")
            .functions.front()
            .instructions.front();
    };
    const auto load = first("LDC R1, c[0x0][0x37c]   &req={0,5} &wr=0x1 &rd=0x2   ?trans7");
    CHECK(load.operands.size() == 2);
    CHECK(load.control.known);
    CHECK(load.control.stall == 7);
    CHECK(load.control.write_barrier == 1);
    CHECK(load.control.read_barrier == 2);
    CHECK(load.control.wait_mask == 0x21);
    CHECK(first("IMAD R7, R0, UR4, R7 &req={1} ?WAIT5_END_GROUP").control.stall == 5);
    CHECK_FALSE(first("IMAD R7, R0, UR4, R7").control.known);
    for (const auto* line : {"NOP &wr=0x9", "NOP &req={7}", "NOP &xy=0x1", "NOP ?trans99", "NOP &req={"}) {
        CHECK_THROWS_AS(first(line), InputError);
    }
}

TEST_CASE("instructions without text: minima and maxima of three, by CUDA 13.0 for sm_90") {
    const auto first = [](const std::string& low, const std::string& high) {
        return read_sass("\tcode for sm_90\n\t\tFunction : f\n  /* " + low + " */\n  /* " + high + " */\n",
                         "test")
            .functions.front()
            .instructions.front();
    };
    // add.s32 r5, r0, r1; max.relu.s32 r4, r5, r2
    const auto sum = first("0x0000000700077246", "0x004fca0007801106");
    CHECK(sum.mnemonic() == "VIADDMNMX.RELU");
    REQUIRE(sum.operands.size() == 5);
    CHECK(sum.operands[2].index == 7);
    CHECK(sum.operands[3].index == 6);
    CHECK(sum.operands[4].inverted);
    // sub.s32 r5, r0, r7; max.s32 r4, r5, -1184890880
    const auto difference = first("0xb960000000077446", "0x004fca0007800907");
    REQUIRE(difference.operands.size() == 5);
    CHECK(difference.operands[2].negated);
    CHECK(difference.operands[2].index == 7);
    CHECK(static_cast<std::int32_t>(difference.operands[3].value) == -1184890880);
    // add.s32 r5, r0, 16; min.s32 r4, r5, r2
    const auto immediate = first("0x0000001000077846", "0x004fca0003800107");
    CHECK(immediate.operands[2].value == 16);
    CHECK(immediate.operands[3].index == 7);
    CHECK_FALSE(immediate.operands[4].inverted);
    // min(r5 + r2, what is the same for the whole grid)
    const auto bounded = first("0x0000000405097e46", "0x000fe4000b800102");
    CHECK(bounded.mnemonic() == "VIADDMNMX");
    REQUIRE(bounded.operands.size() == 5);
    CHECK(bounded.operands[1].index == 5);
    CHECK(bounded.operands[2].kind == OperandKind::reg);
    CHECK(bounded.operands[2].index == 2);
    CHECK(bounded.operands[3].kind == OperandKind::uniform_reg);
    CHECK(bounded.operands[3].index == 4);
    CHECK(first("0x000000070007720f", "0x004fca0007800206").mnemonic() == "VIMNMX3.U16x2");
    CHECK(first("0x0000000700077248", "0x004fca0003fe0200").mnemonic() == "VIMNMX.U16x2");
    CHECK(first("0x0000000700077236", "0x004fca0000000200").mnemonic() == "VIADD.16x2");
    // a bit that nobody has seen
    CHECK(first("0x0000000700077246", "0x004fca0007802106").mnemonic() == "OPCODE_0x246");
}

TEST_CASE("instructions without text: minima and maxima of three pairs of halves, by CUDA 13.0 for sm_90") {
    const auto first = [](const std::string& low, const std::string& high) {
        return read_sass("\tcode for sm_90\n\t\tFunction : f\n  /* " + low + " */\n  /* " + high + " */\n",
                         "test")
            .functions.front()
            .instructions.front();
    };
    // max.f16x2 of |a|, |b| and |c|; of -|a|, -|b| and -|c|
    const auto magnitudes = first("0x4000000700077247", "0x004fca0007880206");
    CHECK(magnitudes.mnemonic() == "VHMNMX");
    REQUIRE(magnitudes.operands.size() == 5);
    CHECK(magnitudes.operands[0].index == 7);
    CHECK(magnitudes.operands[1].index == 0);
    CHECK(magnitudes.operands[2].index == 7);
    CHECK(magnitudes.operands[3].index == 6);
    CHECK(magnitudes.operands[4].inverted);
    const auto negated = first("0xc000000700077247", "0x004fca0007980306");
    for (const std::size_t i : {1U, 2U, 3U}) {
        CHECK(magnitudes.operands[i].absolute);
        CHECK_FALSE(magnitudes.operands[i].negated);
        CHECK((negated.operands[i].absolute && negated.operands[i].negated));
    }
    CHECK(first("0x0000000700077247", "0x004fca0003820006").mnemonic() == "VHMNMX.NAN");
    CHECK(first("0x0000000700077247", "0x004fca0007a20006").mnemonic() == "VHMNMX.BF16_V2.NAN");
    CHECK_FALSE(first("0x0000000700077247", "0x004fca0003a00006").operands[4].inverted);
    // one half for both of the first, the second and the third source
    CHECK(first("0x0000000600077247", "0x008fca0007800c07").operands[1].text == "H1_H1");
    CHECK(first("0x2000000600077247", "0x008fca0007800007").operands[2].text == "H0_H0");
    CHECK(first("0x0000000700077247", "0x008fca0007803006").operands[3].text == "H1_H1");
    // the halves 2 and 1
    CHECK(first("0x40003c0000077847", "0x004fca0007800007").operands[2].value == 0x40003c00);
    // .FTZ's place in HMNMX2
    CHECK(first("0x0000000700077247", "0x004fca0007810006").mnemonic() == "OPCODE_0x247");
}

TEST_CASE("what is no listing is said to be what it is") {
    const auto message = [](const std::string& text) -> std::string {
        try {
            (void)read_sass(text, "test");
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    CHECK_THAT(message("\x7f"
                       "ELF..."),
               Catch::Contains("compiled file: cuobjdump -sass -elf"));
    CHECK_THAT(message(".version 7.8\n.target sm_80\n"), Catch::Contains("this is PTX"));
    CHECK_THAT(message("__global__ void f() {}\n"), Catch::Contains("this is CUDA source"));
    CHECK_THAT(message("hello\n"), Catch::Contains("expected the output of cuobjdump -sass"));
}
