#include "model/launch/matrix_products.h"

#include <algorithm>

namespace gpumodel {
namespace {

void note_tensor_classes(const std::vector<Node>& body, TensorClasses& used) {
    for (const auto& node : body) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            note_tensor_classes(loop->body, used);
            continue;
        }
        for (const auto& segment : std::get<Interval>(node).segments) {
            for (std::size_t i = 0; i < op_class_count; ++i) {
                used[i] = used[i] || (op_classes[i].group == OpGroup::tensor && segment.ops[i] > 0);
            }
        }
    }
}

// Measured: loops of DMMA stay at the full clock.
constexpr std::array full_clock{OpClass::dmma_884, OpClass::dmma_1684, OpClass::dmma_1688,
                                OpClass::dmma_16816};

}  // namespace

TensorClasses tensor_classes(const KernelProgram& program) {
    TensorClasses used{};
    note_tensor_classes(program.body, used);
    for (const auto& variant : program.variants) {
        note_tensor_classes(variant.body, used);
    }
    return used;
}

bool executes_matrix_products(const KernelProgram& program) {
    const auto used = tensor_classes(program);
    return std::find(used.begin(), used.end(), true) != used.end();
}

double launch_clock(const ArchSpec& arch, const KernelProgram& program) {
    if (!arch.clock.tensor_hz || *arch.clock.tensor_hz >= arch.clock.sm_hz) {
        return arch.clock.sm_hz;
    }
    auto used = tensor_classes(program);
    for (const auto op : full_clock) {
        used[static_cast<std::size_t>(op)] = false;
    }
    const bool slower = std::find(used.begin(), used.end(), true) != used.end();
    return slower ? *arch.clock.tensor_hz : arch.clock.sm_hz;
}

}  // namespace gpumodel
