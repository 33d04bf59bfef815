#include "model/roofline/roofline.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/enum_table.h"
#include "model/analytic/demand.h"
#include "model/launch/compute_peak.h"

namespace gpumodel {

double tensor_busy(const Prediction& p) {
    const auto bound = std::find_if(p.bounds.begin(), p.bounds.end(),
                                    [](const Bound& b) { return b.name == to_string(Resource::tensor); });
    return bound == p.bounds.end() || p.cycles <= 0 ? 0 : bound->cycles / p.cycles;
}
namespace {

constexpr auto level_names = enum_words<RoofLevel>("shared memory", "L1", "L2", "DRAM");
constexpr double counted_sector_bytes = 32;  // of lts__t_sectors

double op_lanes(const ArchSpec& arch, OpClass op) {
    return arch.op(op) ? arch.op(op)->lanes_per_cycle : 0;
}

Roof issue_roof(const ArchSpec& arch) {
    const bool dual = arch.sm.dual_issue.supported;
    const double per_sm = arch.sm.schedulers / arch.sm.issue_interval_cycles *
                          (dual ? arch.sm.dispatch_units_per_scheduler : 1);
    return {"issue", per_sm * arch.sm_count * arch.clock.sm_hz,
            dual ? "sm.schedulers / sm.issue_interval * sm.dispatch_units_per_scheduler * sm_count * clock.sm"
                 : "sm.schedulers / sm.issue_interval * sm_count * clock.sm"};
}

void add_compute_roofs(const ArchSpec& arch, Roofline& r) {
    r.fp32 = {"FP32 with FMA", arch.peak_fp32_flops, "2 * sm.ops.ffma.throughput * sm_count * clock.sm"};
    r.issue = issue_roof(arch);
    const double adds = op_lanes(arch, OpClass::fadd) * arch.sm_count * arch.clock.sm_hz;
    if (adds > 0) {
        r.fp32_without_fma = Roof{"FP32 without FMA", adds, "sm.ops.fadd.throughput * sm_count * clock.sm"};
    } else {
        r.missing.push_back({"FP32 without FMA", "the spec has no sm.ops.fadd"});
    }
}

void add_bandwidth(RoofLevel level, double bytes_per_second, const char* formula, const char* absent,
                   Roofline& r) {
    const std::string name(to_string(level));
    if (bytes_per_second <= 0) {
        r.missing.push_back({name, absent});
        return;
    }
    BandwidthRoof roof{level, {name, bytes_per_second, formula}, r.fp32.rate / bytes_per_second, 0};
    roof.ridge_without_fma = r.fp32_without_fma ? r.fp32_without_fma->rate / bytes_per_second : 0;
    r.bandwidths.push_back(std::move(roof));
}

void add_bandwidths(const ArchSpec& arch, Roofline& r) {
    const double sm_cycles = arch.sm_count * arch.clock.sm_hz;
    add_bandwidth(RoofLevel::shared, arch.peak_shared_bytes_per_second,
                  "sm.shared_memory.bandwidth * sm_count * clock.sm", "no sm.shared_memory.bandwidth", r);
    const bool l1 = arch.l1.unified_bytes > 0 && arch.l1.caches_global_loads;
    add_bandwidth(RoofLevel::l1, l1 ? arch.l1.bandwidth_bytes_per_cycle * sm_cycles : 0,
                  "l1.bandwidth * sm_count * clock.sm",
                  arch.l1.unified_bytes > 0 ? "global loads do not use it (l1.caches_global_loads)"
                                            : "the GPU has none (l1.unified)",
                  r);
    add_bandwidth(RoofLevel::l2, arch.l2.size_bytes > 0 ? arch.peak_l2_bytes_per_second : 0,
                  "l2.read_bandwidth * clock.sm", "the GPU has none (l2.size)", r);
    add_bandwidth(RoofLevel::dram, arch.dram.bandwidth_bytes_per_second, "dram.bandwidth",
                  "no dram.bandwidth", r);
}

double counter(const Prediction& p, std::string_view name) {
    const auto found =
        std::find_if(p.counters.begin(), p.counters.end(), [&](const Counter& c) { return c.name == name; });
    return found == p.counters.end() ? 0 : found->value;
}

double bytes_moved(const Prediction& p, RoofLevel level, const ArchSpec& arch) {
    const auto sum = [&](const char* a, const char* b) { return counter(p, a) + counter(p, b); };
    switch (level) {
        case RoofLevel::shared: {
            const auto& widths = arch.sm.shared_memory.bank_widths_bytes;
            const int widest = widths.empty() ? 0 : *std::max_element(widths.begin(), widths.end());
            return sum("l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
                       "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum") *
                   arch.sm.shared_memory.banks * widest;
        }
        case RoofLevel::l1:
            return sum("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                       "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum") *
                   arch.l1.sector_bytes;
        case RoofLevel::l2:
            return sum("lts__t_sectors_srcunit_tex_op_read.sum", "lts__t_sectors_srcunit_tex_op_write.sum") *
                   counted_sector_bytes;
        case RoofLevel::dram:
            return sum("dram__bytes_read.sum", "dram__bytes_write.sum");
    }
    return 0;
}

std::vector<Roof> tensor_roofs(const ArchSpec& arch) {
    std::vector<Roof> roofs;
    for (auto& peak : tensor_peaks(arch)) {
        roofs.push_back({std::move(peak.unit), peak.flops_per_second, std::move(peak.formula)});
    }
    return roofs;
}

void raise(RooflineKernel& k, const std::string& name, double reached) {
    if (reached > k.reached) {
        k.reached = reached;
        k.lowest_roof = name;
    }
}

RooflineKernel place(const Prediction& p, const ArchSpec& arch, const Roofline& r) {
    RooflineKernel k;
    k.prediction = p;
    k.flops_per_second = p.flops_per_second();
    k.uses_fma = counter(p, "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum") > 0;
    k.warp_instructions = counter(p, "smsp__inst_executed.sum");
    k.issue_reached = k.warp_instructions / p.time_seconds / r.issue.rate;
    if (p.flops > 0 && k.warp_instructions > 0) {
        k.issue_flops_per_second = p.flops / k.warp_instructions * r.issue.rate;
    }
    const auto& fp32 = k.uses_fma || !r.fp32_without_fma ? r.fp32 : *r.fp32_without_fma;
    k.fp32_reached = k.flops_per_second / fp32.rate;
    for (const auto& roof : r.bandwidths) {
        const double bytes = bytes_moved(p, roof.level, arch);
        if (bytes <= 0) {
            continue;
        }
        const double rate = bytes / p.time_seconds;
        k.points.push_back({roof.level, bytes, p.flops / bytes, rate, rate / roof.roof.rate});
    }
    k.tensor_reached = tensor_busy(p);
    if (k.tensor_reached > 0) {
        raise(k, "tensor pipe", k.tensor_reached);
    } else {
        raise(k, fp32.name, k.fp32_reached);
    }
    raise(k, r.issue.name, k.issue_reached);
    for (const auto& point : k.points) {
        raise(k, std::string(to_string(point.level)), point.reached);
    }
    return k;
}

}  // namespace

std::string_view to_string(RoofLevel level) {
    return level_names[static_cast<std::size_t>(level)];
}

Roofline make_roofline(const ArchSpec& arch, const std::vector<Prediction>& predictions) {
    Roofline r;
    r.arch = arch.name;
    r.marketing_name = arch.marketing_name;
    r.generation = arch.generation;
    add_compute_roofs(arch, r);
    add_bandwidths(arch, r);
    for (const auto& p : predictions) {
        if (is_predicted(p.status)) {
            r.kernels.push_back(place(p, arch, r));
        } else {
            r.left_out.push_back(p);
        }
    }
    if (std::any_of(r.kernels.begin(), r.kernels.end(),
                    [](const RooflineKernel& k) { return k.tensor_reached > 0; })) {
        r.tensor = tensor_roofs(arch);
    }
    return r;
}

double attainable(const Roofline& roofline, const BandwidthRoof& roof, double intensity) {
    return std::min(roofline.fp32.rate, intensity * roof.roof.rate);
}

}  // namespace gpumodel
