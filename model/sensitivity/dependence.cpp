#include "model/sensitivity/dependence.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "model/analytic/predict.h"

namespace gpumodel {
namespace {

constexpr std::array<std::string_view, 11> unread_keys{"clock.base",     "clock.boost",
                                                       "clock.memory",   "dram.capacity",
                                                       "dram.bus_width", "dram.data_rate",
                                                       "declared.fp32",  "declared.dram_bandwidth",
                                                       "l1.line",        "declared.shared_bandwidth",
                                                       "read_only.line"};

constexpr std::array<std::string_view, 13> occupancy_keys{"sm.max_warps",
                                                          "sm.max_threads",
                                                          "sm.max_blocks",
                                                          "sm.max_threads_per_block",
                                                          "sm.max_barriers",
                                                          "sm.register_file.size",
                                                          "sm.register_file.max_per_block",
                                                          "sm.register_file.max_per_thread",
                                                          "sm.register_file.allocation_unit",
                                                          "sm.register_file.warp_granularity",
                                                          "sm.shared_memory.max_per_block",
                                                          "sm.shared_memory.max_per_block_optin",
                                                          "sm.shared_memory.reserved_per_block"};

using UsedClasses = std::array<bool, op_class_count>;

void note_classes(const std::vector<Node>& body, UsedClasses& used) {
    for (const auto& node : body) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            note_classes(loop->body, used);
            continue;
        }
        for (const auto& segment : std::get<Interval>(node).segments) {
            for (std::size_t i = 0; i < op_class_count; ++i) {
                used[i] = used[i] || segment.ops[i] > 0;
            }
        }
    }
}

UsedClasses used_classes(const KernelProgram& program) {
    UsedClasses used{};
    note_classes(program.body, used);
    for (const auto& variant : program.variants) {
        note_classes(variant.body, used);
    }
    // a barrier that the code does not show
    used[static_cast<std::size_t>(OpClass::barrier)] = true;
    return used;
}

bool reads_textures(const std::vector<Node>& body) {
    return std::any_of(body.begin(), body.end(), [](const Node& node) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            return reads_textures(loop->body);
        }
        const auto& segments = std::get<Interval>(node).segments;
        return std::any_of(segments.begin(), segments.end(), [](const Segment& segment) {
            return std::any_of(segment.sites.begin(), segment.sites.end(),
                               [](const AccessSite& site) { return site.texture != TextureUnit::none; });
        });
    });
}

bool reads_textures(const KernelProgram& program) {
    return reads_textures(program.body) ||
           std::any_of(program.variants.begin(), program.variants.end(),
                       [](const BlockVariant& variant) { return reads_textures(variant.body); });
}

// The name between `prefix` and the next dot; "" if the key begins otherwise.
std::string_view name_after(std::string_view key, std::string_view prefix) {
    if (!key.starts_with(prefix)) {
        return {};
    }
    key.remove_prefix(prefix.size());
    return key.substr(0, key.find('.'));
}

}  // namespace

bool can_matter(const Field& field, const KernelProgram& program, const ArchSpec& arch) {
    const std::string_view key = field.key;
    if (std::find(unread_keys.begin(), unread_keys.end(), key) != unread_keys.end()) {
        return false;
    }
    if (key.starts_with("texture.") && !reads_textures(program)) {
        return false;
    }
    const auto op_name = name_after(key, "sm.ops.");
    const auto pipe_name = name_after(key, "sm.pipes.");
    if (op_name.empty() && pipe_name.empty()) {
        return true;
    }
    const auto used = used_classes(program);
    for (std::size_t i = 0; i < op_class_count; ++i) {
        const auto& timing = arch.sm.ops[i];
        if (used[i] && (op_class_names[i] == op_name || (timing && to_string(timing->pipe) == pipe_name))) {
            return true;
        }
    }
    return false;
}

bool acts_by_occupancy(const Field& field) {
    return std::find(occupancy_keys.begin(), occupancy_keys.end(), field.key) != occupancy_keys.end();
}

bool same_occupancy(const KernelProgram& program, const ArchSpec& a, const ArchSpec& b) {
    const auto first = launch_occupancy(program, a);
    const auto second = launch_occupancy(program, b);
    return first.blocks_per_sm == second.blocks_per_sm &&
           first.shared_allocated_bytes == second.shared_allocated_bytes &&
           first.warps_per_block == second.warps_per_block;
}

}  // namespace gpumodel
