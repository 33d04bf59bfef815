#include "traces/emulate/translate/condition_code.h"

#include <algorithm>

#include "traces/emulate/operations/lane_operations.h"

namespace gpumodel::emulate {

namespace {

void flags_of_result(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& a = from(warp, op, 0);
    u32 zero = 0, negative = 0;
    for (std::size_t i = 0; i < lane_count; ++i) {
        zero |= a.at[i] == 0 ? lane_bit[i] : 0;
        negative |= as_signed(a.at[i]) < 0 ? lane_bit[i] : 0;
    }
    warp.set_predicate(op.predicate_to[0], zero, mask);
    warp.set_predicate(op.predicate_to[1], negative, mask);
}

}  // namespace

bool sets_condition_code(std::string_view opcode) {
    static constexpr std::string_view opcodes[] = {"IADD", "IADD3", "IADD32I", "ISUB", "ISCADD",  "ISCADD32I",
                                                   "LEA",  "IMAD",  "IMAD32I", "IMUL", "IMUL32I", "XMAD",
                                                   "ISET", "FSET",  "DSET",    "LOP",  "I2I",     "IMNMX"};
    return std::find(std::begin(opcodes), std::end(opcodes), opcode) != std::end(opcodes);
}

void set_result_flags(Translator& t, std::uint16_t slot) {
    auto op = t.make(&flags_of_result);
    op.from[0] = slot;
    op.predicate_to = {zero_flag, sign_flag};
    t.add(op);
}

void clear_carries(Translator& t) {
    auto op = t.make([](Warp& warp, const MicroOp& self, u32 mask) {
        warp.set_predicate(self.predicate_to[0], 0, mask);
        warp.set_predicate(self.predicate_to[1], 0, mask);
    });
    op.predicate_to = {carry_flag, second_carry_flag};
    t.add(op);
}

void test_for_zero(Translator& t, std::uint16_t slot, std::uint8_t predicate, bool inverted) {
    auto op = t.make([](Warp& warp, const MicroOp& self, u32 mask) {
        const u32 zero = lanes_where<[](u32 a, u32) { return a == 0; }>(from(warp, self, 0), Lanes{});
        warp.set_predicate(self.predicate_to[0], self.option != 0 ? zero : ~zero, mask);
    });
    op.from[0] = slot;
    op.option = inverted ? 1 : 0;
    op.predicate_to[0] = predicate;
    t.add(op);
}

}  // namespace gpumodel::emulate
