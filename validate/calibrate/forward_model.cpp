#include "validate/calibrate/forward_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "arch_specs/derive.h"
#include "validate/calibrate/forward_rows.h"

namespace gpumodel {
namespace {

constexpr BenchmarkParam number(std::string_view name) {
    return {name, ParamKind::number, {}};
}

BenchmarkParam word(std::string_view name, std::vector<std::string_view> words = {}) {
    return {name, ParamKind::word, std::move(words)};
}

std::vector<std::string> op_keys(const char* name, bool latency) {
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < op_class_count; ++i) {
        if (!latency || !has_derived_latency(static_cast<OpClass>(i))) {
            keys.push_back(fmt::format("sm.ops.{}.{}", op_class_names[i], name));
        }
    }
    return keys;
}

std::vector<Benchmark> build() {
    const std::string shared = "sm.shared_memory.";
    return {
        {"pipe_latency", "cycles", {word("OP")}, forward::pipe_latency, op_keys("latency", true)},
        {"pipe_throughput",
         "lanes_per_cycle",
         {word("OP"), number("WARPS")},
         forward::pipe_throughput,
         op_keys("throughput", false)},
        {"shared_latency",
         "cycles",
         {number("BITS"), number("DEGREE")},
         forward::shared_latency,
         {shared + "latency_32", shared + "latency_64", shared + "latency_128", shared + "conflict_latency",
          shared + "conflict_latency_per_word"}},
        {"shared_throughput",
         "cycles_per_instruction",
         {word("OP", {"ld", "st"}), number("BITS"), number("DEGREE"), number("WARPS")},
         forward::shared_throughput,
         {shared + "bandwidth", shared + "min_cycles_per_request", shared + "extra_cycles_per_request",
          shared + "sub_partition_interval"}},
        {"register_banks",
         "cycles_per_instruction",
         {number("READS"), number("SAME_BANK")},
         forward::register_banks,
         {"sm.register_file.reads_per_bank"}},
        {"global_latency",
         "cycles",
         {number("BYTES")},
         forward::global_latency,
         {"l1.latency", "l2.latency", "dram.latency"}},
        {"l2_bandwidth",
         "bytes_per_cycle",
         {number("SMS"), number("THREADS"), number("BYTES_IN_FLIGHT")},
         forward::l2_bandwidth,
         {"l2.read_bandwidth", "l2.read_bandwidth_per_sm"}},
        {"dram_bandwidth",
         "bytes_per_second",
         {word("MODE", {"read", "write", "copy"}), number("BYTES_IN_FLIGHT")},
         forward::dram_bandwidth,
         {"dram.read_efficiency", "dram.copy_efficiency"}},
        {"barrier",
         "cycles",
         {number("WARPS")},
         forward::barrier,
         {"sm.barrier.latency", "sm.barrier.throughput"}},
        {"block_launch",
         "cycles_per_block",
         {number("BLOCKS")},
         forward::block_launch,
         {"launch.blocks_per_cycle"}},
        {"block_turnover", "cycles", {number("THREADS")}, forward::block_turnover, {"launch.block_turnover"}},
        {"launch_overhead", "microseconds", {number("GRID")}, forward::launch_overhead, {"launch.overhead"}},
        {"clock", "hz", {word("LOAD")}, forward::clock, {"clock.sm"}},
    };
}

}  // namespace

std::span<const Benchmark> benchmarks() {
    static const std::vector<Benchmark> all = build();
    return all;
}

const Benchmark* find_benchmark(std::string_view name) {
    const auto all = benchmarks();
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& b) { return b.name == name; });
    return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> benchmarks_of(std::string_view key) {
    std::vector<std::string> names;
    for (const auto& benchmark : benchmarks()) {
        if (std::find(benchmark.keys.begin(), benchmark.keys.end(), key) != benchmark.keys.end()) {
            names.emplace_back(benchmark.name);
        }
    }
    return names;
}

}  // namespace gpumodel
