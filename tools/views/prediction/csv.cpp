#include <fmt/format.h>

#include <algorithm>

#include "model/counters/counters.h"
#include "tools/views/prediction/report.h"
#include "tools/views/prediction/shared_rows.h"

namespace gpumodel {
namespace {

std::vector<std::string> time_fields(const Prediction& p) {
    if (!is_predicted(p.status)) {
        return {"", "", ""};
    }
    return {number(p.time_seconds * 1e6), p.flops > 0 ? number(p.flops_per_second() / 1e9) : "",
            number(p.cycles)};
}

// Known as soon as there is a program, whether it fits or not.
std::vector<std::string> resource_fields(const Prediction& p) {
    if (p.resources.threads == 0) {
        return {"", "", ""};
    }
    return {std::to_string(p.resources.threads), std::to_string(p.resources.registers_per_thread),
            std::to_string(p.resources.static_shared_bytes + p.resources.dynamic_shared_bytes)};
}

std::vector<std::string> occupancy_fields(const Prediction& p) {
    if (!is_predicted(p.status)) {
        return {p.resources.threads == 0 ? "" : "0", limiter_names(p.occupancy), "", "", ""};
    }
    return {std::to_string(p.occupancy.blocks_per_sm), limiter_names(p.occupancy),
            number(p.occupancy.occupancy), number(p.achieved_occupancy), number(p.waves.waves)};
}

std::vector<std::string> power_fields(const Prediction& p) {
    if (!is_predicted(p.status)) {
        return {"", "", "", ""};
    }
    const auto cell = [](const std::optional<double>& value, double scale) {
        return value ? number(*value * scale) : "";
    };
    return {number(p.sm_hz / 1e6), cell(p.average_watts, 1), cell(p.energy_joules, 1e3),
            cell(p.power_band_pct, 1)};
}

}  // namespace

std::string dimension_text(std::int64_t value) {
    return value > 0 ? std::to_string(value) : "";
}

std::string csv_header() {
    std::string header =
        "arch,kernel,params,M,N,K,model,status,reason,time_us,gflops,cycles,threads_per_block,"
        "registers_per_thread,shared_bytes_per_block,blocks_per_sm,occupancy_limiter,theoretical_occupancy,"
        "achieved_occupancy,waves,bottleneck,error_band_pct,program_source,unknown_data,sm_clock_mhz,"
        "average_power_w,energy_mj,power_band_pct";
    for (const auto& name : counter_names()) {
        header += ',' + name;
    }
    return header + '\n';
}

std::string csv_row(const Prediction& p) {
    std::vector<std::string> fields{p.arch,
                                    p.kernel,
                                    p.params,
                                    dimension_text(p.m),
                                    dimension_text(p.n),
                                    dimension_text(p.k),
                                    p.model,
                                    std::string(to_string(p.status)),
                                    p.reason};
    const auto append = [&fields](std::vector<std::string> more) {
        fields.insert(fields.end(), more.begin(), more.end());
    };
    append(time_fields(p));
    append(resource_fields(p));
    append(occupancy_fields(p));
    append({is_predicted(p.status) ? bottleneck_names(p) : "",
            p.error_band_pct ? number(*p.error_band_pct) : "",
            p.program_source ? std::string(to_string(*p.program_source)) : "", unknown_data_words(p, 1)});
    append(power_fields(p));
    auto next = p.counters.begin();  // they are in the table's order
    for (const auto& name : counter_names()) {
        const bool predicted = next != p.counters.end() && next->name == name;
        fields.push_back(predicted ? number(next->value) : "");
        next += predicted ? 1 : 0;
    }
    return csv_record(fields);
}

}  // namespace gpumodel
