#include "tools/results/json_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "tools/results/json_fields.h"
#include "tools/views/prediction/report.h"

namespace gpumodel::cli {
namespace {

using Json = nlohmann::ordered_json;

std::int64_t dimension(const Fields& launch, const char* key) {
    constexpr double most = 1e15;
    const auto value = launch.number(key);
    if (value && (*value < 1 || *value > most || *value != std::floor(*value))) {
        launch.fault(key, "expected a whole number above 0");
        return 0;
    }
    return value ? static_cast<std::int64_t>(*value) : 0;
}

Status status_of(const Fields& launch) {
    const auto name = launch.text("status");
    for (const auto status : all_statuses) {
        if (name == to_string(status)) {
            return status;
        }
    }
    launch.fault("status", fmt::format("'{}' is none of ok, partial, infeasible, error", name));
    return Status::error;
}

void add_sites(const Fields& launch, LaunchRecord& record) {
    for (const auto& site : launch.objects("sites")) {
        SiteRecord s;
        s.name = site.text("name");
        s.space = site.text("space");
        s.kind = site.text("kind");
        s.instructions = site.number("instructions").value_or(0);
        s.sectors = site.number("sectors");
        s.l2_bytes = site.number("l2_bytes");
        s.wavefronts = site.number("wavefronts");
        s.conflict_degree = site.number("conflict_degree");
        if (!s.space.empty()) {  // simulate's sites are places in the code, not accesses
            add_site(record.sites, s);
        }
    }
}

// In the order of StallReason, whatever the file's, so that equal results give equal sums.
void add_stalls(const std::vector<Fields>& reasons, LaunchRecord& record) {
    auto& stalls = record.stall_warp_cycles;
    for (const auto& reason : reasons) {
        const auto cycles = reason.number("warp_cycles");
        if (cycles && *cycles > 0) {
            stalls.push_back({reason.text("reason"), *cycles});
        }
    }
    const auto rank = [](const Quantity& q) {
        return std::find(stall_reason_names.begin(), stall_reason_names.end(), q.name);
    };
    std::stable_sort(stalls.begin(), stalls.end(),
                     [&rank](const Quantity& x, const Quantity& y) { return rank(x) < rank(y); });
}

void add_resources(const Fields& launch, LaunchRecord& record) {
    const auto add = [&record](const Fields& from, const std::string& key) {
        if (const auto value = from.number(key)) {
            record.resources.push_back({key, *value});
        }
    };
    for (const auto* key : {"threads_per_block", "registers_per_thread", "shared_bytes_per_block"}) {
        add(launch, key);
    }
    const auto occupancy = launch.object("occupancy");
    if (is_predicted(record.status)) {
        add(launch.find("occupancy") != nullptr ? occupancy : launch, "blocks_per_sm");
        for (const auto* key : {"theoretical_occupancy", "achieved_occupancy", "waves"}) {
            add(launch, key);
        }
    }
    record.occupancy_limiter = occupancy.joined("limiters", "");
}

void add_rounds(const Fields& launch, LaunchRecord& record) {
    const auto terms = launch.object("time_terms");
    record.launch_us = terms.number("launch_overhead_us");
    const auto steady = terms.number("steady_cycles");
    const auto tail = terms.number("tail_cycles");
    if (steady && tail) {
        record.rounds = RoundCycles{*steady, *tail};
    }
}

void add_time(const Fields& launch, LaunchRecord& record) {
    const auto time = launch.number("time_us");
    if (!time || !(*time > 0) || !std::isfinite(*time)) {
        launch.fault("time_us", "a launch with status ok needs a time above 0");
    }
    record.time_us = time.value_or(0);
    record.cycles = launch.number("cycles");
    record.gflops = launch.number("gflops");
    record.error_band_pct = launch.number("error_band_pct");
    record.bottleneck = launch.joined("bottleneck", "unknown");
    add_rounds(launch, record);
    for (const auto& bound : launch.objects("bounds")) {
        if (const auto cycles = bound.number("cycles")) {
            record.bounds.push_back({bound.text("name"), *cycles});
        }
    }
    record.counters = launch.object("counters").quantities();
    add_sites(launch, record);
}

LaunchRecord launch_of(const Fields& launch) {
    LaunchRecord record;
    record.arch = launch.text("arch");
    record.kernel = launch.text("kernel");
    record.params = launch.text("params");
    record.m = dimension(launch, "M");
    record.n = dimension(launch, "N");
    record.k = dimension(launch, "K");
    record.model = launch.text("model");
    record.status = status_of(launch);
    record.reason = launch.text("reason");
    record.program_source = launch.text("program_source");
    add_resources(launch, record);
    if (is_predicted(record.status)) {
        add_time(launch, record);
    }
    return record;
}

void check_schema(const Fields& document) {
    const auto version = document.number("schema_version");
    if (!version) {
        document.fault("schema_version", "is missing: not a result of gpumodel's --format json");
    } else if (*version != schema_version) {
        document.fault("schema_version",
                       fmt::format("{} is not {}, the one this version reads; write the file again with this "
                                   "version, or compare with the version that wrote it",
                                   *version, schema_version));
    }
}

void read_document(const Fields& document, ResultFile& file) {
    const auto metadata = document.object("metadata");
    file.tool_version = metadata.text("version");
    file.spec_hash = metadata.text("spec_hash");
    file.command_line = metadata.text("command_line");
    if (document.find("predictions") != nullptr) {
        for (const auto& launch : document.objects("predictions")) {
            auto& record = file.launches.emplace_back(launch_of(launch));
            if (is_predicted(record.status) && record.model == "simulate") {
                add_stalls(launch.objects("stalls"), record);
            }
        }
    } else if (document.find("sm_blocks") != nullptr || document.find("status") != nullptr) {
        auto& record = file.launches.emplace_back(launch_of(document));
        record.model = "simulate";
        if (is_predicted(record.status)) {
            add_stalls(document.object("stalls").objects("reasons"), record);
            record.launch_us = document.number("launch_overhead_us");
        }
    } else {
        document.fault("predictions", "is missing: not a result of predict or simulate");
    }
}

// 1-based line and column of a byte.
Diagnostic place_of(const std::string& content, std::size_t byte, const ResultFile& file) {
    const auto end = content.begin() + static_cast<std::ptrdiff_t>(std::min(byte, content.size()));
    const auto line = std::count(content.begin(), end, '\n') + 1;
    const auto last = content.rfind('\n', byte == 0 ? 0 : byte - 1);
    const auto column = last == std::string::npos || line == 1 ? byte : byte - last - 1;
    return {file.path, static_cast<int>(line), static_cast<int>(std::max<std::size_t>(column, 1)), "", ""};
}

}  // namespace

void read_json_results(const std::string& content, ResultFile& file) {
    std::vector<Diagnostic> faults;
    try {
        const auto json = Json::parse(content);
        const Fields document(json, "", file.path, faults);
        check_schema(document);
        if (faults.empty()) {
            read_document(document, file);
        }
    } catch (const Json::parse_error& error) {
        faults.push_back(place_of(content, error.byte, file));
        faults.back().message = "not valid json";
    } catch (const Json::exception& error) {
        faults.push_back({file.path, 0, 0, "", std::string("not valid json: ") + error.what()});
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::usage, std::move(faults));
    }
}

}  // namespace gpumodel::cli
