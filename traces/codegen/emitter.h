// Appends instructions to a segment's code: what each reads and writes, and where the address arithmetic
// between them goes.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "traces/codegen/code_style.h"
#include "traces/codegen/registers/register_plan.h"
#include "traces/kernel_program.h"

namespace gpumodel {

// Mnemonics of one program, looked up once each.
class Mnemonics {
public:
    Mnemonics(const CodeStyle& style, MnemonicTable& table);
    [[nodiscard]] std::uint16_t of(OpClass op);
    [[nodiscard]] std::uint16_t of_access(const AccessSite& site);
    [[nodiscard]] std::uint16_t of_exit() { return table_.intern("EXIT"); }
    [[nodiscard]] std::uint16_t of_zeroing();

private:
    const CodeStyle& style_;
    MnemonicTable& table_;
    std::array<int, op_class_count> by_class_;
    std::array<int, 64> by_access_;
};

// A vector register or several as an operand.
[[nodiscard]] RegisterUse vector_registers(int first, int width = 1, int slot = -1);

// What follows a segment's last instruction.
enum class Ending : unsigned char { segment, loop, program };

class Emitter {
public:
    Emitter(const CodeStyle& style, const RegisterPlan& plan, Mnemonics& names, Segment& segment);

    Instruction& add(OpClass op);
    // The access at `word` of site `number`; the data registers are to be added by the caller.
    Instruction& access(int number, int word);

    // Address and index arithmetic still to be spread over the segment, and the next `count` of it.
    [[nodiscard]] int arithmetic_left() const {
        return static_cast<int>(arithmetic_.size()) - static_cast<int>(next_arithmetic_);
    }
    void arithmetic(int count);
    // Accumulators that the next moves set to zero.
    void zero_accumulators(bool pending) { zeroing_ = pending; }
    // One of the additions counts the enclosing loop's trips. It and the compare come last: addresses are
    // computed from the counter before it goes on, and the branch is far.
    void count_trips();
    // Stores keep to an address that was there before the arithmetic between them.
    void keep_address() {
        keeps_address_ = true;
        address_ = RegisterPlan::shared_base;
    }
    [[nodiscard]] bool closes_loop() const { return closes_loop_; }
    // What is left: arithmetic, then branches, then the barrier; without one, the last branch closes the loop
    // or is the program's EXIT.
    void finish(Ending ending);

private:
    void arithmetic(OpClass op);
    [[nodiscard]] bool is_last_addition() const {
        return std::find(arithmetic_.begin() + static_cast<std::ptrdiff_t>(next_arithmetic_),
                         arithmetic_.end(), OpClass::iadd) == arithmetic_.end();
    }
    void compute(Instruction& instruction);  // an index or address from earlier ones
    void zero_some();
    void forward_branch();
    [[nodiscard]] int next_temporary(int width);
    [[nodiscard]] int& left(OpClass op) { return left_[static_cast<std::size_t>(op)]; }

    const CodeStyle& style_;
    const RegisterPlan& plan_;
    Mnemonics& names_;
    Segment& segment_;
    std::vector<Instruction> code_;           // the segment's, once it is finished
    std::array<int, op_class_count> left_{};  // of barrier and branch
    std::vector<OpClass> arithmetic_;
    std::size_t next_arithmetic_ = 0;
    int uniform_ = 0;                          // uniform instructions so far
    int temporary_ = 0;                        // index of the next one
    std::array<int, 3> recent_{};              // results of the last three
    int address_ = RegisterPlan::shared_base;  // last 32-bit result
    int pointer_ = RegisterPlan::pointers;     // last 64-bit one
    bool compared_ = false;
    bool zeroing_ = false;
    bool closes_loop_ = false;  // this segment closes a loop
    bool keeps_address_ = false;
    std::size_t zeroed_ = 0;
};

void add_result(Instruction& instruction, const RegisterUse& use);
void add_source(Instruction& instruction, const RegisterUse& use);

}  // namespace gpumodel
