// Copies of a list share it until one is edited; what is remembered by identity must not outlive an edit.
#include "traces/instruction_list.h"

#include <catch2/catch.hpp>

namespace gpumodel {
namespace {

Instruction of(OpClass op) {
    Instruction instruction;
    instruction.op = op;
    return instruction;
}

}  // namespace

TEST_CASE("instruction list: copies share, edits part", "[codegen]") {
    const InstructionList none;
    CHECK(none.empty());
    CHECK(none.identity() == 0);
    InstructionList first{of(OpClass::ffma), of(OpClass::branch)};
    const InstructionList copy = first;
    CHECK(copy.all().data() == first.all().data());
    CHECK(copy.identity() == first.identity());
    first.edit()[0].op = OpClass::mov;
    CHECK(copy[0].op == OpClass::ffma);
    CHECK(first[0].op == OpClass::mov);
    CHECK(first.identity() != copy.identity());
}

TEST_CASE("instruction list: every edit is another list", "[codegen]") {
    InstructionList list;
    list.push_back(of(OpClass::ffma));
    const auto before = list.identity();
    list.push_back(of(OpClass::branch));
    CHECK(list.size() == 2);
    CHECK(list.back().op == OpClass::branch);
    CHECK(list.identity() != before);
    const InstructionList equal{of(OpClass::ffma), of(OpClass::branch)};
    CHECK(equal.identity() != list.identity());
}

}  // namespace gpumodel
