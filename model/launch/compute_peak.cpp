#include "model/launch/compute_peak.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace gpumodel {
namespace {

// Classes that do a kernel's arithmetic, those of one unit side by side.
struct ComputeClass {
    OpClass op;
    std::string_view unit;
    double flops;      // of a warp instruction: 2 M N K of a product; of a step of HMMA.884 its part
    bool is_peak;      // multiply-adds and products: their rate is the unit's
    bool slows_clock;  // clock.tensor holds (matrix_products.h)
};
constexpr std::string_view warp_groups = "tensor FP16, warp groups";
constexpr auto compute_classes = std::to_array<ComputeClass>({
    {OpClass::ffma, "FP32", 64, true, false},
    {OpClass::fadd, "FP32", 32, false, false},
    {OpClass::fmul, "FP32", 32, false, false},
    {OpClass::dfma, "FP64", 64, true, false},
    {OpClass::hfma, "FP16", 128, true, false},
    {OpClass::hmma_884_f16, "tensor FP16, FP16 sums", 1024, true, true},
    {OpClass::hmma_1688_f16, "tensor FP16, FP16 sums", 2048, true, true},
    {OpClass::hmma_16816_f16, "tensor FP16, FP16 sums", 4096, true, true},
    {OpClass::hmma_884_f32, "tensor FP16, FP32 sums", 512, true, true},
    {OpClass::hmma_1688_f32, "tensor FP16, FP32 sums", 2048, true, true},
    {OpClass::hmma_16816_f32, "tensor FP16, FP32 sums", 4096, true, true},
    {OpClass::hmma_1684_tf32, "tensor TF32", 1024, true, true},
    {OpClass::hmma_1688_tf32, "tensor TF32", 2048, true, true},
    {OpClass::imma_8816, "tensor INT8", 2048, true, true},
    {OpClass::imma_16816, "tensor INT8", 4096, true, true},
    {OpClass::imma_16832, "tensor INT8", 8192, true, true},
    {OpClass::group_mma, warp_groups, 4096, true, true},
    {OpClass::dmma_884, "tensor FP64", 512, true, false},
    {OpClass::dmma_1684, "tensor FP64", 1024, true, false},
    {OpClass::dmma_1688, "tensor FP64", 2048, true, false},
    {OpClass::dmma_16816, "tensor FP64", 4096, true, false},
});

double rate_of(const ComputeClass& row, const ArchSpec& arch) {
    const auto& timing = arch.op(row.op);
    if (!timing || !row.is_peak) {
        return 0;
    }
    const bool slow = row.slows_clock && arch.clock.tensor_hz && *arch.clock.tensor_hz < arch.clock.sm_hz;
    const double hz = slow ? *arch.clock.tensor_hz : arch.clock.sm_hz;
    return row.flops * timing->lanes_per_cycle / arch.sm.warp_size * arch.sm_count * hz;
}

std::string formula_of(const ComputeClass& row, const ArchSpec& arch) {
    const bool slow = row.slows_clock && arch.clock.tensor_hz && *arch.clock.tensor_hz < arch.clock.sm_hz;
    return fmt::format("{:.0f} / 32 * sm.ops.{}.throughput * sm_count * {}", row.flops, to_string(row.op),
                       slow ? "clock.tensor" : "clock.sm");
}

// Of the unit's fastest class.
ComputePeak peak_of_unit(std::string_view unit, const ArchSpec& arch) {
    ComputePeak peak{std::string(unit), 0, ""};
    for (const auto& row : compute_classes) {
        if (const double rate = row.unit == unit ? rate_of(row, arch) : 0; rate > peak.flops_per_second) {
            peak.flops_per_second = rate;
            peak.formula = formula_of(row, arch);
        }
    }
    return peak;
}

constexpr double group_flops_per_column = 512;  // FP16: 16 rows of a warp, 16 deep, 2 each

// Of a warp's part of a group product; without floating-point operations it is of integers, twice as deep.
double group_flops(const Instruction& in) {
    if (in.group.columns == 0) {
        return 0;
    }
    return in.flops > 0 ? 32.0 * in.flops : 2 * group_flops_per_column * in.group.columns;
}

// Warp instructions of a block by class, and FLOP of its group products beyond those of FP16.
struct Work {
    OpCounts instructions{};
    double group_columns = 0, group_flops = 0;
};

void add_work(const std::vector<Node>& nodes, double times, Work& work) {
    for (const auto& node : nodes) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            add_work(loop->body, times * static_cast<double>(loop->trips), work);
            continue;
        }
        for (const auto& segment : std::get<Interval>(node).segments) {
            const double warps = times * ((segment.thread_end - segment.thread_begin + 31) / 32);
            for (const auto& row : compute_classes) {
                const auto i = static_cast<std::size_t>(row.op);
                work.instructions[i] += segment.ops[i] * warps;
            }
            constexpr auto half = static_cast<std::size_t>(OpClass::hfma);
            if (segment.ops[static_cast<std::size_t>(OpClass::group_mma)] <= 0 && segment.ops[half] <= 0) {
                continue;
            }
            for (const auto& in : segment.code) {
                // constants that compilers load through that pipe: HFMA2.MMA R1, -RZ, RZ, 0, 3.2e-05
                work.instructions[half] -= in.op == OpClass::hfma && in.flops == 0 ? warps : 0;
                work.group_columns += in.group.columns * warps;
                work.group_flops += group_flops(in) * warps;
            }
        }
    }
}

Work work_of(const KernelProgram& program) {
    Work work;
    if (program.variants.empty()) {
        add_work(program.body, 1, work);
    }
    for (const auto& variant : program.variants) {
        add_work(variant.body, static_cast<double>(variant.blocks.count()), work);
    }
    return work;
}

}  // namespace

std::vector<ComputePeak> tensor_peaks(const ArchSpec& arch) {
    std::vector<ComputePeak> peaks;
    for (const auto& row : compute_classes) {
        if (group_of(row.op) != OpGroup::tensor || (!peaks.empty() && peaks.back().unit == row.unit)) {
            continue;
        }
        auto peak = peak_of_unit(row.unit, arch);
        if (peak.flops_per_second > 0) {
            peaks.push_back(std::move(peak));
        }
    }
    return peaks;
}

double group_flops_as_fp16(const KernelProgram& program) {
    const double blocks = program.variants.empty() ? static_cast<double>(program.grid.count()) : 1;
    return blocks * work_of(program).group_columns * group_flops_per_column;
}

ComputePeak busiest_peak(const KernelProgram& program, const ArchSpec& arch) {
    const auto work = work_of(program);
    std::string_view busiest = "FP32";
    double most = 0, sum = 0;
    for (std::size_t i = 0; i < compute_classes.size(); ++i) {
        const auto& row = compute_classes[i];
        sum = i > 0 && compute_classes[i - 1].unit == row.unit ? sum : 0;
        sum += row.op == OpClass::group_mma ? work.group_flops
                                            : row.flops * work.instructions[static_cast<std::size_t>(row.op)];
        if (sum > most) {
            most = sum;
            busiest = row.unit;
        }
    }
    auto peak = peak_of_unit(busiest, arch);
    const double as_fp16 = work.group_columns * group_flops_per_column;
    if (busiest == warp_groups && work.group_flops != as_fp16) {
        peak.unit = "tensor, warp groups";
        peak.flops_per_second *= work.group_flops / as_fp16;
        peak.formula += ", times the FLOP of its products over those of FP16";
    }
    return peak;
}

}  // namespace gpumodel
