// Schema rows of the chip as a whole: identity, clocks, launch cost, what the maker declares.
#include <string>

#include "arch_specs/schema/schema_rows.h"

namespace gpumodel::schema_rows {

ComputeCapability compute_capability_from(const std::string& text) {
    const auto dot = text.find('.');
    return {std::stoi(text.substr(0, dot)), std::stoi(text.substr(dot + 1))};
}

std::string compute_capability_text(ComputeCapability cc) {
    return std::to_string(cc.major) + "." + std::to_string(cc.minor);
}

void add_chip_rows(std::vector<Field>& rows) {
    rows.push_back(row(
        "marketing_name", Need::product, "the maker's name of the product",
        [](auto& s) -> auto& { return s.marketing_name; }));
    rows.push_back(row(
        "compute_capability", Need::always, "compute capability, MAJOR.MINOR",
        [](auto& s) -> auto& { return s.cc; }));
    rows.push_back(row(
        "sm_count", D::count, Need::product, 1, 1024, "SMs of one GPU",
        [](auto& s) -> auto& { return s.sm_count; }));
    rows.push_back(row(
        "gpc.sms", D::count, Need::optional, 1, 1024,
        "SMs of each GPC, in which a cluster of blocks has to find room; absent = it finds room anywhere",
        [](auto& s) -> auto& { return s.gpc.sms; }));
    rows.back().repeats = true;
    rows.push_back(row(
        "coalescing_rule", Need::always, "how addresses of a warp become transactions",
        [](auto& s) -> auto& { return s.coalescing_rule; }));

    rows.push_back(row(
        "clock.sm", D::frequency, Need::product, 1e6, 1e10, "the SM clock that predictions use",
        [](auto& s) -> auto& { return s.clock.sm_hz; }));
    rows.push_back(row(
        "clock.base", D::frequency, Need::optional, 1e6, 1e10, "guaranteed SM clock",
        [](auto& s) -> auto& { return s.clock.base_hz; }));
    rows.push_back(row(
        "clock.boost", D::frequency, Need::optional, 1e6, 1e10, "highest rated SM clock",
        [](auto& s) -> auto& { return s.clock.boost_hz; }));
    rows.push_back(row(
        "clock.memory", D::frequency, Need::optional, 1e6, 1e11, "DRAM command clock",
        [](auto& s) -> auto& { return s.clock.memory_hz; }));
    rows.push_back(row(
        "clock.tensor", D::frequency, Need::optional, 1e6, 1e10,
        "the most that launches with matrix products get, those in FP64 excepted; absent = clock.sm",
        [](auto& s) -> auto& { return s.clock.tensor_hz; }));

    rows.push_back(row(
        "launch.overhead", D::seconds, Need::always, 0, 1e-3, "time one launch adds to a chain of launches",
        [](auto& s) -> auto& { return s.launch.overhead_seconds; }));
    rows.push_back(row(
        "launch.held_overhead", D::seconds, Need::optional, 0, 1e-3,
        "the same of a launch between two events that wait in a held stream, as recordings time it",
        [](auto& s) -> auto& { return s.launch.held_overhead_seconds; }));
    rows.push_back(row(
        "launch.blocks_per_cycle", D::blocks_per_cycle, Need::always, 1e-3, 1024,
        "blocks dispatched per cycle, whole GPU",
        [](auto& s) -> auto& { return s.launch.blocks_per_cycle; }));
    rows.push_back(row(
        "launch.block_turnover", D::cycles, Need::always, 0, 1e5,
        "from a block's last instruction to its successor's first",
        [](auto& s) -> auto& { return s.launch.block_turnover_cycles; }));
    rows.push_back(row(
        "launch.sm_drift", D::ratio, Need::optional, 0, 100,
        "standard deviation over SMs of when equal blocks end, in cycles per square root of idle cycles",
        [](auto& s) -> auto& { return s.launch.sm_drift; }));

    add_power_rows(rows);
    rows.push_back(row(
        "declared.fp32", D::flops, Need::optional, 1e9, 1e16, "FP32 peak the maker prints",
        [](auto& s) -> auto& { return s.declared.fp32_flops; }));
    rows.push_back(row(
        "declared.dram_bandwidth", D::bytes_per_second, Need::optional, 1e9, 1e14,
        "DRAM bandwidth the maker prints",
        [](auto& s) -> auto& { return s.declared.dram_bytes_per_second; }));
    rows.push_back(row(
        "declared.shared_bandwidth", D::bytes_per_second, Need::optional, 1e9, 1e15,
        "shared-memory bandwidth of all SMs as published",
        [](auto& s) -> auto& { return s.declared.shared_bytes_per_second; }));
}

}  // namespace gpumodel::schema_rows
