// Schema rows of power: the board's limits and the energies of what a launch does.
#include "arch_specs/schema/schema_rows.h"

namespace gpumodel::schema_rows {

void add_power_rows(std::vector<Field>& rows) {
    rows.push_back(row(
        "power.limit", D::watts, Need::optional, 1, 100000.0, "board power that the driver holds",
        [](auto& s) -> auto& { return s.power.limit_watts; }));
    rows.push_back(row(
        "power.idle", D::watts, Need::optional, 0, 100000.0,
        "board power with the clock up and nothing at work",
        [](auto& s) -> auto& { return s.power.idle_watts; }));
    rows.push_back(row(
        "power.clock_exponent", D::ratio, Need::optional, 0, 3,
        "energies of the SMs go with this power of the clock over clock.sm; absent = 1",
        [](auto& s) -> auto& { return s.power.clock_exponent; }));
    rows.push_back(row(
        "power.error_band", D::ratio, Need::optional, 0, 1,
        "nine of ten measured launches drew within this part of the prediction",
        [](auto& s) -> auto& { return s.power.error_band; }));
    rows.push_back(row(
        "power.energy.fp32", D::joules, Need::optional, 0, 1e-6, "of a thread's FP32 instruction",
        [](auto& s) -> auto& { return s.power.fp32_joules; }));
    rows.push_back(row(
        "power.energy.fp64", D::joules, Need::optional, 0, 1e-6, "of a thread's FP64 instruction",
        [](auto& s) -> auto& { return s.power.fp64_joules; }));
    rows.push_back(row(
        "power.energy.fp16", D::joules, Need::optional, 0, 1e-6, "of a thread's packed FP16 instruction",
        [](auto& s) -> auto& { return s.power.fp16_joules; }));
    rows.push_back(row(
        "power.energy.integer", D::joules, Need::optional, 0, 1e-6,
        "of a thread's integer or any other instruction",
        [](auto& s) -> auto& { return s.power.integer_joules; }));
    rows.push_back(row(
        "power.energy.special", D::joules, Need::optional, 0, 1e-6,
        "of a thread's special-function instruction",
        [](auto& s) -> auto& { return s.power.special_joules; }));
    rows.push_back(row(
        "power.energy.f16_product", D::joules, Need::optional, 0, 1e-6,
        "of a FLOP of warps' matrix products of FP16 or BF16",
        [](auto& s) -> auto& { return s.power.f16_product_joules; }));
    rows.push_back(row(
        "power.energy.tf32_product", D::joules, Need::optional, 0, 1e-6,
        "of a FLOP of warps' matrix products of TF32",
        [](auto& s) -> auto& { return s.power.tf32_product_joules; }));
    rows.push_back(row(
        "power.energy.int8_product", D::joules, Need::optional, 0, 1e-6,
        "of an operation of warps' matrix products of 8-bit integers",
        [](auto& s) -> auto& { return s.power.int8_product_joules; }));
    rows.push_back(row(
        "power.energy.f64_product", D::joules, Need::optional, 0, 1e-6,
        "of a FLOP of warps' matrix products of FP64",
        [](auto& s) -> auto& { return s.power.f64_product_joules; }));
    rows.push_back(row(
        "power.energy.group_product", D::joules, Need::optional, 0, 1e-6,
        "of a FLOP of warp groups' FP16 products, operands read from shared memory included",
        [](auto& s) -> auto& { return s.power.group_product_joules; }));
    rows.push_back(row(
        "power.energy.shared", D::joules, Need::optional, 0, 1e-6,
        "of a byte through the banks of shared memory",
        [](auto& s) -> auto& { return s.power.shared_joules; }));
    rows.push_back(row(
        "power.energy.l1", D::joules, Need::optional, 0, 1e-6, "of a byte of a global access through L1",
        [](auto& s) -> auto& { return s.power.l1_joules; }));
    rows.push_back(row(
        "power.energy.l2", D::joules, Need::optional, 0, 1e-6, "of a byte between L2 and an SM",
        [](auto& s) -> auto& { return s.power.l2_joules; }));
    rows.push_back(row(
        "power.energy.dram", D::joules, Need::optional, 0, 1e-6, "of a byte between DRAM and L2",
        [](auto& s) -> auto& { return s.power.dram_joules; }));
}

}  // namespace gpumodel::schema_rows
