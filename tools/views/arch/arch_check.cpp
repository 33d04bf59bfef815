// gpumodel arch check: what the spec implies, beside what the maker declares.
#include <fmt/format.h>

#include <cmath>

#include "arch_specs/derive.h"
#include "base/text_table.h"
#include "tools/views/arch/arch_rows.h"
#include "tools/views/arch/arch_views.h"
#include "tools/views/prediction/report.h"

namespace gpumodel::cli {

namespace {

std::string percent(double derived, double declared) {
    // Adding zero turns the -0.0 of a rounded tiny difference into 0.0.
    const double difference = std::round(1000 * (derived - declared) / declared) / 10 + 0.0;
    return fmt::format("{:+.1f} %", difference);
}

std::vector<std::string> peak_line(const std::string& what, double derived,
                                   const std::optional<double>& declared, const std::string& unit,
                                   const std::string& how) {
    return {"  " + what, human_si(derived, unit), declared ? human_si(*declared, unit) : "-",
            declared ? percent(derived, *declared) : "-", how};
}

std::string clock_text(const ArchSpec& spec, double hz) {
    const char* name = hz == spec.clock.sm_hz     ? "clock.sm"
                       : hz == spec.clock.base_hz ? "clock.base"
                                                  : "clock.boost";
    return fmt::format("at {}, {}", name, print_quantity(hz, Dimension::frequency));
}

std::string peaks(const ArchSpec& spec) {
    std::vector<std::vector<std::string>> lines{{"  peak", "derived", "declared", "difference", "from"}};
    const double clock = declared_clock_hz(spec);
    lines.push_back(peak_line("FP32", fp32_peak_at(spec, clock), spec.declared.fp32_flops, "FLOP/s",
                              "2 * ffma lanes * SMs " + clock_text(spec, clock)));
    if (clock != spec.clock.sm_hz) {
        lines.push_back(peak_line("FP32, predictions", spec.peak_fp32_flops, std::nullopt, "FLOP/s",
                                  "2 * ffma lanes * SMs " + clock_text(spec, spec.clock.sm_hz)));
    }
    if (spec.dram.bus_width_bits && spec.dram.data_rate_bits_per_second) {
        lines.push_back(peak_line("DRAM",
                                  *spec.dram.bus_width_bits * *spec.dram.data_rate_bits_per_second / 8,
                                  spec.declared.dram_bytes_per_second, "B/s", "bus width * data rate"));
    }
    lines.push_back(peak_line("DRAM, predictions", spec.dram.bandwidth_bytes_per_second,
                              spec.declared.dram_bytes_per_second, "B/s", "dram.bandwidth"));
    const double shared_at_clock = spec.peak_shared_bytes_per_second / spec.clock.sm_hz * clock;
    lines.push_back(peak_line("shared memory", shared_at_clock, spec.declared.shared_bytes_per_second, "B/s",
                              "bandwidth * SMs " + clock_text(spec, clock)));
    if (spec.l2.size_bytes > 0) {
        lines.push_back(peak_line("L2 read", spec.peak_l2_bytes_per_second, std::nullopt, "B/s",
                                  "read bandwidth " + clock_text(spec, spec.clock.sm_hz)));
    }
    return aligned(lines);
}

std::string intervals(const ArchSpec& spec) {
    std::vector<std::vector<std::string>> lines;
    for (std::size_t i = 0; i < op_class_count; ++i) {
        if (const auto& timing = spec.sm.ops[i]) {
            lines.push_back({"  " + std::string(op_class_names[i]), std::string(to_string(timing->pipe)),
                             fmt::format("{:.4g}", timing->initiation_interval_cycles),
                             fmt::format("{:.4g}", timing->latency_cycles)});
        }
    }
    lines.insert(lines.begin(), {"  class", "pipe", "interval", "latency"});
    return "  cycles per warp instruction and sub-partition:\n" + aligned(lines);
}

}  // namespace

std::string arch_check(const std::string& file, const ArchSpec& spec) {
    const auto as = spec.file == file ? "" : fmt::format(" (figures of its default product {})", spec.name);
    return fmt::format("{}: ok{}; {} values, {} of them estimated\n", file, as, spec.provenance.size(),
                       estimated_values(spec)) +
           peaks(spec) + intervals(spec);
}

}  // namespace gpumodel::cli
