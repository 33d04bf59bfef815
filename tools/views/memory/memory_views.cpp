#include "tools/views/memory/memory_views.h"

#include <fmt/format.h>

#include <bit>

#include "tools/views/memory/memory_picture.h"
#include "tools/views/prediction/report.h"
#include "tools/views/result_json.h"

namespace gpumodel::cli {

namespace {

const char* direction_name(const MemoryResult& result) {
    return result.direction == AccessDirection::load ? "load" : "store";
}

const char* path_name(GlobalPath path) {
    switch (path) {
        case GlobalPath::l1_cached:
            return "l1";
        case GlobalPath::l1_bypassed:
            return "l2";
        case GlobalPath::read_only:
            return "ro";
    }
    return "";
}

const char* rule_words(CoalescingRule rule) {
    switch (rule) {
        case CoalescingRule::cc1_0:
            return "cc 1.0/1.1: half-warps, in sequence and aligned, else one transaction per lane";
        case CoalescingRule::cc1_2:
            return "cc 1.2/1.3: half-warps, segments of 32 to 128 B";
        case CoalescingRule::cc2_x:
            return "cc 2.x: 128 B lines through L1, 32 B sectors past it";
        case CoalescingRule::cc3_x:
            return "cc 3.x: 32 B sectors, 128 B lines where L1 caches";
        case CoalescingRule::cc5_x:
            return "cc 5.x: 32 B sectors, 128 B lines where L1 caches";
        case CoalescingRule::cc6_x:
            return "cc 6.x and later: 32 B sectors";
    }
    return "";
}

// The path matters to cc 2.x and later only; before, there is no cache to take.
std::string path_words(const ArchSpec& arch, const MemoryResult& result) {
    return arch.cc.major < 2 ? "" : fmt::format(", path {}", path_name(result.path));
}

// What the distinct bytes need at least, packed densely.
int ideal_sectors(const Coalescing& global) {
    return static_cast<int>((global.bytes_requested + 31) / 32);
}

std::string global_text(const ArchSpec& arch, const MemoryResult& result, bool verbose) {
    const auto& g = *result.global;
    auto text =
        fmt::format("\nglobal memory{} ({})\n", path_words(arch, result), rule_words(arch.coalescing_rule));
    text += fmt::format("  requests        {}\n", g.requests);
    text += fmt::format("  transactions    {}\n", g.transactions);
    text += fmt::format("  32 B sectors    {} (at least {})\n", g.sectors, ideal_sectors(g));
    text += fmt::format("  128 B lines     {}\n", g.lines);
    text += fmt::format("  bytes           {} requested, {} moved\n", g.bytes_requested, g.bytes_moved);
    text += fmt::format("  efficiency      {:.1f} %\n", 100 * g.efficiency());
    if (verbose) {
        for (const auto& transaction : g.list) {
            text += fmt::format("    {:>3} B from byte {}\n", transaction.bytes, transaction.address);
        }
    }
    return text;
}

std::string shared_text(const MemoryResult& result, bool verbose) {
    const auto& s = *result.shared;
    auto text = fmt::format("\nshared memory, {} banks of {} B\n", result.geometry.banks,
                            result.geometry.bank_width_bytes);
    text += fmt::format("  phases          {}\n", s.phases);
    text += fmt::format("  wavefronts      {} (at least {:.0f})\n", s.wavefronts, s.ideal_wavefronts);
    text += fmt::format("  conflicts       {}\n", s.conflicts);
    text += fmt::format("  degree          {}\n",
                        s.degree <= 1 ? "conflict-free" : fmt::format("{}-way", s.degree));
    return verbose ? text + bank_picture_text(result.picture, result.geometry.banks) : text;
}

nlohmann::ordered_json global_json(const MemoryResult& result, bool verbose) {
    const auto& g = *result.global;
    nlohmann::ordered_json json{{"path", path_name(result.path)},
                                {"requests", g.requests},
                                {"transactions", g.transactions},
                                {"sectors", g.sectors},
                                {"lines", g.lines},
                                {"requested_bytes", g.bytes_requested},
                                {"moved_bytes", g.bytes_moved},
                                {"efficiency", g.efficiency()}};
    if (verbose) {
        json["list"] = nlohmann::ordered_json::array();
        for (const auto& transaction : g.list) {
            json["list"].push_back({{"address", transaction.address}, {"bytes", transaction.bytes}});
        }
    }
    return json;
}

nlohmann::ordered_json shared_json(const MemoryResult& result, bool verbose) {
    const auto& s = *result.shared;
    nlohmann::ordered_json json{{"banks", result.geometry.banks},
                                {"bank_width_bytes", result.geometry.bank_width_bytes},
                                {"phases", s.phases},
                                {"wavefronts", s.wavefronts},
                                {"conflicts", s.conflicts},
                                {"degree", s.degree},
                                {"ideal_wavefronts", s.ideal_wavefronts}};
    if (verbose) {
        json["words"] = nlohmann::ordered_json::array();
        for (const auto& word : result.picture) {
            json["words"].push_back({{"phase", word.phase},
                                     {"bank", word.bank},
                                     {"word", word.word},
                                     {"lanes_mask", word.lanes}});
        }
    }
    return json;
}

}  // namespace

std::string memory_text(const ArchSpec& arch, const MemoryResult& result, bool verbose) {
    const int lanes = std::popcount(result.access.active);
    auto text =
        fmt::format("memory access on {} ({}, {})\n", arch.marketing_name, arch.name, arch.generation);
    text += fmt::format("  {} by {} lane{} of {} B each, {}\n", direction_name(result), lanes,
                        lanes == 1 ? "" : "s", result.access.bytes_per_lane, result.pattern);
    text += result.global ? global_text(arch, result, verbose) : "";
    text += result.shared ? shared_text(result, verbose) : "";
    return text;
}

std::string memory_json(const ArchSpec& arch, const MemoryResult& result, bool verbose) {
    auto json = json_head(arch);
    json["access"] = {{"direction", direction_name(result)},
                      {"bytes_per_lane", result.access.bytes_per_lane},
                      {"active_mask", result.access.active},
                      {"addresses", result.access.address}};
    if (result.global) {
        json["global"] = global_json(result, verbose);
    }
    if (result.shared) {
        json["shared"] = shared_json(result, verbose);
    }
    return json_text(json);
}

std::string memory_csv(const ArchSpec& arch, const MemoryResult& result) {
    std::string text =
        "arch,direction,bytes_per_lane,active_lanes,path,requests,transactions,sectors,lines,requested_bytes,"
        "moved_bytes,efficiency,banks,bank_width_bytes,phases,wavefronts,conflicts,degree,ideal_wavefronts\n";
    text += csv_cells(arch.name, direction_name(result), result.access.bytes_per_lane,
                      std::popcount(result.access.active)) +
            ',';
    if (const auto& g = result.global) {
        text += csv_cells(path_name(result.path), g->requests, g->transactions, g->sectors, g->lines,
                          g->bytes_requested, g->bytes_moved, g->efficiency());
    } else {
        text += ",,,,,,,";
    }
    if (const auto& s = result.shared) {
        text += ',' + csv_record(result.geometry.banks, result.geometry.bank_width_bytes, s->phases,
                                 s->wavefronts, s->conflicts, s->degree, s->ideal_wavefronts);
    } else {
        text += ",,,,,,,\n";
    }
    return text;
}

}  // namespace gpumodel::cli
