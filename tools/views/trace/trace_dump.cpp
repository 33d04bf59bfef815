#include <fmt/format.h>

#include <bit>
#include <iterator>

#include "base/enum_table.h"
#include "tools/views/result_json.h"
#include "tools/views/trace/trace_json.h"
#include "tools/views/trace/trace_views.h"
#include "traces/trace/warp_walk.h"

namespace gpumodel::cli {

namespace {

using Json = nlohmann::ordered_json;

std::string register_name(const RegisterUse& use) {
    static constexpr auto prefixes = enum_words<RegisterKind>("", "R", "P", "UR", "UP", "CC");
    const auto prefix = prefixes.at(static_cast<std::size_t>(use.kind));
    if (use.kind == RegisterKind::condition_code) {
        return std::string(prefix);
    }
    const auto reuse = use.reuse ? ".reuse" : "";
    return use.width > 1 ? fmt::format("{}{}:{}{}", prefix, use.index, use.index + use.width - 1, reuse)
                         : fmt::format("{}{}{}", prefix, use.index, reuse);
}

// "R4:7 <- R2:3"
std::string operands(const Instruction& item) {
    std::string text;
    const auto list = [&](const auto& uses, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            text += (i == 0 ? " " : ", ") + register_name(uses.at(i));
        }
    };
    list(item.results, item.result_count);
    if (item.source_count > 0) {
        text += " <-";
        list(item.sources, item.source_count);
    }
    return text;
}

std::string guard(const Instruction& item) {
    return item.guard.kind == RegisterKind::none
               ? ""
               : fmt::format("@{}{} ", item.guard_negated ? "!" : "", register_name(item.guard));
}

// "A + 0x1000, stride 4" or every active lane's address
std::string addresses(std::uint32_t lanes, const std::array<std::int64_t, 32>& address) {
    if (lanes == 0) {
        return "no lane";
    }
    const auto first = static_cast<std::size_t>(std::countr_zero(lanes));
    std::string list;
    std::int64_t stride = 0;
    bool even = true;
    auto last = first;
    for (auto lane = first; lane < 32; ++lane) {
        if ((lanes >> lane & 1) == 0) {
            continue;
        }
        fmt::format_to(std::back_inserter(list), " 0x{:x}", address[lane]);
        if (lane > first) {
            stride = last == first ? address[lane] - address[first] : stride;
            even = even && lane == last + 1 && address[lane] - address[last] == stride;
        }
        last = lane;
    }
    return even ? fmt::format("0x{:x} stride {}", address[first], stride) : list.substr(1);
}

class Dump {
public:
    Dump(const KernelProgram& program, const DumpRange& range) : program_(program), range_(range) {}

    // `line`: what to do with an instruction, its lanes, and its addresses if it has any.
    template <typename Line>
    bool each(const Line& line) {
        std::int64_t left = range_.limit;
        return walk_warp(
            body_of(program_, range_.block), range_.block, range_.warp, [&](const IssuedInstruction& issued) {
                if (left-- == 0) {
                    return false;
                }
                const auto& item = issued.segment->code[issued.index];
                const bool memory = item.access_bytes > 0 && item.site >= 0;
                std::array<std::int64_t, 32> address{};
                const auto lanes = active_lanes(issued, range_.warp, address);
                const auto* site =
                    memory ? &issued.segment->sites[static_cast<std::size_t>(item.site)] : nullptr;
                line(item, lanes, site, address);
                return true;
            });
    }

    [[nodiscard]] std::string text() {
        std::string out;
        const auto warp_size = count_instructions(body_of(program_, range_.block), range_.warp);
        fmt::format_to(std::back_inserter(out), "block {},{},{} warp {}: {:.0f} instructions\n",
                       range_.block.x, range_.block.y, range_.block.z, range_.warp, warp_size);
        const bool whole = each([&](const Instruction& item, std::uint32_t lanes, const AccessSite* site,
                                    const std::array<std::int64_t, 32>& address) {
            auto code = guard(item) + program_.mnemonics.name(item.mnemonic) + operands(item);
            if (site != nullptr) {
                code = fmt::format("{:<48} {}{}{}: {}", code, to_string(site->space),
                                   site->array.empty() ? "" : " ", site->array, addresses(lanes, address));
            }
            fmt::format_to(std::back_inserter(out), "{:04x}  {:08x}  {}\n", item.address, lanes, code);
        });
        return whole ? out : out + "...\n";
    }

    [[nodiscard]] Json json() {
        Json list = Json::array();
        each([&](const Instruction& item, std::uint32_t lanes, const AccessSite* site,
                 const std::array<std::int64_t, 32>& address) {
            Json entry{{"address", item.address},
                       {"mnemonic", program_.mnemonics.name(item.mnemonic)},
                       {"class", to_string(item.op)},
                       {"lanes", lanes}};
            for (std::size_t i = 0; i < item.result_count; ++i) {
                entry["results"].push_back(register_name(item.results[i]));
            }
            for (std::size_t i = 0; i < item.source_count; ++i) {
                entry["sources"].push_back(register_name(item.sources[i]));
            }
            if (site != nullptr) {
                entry["space"] = to_string(site->space);
                entry["array"] = site->array;
                entry["bytes_per_lane"] = item.access_bytes;
                for (std::size_t lane = 0; lane < 32; ++lane) {
                    entry["addresses"].push_back((lanes >> lane & 1) != 0 ? Json(address[lane]) : Json());
                }
            }
            list.push_back(std::move(entry));
        });
        return list;
    }

private:
    const KernelProgram& program_;
    const DumpRange& range_;
};

}  // namespace

std::string trace_dump(const TraceFile& trace, const std::string& file, const DumpRange& range,
                       Format format) {
    Dump dump(trace.program, range);
    if (format == Format::text) {
        return dump.text();
    }
    Json json = trace_json_head(trace, file);
    json["block"] = {range.block.x, range.block.y, range.block.z};
    json["warp"] = range.warp;
    json["instructions"] = dump.json();
    return json_text(json);
}

}  // namespace gpumodel::cli
