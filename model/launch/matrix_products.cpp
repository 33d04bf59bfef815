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

// Part of the clock that a launch of so many seconds loses.
double droop_in(const ArchSpec& arch, double droop, const ProductLoad& load, double seconds) {
    const auto& group = arch.sm.group_products;
    const double rate = load.sm_bytes / (seconds * arch.clock.sm_hz);
    const double steady = droop * std::pow(std::clamp(load.fill, 0.0, 1.0), 1.5) +
                          group.clock_droop_per_byte.value_or(0) * rate -
                          group.clock_droop_spared.value_or(0);
    const double delayed = group.clock_droop_delay_seconds.value_or(0) / seconds;
    return std::max(0.0, steady) * std::max(0.0, 1 - delayed);
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

double drooping_clock(const ArchSpec& arch, const KernelProgram& program, const ProductLoad& load) {
    const double clock = launch_clock(arch, program);
    const double droop = droop_of(arch, program);
    const bool multiplies = tensor_classes(program)[static_cast<std::size_t>(OpClass::group_mma)];
    if (!multiplies || droop <= 0 || load.cycles <= 0) {
        return clock;
    }
    const double most =
        arch.clock.tensor_hz ? std::min(*arch.clock.tensor_hz, arch.clock.sm_hz) : arch.clock.sm_hz;
    constexpr int rounds = 4;  // the time hangs on the clock: to 0.1 %
    double hz = clock;
    for (int i = 0; i < rounds; ++i) {
        hz = std::clamp(most * (1 - droop_in(arch, droop, load, load.cycles / hz)), most / 2, clock);
    }
    return hz;
}

}  // namespace gpumodel
