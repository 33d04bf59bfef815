// Rules that compare a product with what its maker prints: a unit slip cannot hide behind them.
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "arch_specs/consistency/consistency.h"
#include "arch_specs/consistency/consistency_rules.h"
#include "arch_specs/derive.h"

namespace gpumodel {

namespace {

struct Comparison {
    const char* key;  // what was written
    double written;
    double derived;
    const char* derivation;
    Dimension dimension;
    double tolerance;
};

std::string comparison_fault(const Comparison& c) {
    const double difference = std::abs(c.written - c.derived) / c.derived;
    return difference <= c.tolerance
               ? ""
               : fmt::format("{} of {} differs by {:.1f} % from the {} of {}; at most {:.0f} % is rounding",
                             c.key, print_quantity(c.written, c.dimension), 100 * difference,
                             print_quantity(c.derived, c.dimension), c.derivation, 100 * c.tolerance);
}

// The shared peak at the rated clock that comes nearest to `declared`.
double nearest_shared_peak(const ArchSpec& s, double declared) {
    const double per_hz = s.sm.shared_memory.bandwidth_bytes_per_cycle * s.sm_count;
    double best = per_hz * s.clock.sm_hz;
    for (const auto& clock : {s.clock.base_hz, s.clock.boost_hz}) {
        if (clock && std::abs(per_hz * *clock - declared) < std::abs(best - declared)) {
            best = per_hz * *clock;
        }
    }
    return best;
}

void add_rating_rules(std::vector<ConsistencyRule>& rules) {
    rules.push_back({{"clock.boost", "clock.base"},
                     [](const ArchSpec& s) {
                         return *s.clock.boost_hz >= *s.clock.base_hz
                                    ? ""
                                    : fmt::format("{} is below clock.base, {}",
                                                  print_quantity(*s.clock.boost_hz, Dimension::frequency),
                                                  print_quantity(*s.clock.base_hz, Dimension::frequency));
                     },
                     true,
                     {"clock.boost", "clock.base"}});
    rules.push_back({{"dram.bandwidth", "dram.bus_width", "dram.data_rate"},
                     [](const ArchSpec& s) {
                         return comparison_fault(
                             {"dram.bandwidth", s.dram.bandwidth_bytes_per_second,
                              *s.dram.bus_width_bits * *s.dram.data_rate_bits_per_second / 8,
                              "bus width * data rate", Dimension::bytes_per_second, pin_rate_tolerance});
                     },
                     true,
                     {"dram.bandwidth", "dram.bus_width", "dram.data_rate"}});
    rules.push_back({{"declared.dram_bandwidth", "dram.bandwidth"},
                     [](const ArchSpec& s) {
                         return comparison_fault({"declared.dram_bandwidth",
                                                  *s.declared.dram_bytes_per_second,
                                                  s.dram.bandwidth_bytes_per_second, "dram.bandwidth",
                                                  Dimension::bytes_per_second, peak_tolerance});
                     },
                     true});
}

void add_peak_rules(std::vector<ConsistencyRule>& rules) {
    rules.push_back({{"declared.fp32", "sm_count", "clock.sm", "sm.ops.ffma.throughput"},
                     [](const ArchSpec& s) {
                         return comparison_fault(
                             {"declared.fp32", *s.declared.fp32_flops, fp32_peak_at(s, declared_clock_hz(s)),
                              "2 * ffma lanes * SMs * clock", Dimension::flops, peak_tolerance});
                     },
                     true});
    rules.push_back({{"declared.shared_bandwidth", "sm_count", "clock.sm", "sm.shared_memory.bandwidth"},
                     [](const ArchSpec& s) {
                         const double declared = *s.declared.shared_bytes_per_second;
                         return comparison_fault({"declared.shared_bandwidth", declared,
                                                  nearest_shared_peak(s, declared), "bandwidth * SMs * clock",
                                                  Dimension::bytes_per_second, peak_tolerance});
                     },
                     true});
}

}  // namespace

void add_product_rules(std::vector<ConsistencyRule>& rules) {
    rules.push_back({{"gpc.sms", "sm_count"},
                     [](const ArchSpec& s) {
                         const int sum = std::accumulate(s.gpc.sms.begin(), s.gpc.sms.end(), 0);
                         return s.gpc.sms.empty() || sum == s.sm_count
                                    ? ""
                                    : fmt::format("GPCs of {} SMs together, but sm_count is {}", sum,
                                                  s.sm_count);
                     },
                     true,
                     {"gpc.sms", "sm_count"}});
    add_rating_rules(rules);
    add_peak_rules(rules);
}

}  // namespace gpumodel
