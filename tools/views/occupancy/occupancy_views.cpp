#include "tools/views/occupancy/occupancy_views.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/views/prediction/report.h"
#include "tools/views/prediction/shared_rows.h"
#include "tools/views/result_json.h"

namespace gpumodel::cli {

namespace {

std::string blocks_text(const std::optional<int>& limit) {
    return limit ? std::to_string(*limit) : "-";
}

std::string plural(std::int64_t count, const char* word) {
    return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string title(const ArchSpec& arch) {
    const bool asked_otherwise = !arch.requested_name.empty() && arch.requested_name != arch.name;
    return fmt::format("occupancy on {} ({}, {}{})\n", arch.marketing_name, arch.name, arch.generation,
                       asked_otherwise ? fmt::format("; asked for {}", arch.requested_name) : "");
}

std::string limit_row(const Occupancy& occupancy, OccupancyLimiter limiter, const std::optional<int>& limit,
                      const std::string& asked, const std::string& allocated) {
    const auto& list = occupancy.limiters;
    const bool wins = std::find(list.begin(), list.end(), limiter) != list.end();
    return fmt::format("  {:<14} {:<22} {:<38} {:>6}{}\n", to_string(limiter), asked, allocated,
                       blocks_text(limit), wins ? "  <- limits" : "");
}

std::string limit_table(const ArchSpec& arch, const OccupancyRequest& request, const Occupancy& o) {
    const bool per_block = arch.sm.register_file.allocation == RegisterAllocation::block;
    const auto registers = per_block
                               ? fmt::format("{} per block", o.registers_allocated_per_block)
                               : fmt::format("{} per warp, {} per block", o.registers_allocated_per_warp,
                                             o.registers_allocated_per_block);
    return fmt::format("  {:<14} {:<22} {:<38} {:>6}\n", "resource", "asked", "allocated", "blocks") +
           limit_row(o, OccupancyLimiter::warps, o.limit_warps, plural(request.threads_per_block, "thread"),
                     fmt::format("{} of {} per SM", plural(o.warps_per_block, "warp"), arch.sm.max_warps)) +
           limit_row(o, OccupancyLimiter::registers, o.limit_registers,
                     fmt::format("{} per thread", o.registers_asked_per_thread), registers) +
           limit_row(o, OccupancyLimiter::shared_memory, o.limit_shared_memory,
                     fmt::format("{} B", o.shared_asked_bytes),
                     fmt::format("{} B of {} B per SM", o.shared_allocated_bytes, o.carveout_bytes)) +
           limit_row(o, OccupancyLimiter::blocks, o.limit_blocks, "1 block slot", "") +
           limit_row(o, OccupancyLimiter::barriers, o.limit_barriers,
                     plural(request.barriers_per_block, "barrier"), "");
}

// How many more blocks a change of one resource gains, in words.
std::string gain_words(const ArchSpec& arch, const OccupancyRequest& changed, int blocks) {
    const int gained = compute_occupancy(arch, changed).blocks_per_sm - blocks;
    return gained == 1 ? "one more block" : fmt::format("{} more blocks", gained);
}

std::string next_steps(const ArchSpec& arch, const OccupancyRequest& request, const Occupancy& o) {
    std::string text;
    const auto add = [&](std::int64_t fewer, const char* what, const OccupancyRequest& changed,
                         std::int64_t left) {
        text += fmt::format("  {} {}: {} (at {})\n", fewer, what, gain_words(arch, changed, o.blocks_per_sm),
                            left);
    };
    if (const auto fewer = o.registers_fewer_for_next_block) {
        auto changed = request;
        changed.registers_per_thread -= *fewer;
        add(*fewer, *fewer == 1 ? "register fewer" : "registers fewer", changed,
            changed.registers_per_thread);
    }
    if (const auto fewer = o.shared_bytes_fewer_for_next_block) {
        auto changed = request;
        changed.shared_bytes_per_block -= *fewer;
        add(*fewer, *fewer == 1 ? "byte of shared memory fewer" : "bytes of shared memory fewer", changed,
            changed.shared_bytes_per_block);
    }
    if (const auto fewer = o.threads_fewer_for_next_block) {
        auto changed = request;
        changed.threads_per_block -= *fewer;
        add(*fewer, *fewer == 1 ? "thread fewer" : "threads fewer", changed, changed.threads_per_block);
    }
    return text.empty() ? "  none: no single resource gains a block\n" : text;
}

nlohmann::ordered_json request_json(const OccupancyRequest& request) {
    return {{"threads_per_block", request.threads_per_block},
            {"registers_per_thread", request.registers_per_thread},
            {"shared_bytes_per_block", request.shared_bytes_per_block},
            {"barriers_per_block", request.barriers_per_block},
            {"carveout_pct", json_optional(request.carveout_percent)}};
}

}  // namespace

std::string occupancy_text(const ArchSpec& arch, const OccupancyRequest& request) {
    const auto o = compute_occupancy(arch, request);
    auto text = title(arch);
    text += fmt::format("  blocks per SM  {}\n", o.blocks_per_sm);
    text += fmt::format("  active warps   {} of {} ({:.1f} %)\n", o.active_warps, arch.sm.max_warps,
                        100 * o.occupancy);
    text += fmt::format("  limited by     {}\n", limiter_names(o));
    if (o.blocks_per_sm == 0) {
        text += fmt::format("  does not fit   {}\n", o.infeasible_reason);
    }
    return text + "\n" + limit_table(arch, request, o) + "\nnext steps\n" + next_steps(arch, request, o);
}

std::string occupancy_json(const ArchSpec& arch, const OccupancyRequest& request) {
    const auto o = compute_occupancy(arch, request);
    auto limiters = nlohmann::ordered_json::array();
    for (const auto limiter : o.limiters) {
        limiters.push_back(std::string(to_string(limiter)));
    }
    auto json = json_head(arch);
    json["request"] = request_json(request);
    json["blocks_per_sm"] = o.blocks_per_sm;
    json["warps_per_block"] = o.warps_per_block;
    json["active_warps"] = o.active_warps;
    json["occupancy"] = o.occupancy;
    json["limiters"] = limiters;
    json["reason"] = o.infeasible_reason;
    json["limits_blocks"] = {{"warps", o.limit_warps},
                             {"registers", json_optional(o.limit_registers)},
                             {"shared_memory", json_optional(o.limit_shared_memory)},
                             {"blocks", o.limit_blocks},
                             {"barriers", json_optional(o.limit_barriers)}};
    json["registers_allocated_per_block"] = o.registers_allocated_per_block;
    json["shared_allocated_bytes"] = o.shared_allocated_bytes;
    json["carveout_bytes"] = o.carveout_bytes;
    json["registers_fewer_for_next_block"] = json_optional(o.registers_fewer_for_next_block);
    json["shared_bytes_fewer_for_next_block"] = json_optional(o.shared_bytes_fewer_for_next_block);
    json["threads_fewer_for_next_block"] = json_optional(o.threads_fewer_for_next_block);
    return json_text(json);
}

std::string occupancy_csv(const ArchSpec& arch, const OccupancyRequest& request) {
    const auto o = compute_occupancy(arch, request);
    return "arch,threads,registers,shared,blocks_per_sm,limiter,occupancy,active_warps,limit_warps,"
           "limit_registers,limit_shared_memory,limit_blocks,limit_barriers,registers_allocated_per_block,"
           "shared_allocated_bytes,carveout_bytes,reason\n" +
           csv_record(arch.name, request.threads_per_block, request.registers_per_thread,
                      request.shared_bytes_per_block, o.blocks_per_sm, limiter_names(o), o.occupancy,
                      o.active_warps, o.limit_warps, o.limit_registers, o.limit_shared_memory, o.limit_blocks,
                      o.limit_barriers, o.registers_allocated_per_block, o.shared_allocated_bytes,
                      o.carveout_bytes, o.infeasible_reason);
}

std::string sweep_text(const ArchSpec& arch, const OccupancyRequest& request, const OccupancySweep& sweep) {
    const auto fixed = [&](OccupancyAxis axis, const std::string& words) {
        return sweep.axis == axis ? std::string() : "  " + words + "\n";
    };
    auto text =
        title(arch) +
        fixed(OccupancyAxis::threads, plural(request.threads_per_block, "thread") + " per block") +
        fixed(OccupancyAxis::registers, plural(request.registers_per_thread, "register") + " per thread") +
        fixed(OccupancyAxis::shared_memory,
              plural(request.shared_bytes_per_block, "byte") + " of shared memory per block");
    text += fmt::format("\n  {:>19} {:>7} {:>7} {:>10}\n", sweep.name, "blocks", "warps", "occupancy");
    std::int64_t from = sweep.axis == OccupancyAxis::shared_memory ? 0 : 1;
    for (const auto& step : sweep.steps) {
        text += fmt::format("  {:>19} {:>7} {:>7} {:>8.1f} %\n", fmt::format("{} to {}", from, step.up_to),
                            step.blocks_per_sm, step.active_warps, 100 * step.occupancy);
        from = step.up_to + 1;
    }
    return text;
}

std::string sweep_json(const ArchSpec& arch, const OccupancyRequest& request, const OccupancySweep& sweep) {
    auto json = json_head(arch);
    json["request"] = request_json(request);
    json["sweep"] = sweep.name;
    json["steps"] = nlohmann::ordered_json::array();
    for (const auto& step : sweep.steps) {
        json["steps"].push_back({{"up_to", step.up_to},
                                 {"blocks_per_sm", step.blocks_per_sm},
                                 {"active_warps", step.active_warps},
                                 {"occupancy", step.occupancy}});
    }
    return json_text(json);
}

std::string sweep_csv(const ArchSpec& arch, const OccupancySweep& sweep) {
    std::string text = "arch,sweep,up_to,blocks_per_sm,active_warps,occupancy\n";
    for (const auto& step : sweep.steps) {
        text += csv_record(arch.name, sweep.name, step.up_to, step.blocks_per_sm, step.active_warps,
                           step.occupancy);
    }
    return text;
}

}  // namespace gpumodel::cli
