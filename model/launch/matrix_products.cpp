#include "model/launch/matrix_products.h"

#include <algorithm>
#include <cmath>
#include <string_view>

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

// Of the products that the code names.
double droop_of(const ArchSpec& arch, const KernelProgram& program) {
    const auto& group = arch.sm.group_products;
    const auto& names = program.mnemonics.names();
    const auto multiplies = [&](std::string_view opcode, std::string_view type) {
        return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
            return name.substr(0, opcode.size()) == opcode && name.find(type) != std::string_view::npos;
        });
    };
    const double f16 = group.clock_droop.value_or(0);
    return multiplies("HGMMA", "BF16")   ? group.clock_droop_bf16.value_or(f16)
           : multiplies("HGMMA", "TF32") ? group.clock_droop_tf32.value_or(f16)
           : multiplies("IGMMA", "")     ? group.clock_droop_int8.value_or(f16)
                                         : f16;
}

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
    const double most = std::min(arch.clock.sm_hz, arch.clock.most_hz.value_or(arch.clock.sm_hz));
    if (!arch.clock.tensor_hz || *arch.clock.tensor_hz >= most) {
        return most;
    }
    auto used = tensor_classes(program);
    for (const auto op : full_clock) {
        used[static_cast<std::size_t>(op)] = false;
    }
    const bool slower = std::find(used.begin(), used.end(), true) != used.end();
    return slower ? *arch.clock.tensor_hz : most;
}

double drooping_clock(const ArchSpec& arch, const KernelProgram& program, double fill) {
    const double clock = launch_clock(arch, program);
    if (!tensor_classes(program)[static_cast<std::size_t>(OpClass::group_mma)]) {
        return clock;
    }
    const double most =
        arch.clock.tensor_hz ? std::min(*arch.clock.tensor_hz, arch.clock.sm_hz) : arch.clock.sm_hz;
    return std::min(clock, most * (1 - droop_of(arch, program) * std::pow(std::clamp(fill, 0.0, 1.0), 1.5)));
}

}  // namespace gpumodel
