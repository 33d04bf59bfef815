#include "model/power/launch_power.h"

#include <array>
#include <cmath>

#include "model/launch/compute_peak.h"

namespace gpumodel {
namespace {

using Energy = std::optional<double> Power::*;

// Of a thread's instruction, by the group of its class; products go by their FLOP.
Energy energy_of(const OpClassRow& row) {
    switch (row.group) {
        case OpGroup::fp32:
            return &Power::fp32_joules;
        case OpGroup::fp64_fp16:
            return row.op == OpClass::dfma ? &Power::fp64_joules : &Power::fp16_joules;
        case OpGroup::special:
        case OpGroup::shuffle:
            return &Power::special_joules;
        case OpGroup::tensor:
            return nullptr;
        case OpGroup::integer:
        case OpGroup::move:
        case OpGroup::shared_load:
        case OpGroup::shared_store:
        case OpGroup::global_load:
        case OpGroup::global_store:
        case OpGroup::async_copy:
        case OpGroup::barrier:
        case OpGroup::branch:
            break;
    }
    return &Power::integer_joules;
}

struct WarpProduct {
    OpClass op;
    double operations;  // of a warp instruction: 2 M N K; of a step of HMMA.884 its part
    Energy energy;
};
constexpr auto warp_products = std::to_array<WarpProduct>({
    {OpClass::hmma_884_f16, 1024, &Power::f16_product_joules},
    {OpClass::hmma_884_f32, 512, &Power::f16_product_joules},
    {OpClass::hmma_1688_f16, 2048, &Power::f16_product_joules},
    {OpClass::hmma_1688_f32, 2048, &Power::f16_product_joules},
    {OpClass::hmma_16816_f16, 4096, &Power::f16_product_joules},
    {OpClass::hmma_16816_f32, 4096, &Power::f16_product_joules},
    {OpClass::hmma_1684_tf32, 1024, &Power::tf32_product_joules},
    {OpClass::hmma_1688_tf32, 2048, &Power::tf32_product_joules},
    {OpClass::imma_8816, 2048, &Power::int8_product_joules},
    {OpClass::imma_16816, 4096, &Power::int8_product_joules},
    {OpClass::imma_16832, 8192, &Power::int8_product_joules},
    {OpClass::dmma_884, 512, &Power::f64_product_joules},
    {OpClass::dmma_1684, 1024, &Power::f64_product_joules},
    {OpClass::dmma_1688, 2048, &Power::f64_product_joules},
    {OpClass::dmma_16816, 4096, &Power::f64_product_joules},
});

// A sum of which a part may be unknown.
class Sum {
public:
    explicit Sum(const Power& power) : power_(power) {}
    void add(double amount, Energy energy) {
        if (amount <= 0) {
            return;
        }
        known_ = known_ && energy != nullptr && (power_.*energy).has_value();
        joules_ += known_ ? amount * *(power_.*energy) : 0;
    }
    [[nodiscard]] bool known() const { return known_; }
    [[nodiscard]] double joules() const { return joules_; }

private:
    const Power& power_;
    double joules_ = 0;
    bool known_ = true;
};

}  // namespace

bool knows_power(const ArchSpec& arch) {
    return arch.power.limit_watts && arch.power.idle_watts && arch.power.integer_joules;
}

std::optional<double> promised_clock(const ArchSpec& arch, double hz) {
    // an L4 with 72 W does SGEMM at 0.43 of its 2040 MHz (published rows neusight-l4), where it is promised
    // 795
    constexpr double far_below = 0.6;
    const auto& base = arch.clock.base_hz;
    return knows_power(arch) || !base || *base > far_below * hz ? std::nullopt : base;
}

std::optional<LaunchEnergy> launch_energy(const KernelProgram& program, const ArchSpec& arch,
                                          const LaunchCounts& counts, const Traffic& traffic) {
    if (!knows_power(arch)) {
        return std::nullopt;
    }
    Sum core(arch.power), memory(arch.power);
    for (std::size_t i = 0; i < op_class_count; ++i) {
        if (op_classes[i].group != OpGroup::tensor) {
            core.add(counts.thread_instructions[i], energy_of(op_classes[i]));
        }
    }
    for (const auto& product : warp_products) {
        const double threads = counts.thread_instructions[static_cast<std::size_t>(product.op)];
        core.add(threads / arch.sm.warp_size * product.operations, product.energy);
    }
    if (counts.thread_instructions[static_cast<std::size_t>(OpClass::group_mma)] > 0) {
        core.add(group_flops_as_fp16(program), &Power::group_product_joules);  // walks the program
    }
    core.add(counts.shared_load.lane_bytes + counts.shared_store.lane_bytes + counts.copies.lane_bytes,
             &Power::shared_joules);
    core.add(counts.global_load.lane_bytes + counts.global_store.lane_bytes, &Power::l1_joules);
    memory.add(traffic.l2_read_bytes + traffic.l2_write_bytes, &Power::l2_joules);
    memory.add(traffic.dram_read_bytes + traffic.dram_write_bytes, &Power::dram_joules);
    if (!core.known() || !memory.known()) {
        return std::nullopt;
    }
    return LaunchEnergy{core.joules(), memory.joules()};
}

double average_watts(const ArchSpec& arch, const LaunchEnergy& energy, double hz, double seconds) {
    const double scale = std::pow(hz / arch.clock.sm_hz, arch.power.clock_exponent.value_or(1));
    return arch.power.idle_watts.value_or(0) + (energy.core_joules * scale + energy.memory_joules) / seconds;
}

void set_power(const ArchSpec& arch, Prediction& p) {
    if (!p.energy || !is_predicted(p.status) || p.time_seconds <= 0) {
        return;
    }
    p.average_watts = average_watts(arch, *p.energy, p.sm_hz, p.time_seconds);
    p.energy_joules = *p.average_watts * p.time_seconds;
    if (arch.power.error_band) {
        p.power_band_pct = 100 * *arch.power.error_band;
    }
}

}  // namespace gpumodel
