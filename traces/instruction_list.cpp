#include "traces/instruction_list.h"

#include <atomic>
#include <utility>

namespace gpumodel {
namespace {

std::uint64_t next_identity() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

}  // namespace

InstructionList::InstructionList(std::vector<Instruction> list)
    : held_(std::make_shared<Held>(Held{std::move(list), next_identity()})) {}

InstructionList::InstructionList(std::initializer_list<Instruction> list)
    : InstructionList(std::vector<Instruction>(list)) {}

const std::vector<Instruction>& InstructionList::all() const {
    static const std::vector<Instruction> none;
    return held_ ? held_->list : none;
}

std::vector<Instruction>& InstructionList::edit() {
    if (!held_) {
        held_ = std::make_shared<Held>();
    } else if (held_.use_count() > 1) {
        held_ = std::make_shared<Held>(*held_);
    }
    held_->identity = next_identity();
    return held_->list;
}

}  // namespace gpumodel
