#include "traces/emulate/prepare/constant_bank.h"

#include <array>
#include <bit>
#include <charconv>

namespace gpumodel::emulate {

namespace {

struct Layout {
    std::int64_t block, grid, shared, local, stack, grid_barrier, cluster, parameter_address, descriptor,
        parameters;
    int window_words;
    std::int64_t window_uppers = -1;  // of the shared and the local window, where they stand apart
};

constexpr int kepler_end = 50;
constexpr int first_pascal = 60;
constexpr int first_volta = 70;
constexpr int first_hopper = 90;
constexpr int first_blackwell = 100;
constexpr int last_known = 121;
constexpr Layout kepler{0x28, 0x34, 0x20, 0x24, 0x44, 0x50, -1, -1, -1, 0x140, 1};
constexpr Layout maxwell{0x8, 0x14, 0x0, 0x4, 0x20, 0x34, -1, -1, -1, 0x140, 1};
constexpr Layout pascal{0x8, 0x14, 0x0, 0x4, 0x20, 0x34, -1, -1, -1, 0x140, 1, 0x100};
constexpr Layout volta{0x0, 0xc, 0x18, 0x20, 0x28, 0x8c, -1, -1, 0x118, 0x160, 2};
constexpr Layout hopper{0x0, 0xc, 0x18, 0x20, 0x28, 0x44, 0x140, 0x198, 0x208, 0x210, 2};
// Where the shared window lies is a special register there (SR_SWINHI), where parameters lie as memory is not
// known.
constexpr Layout blackwell{0x360, 0x370, -1, 0x2f8, 0x37c, 0x254, 0x36c, -1, 0x358, 0x380, 2};

const Layout& layout_of(int architecture) {
    if (architecture < kepler_end) {
        return kepler;
    }
    if (architecture < first_volta) {
        return architecture < first_pascal ? maxwell : pascal;
    }
    if (architecture < first_hopper) {
        return volta;
    }
    return architecture < first_blackwell ? hopper : blackwell;
}

}  // namespace

int architecture_number(const std::string& arch) {
    const auto digits = arch.find_first_of("0123456789");
    int number = 0;
    if (digits != std::string::npos) {
        std::from_chars(arch.data() + digits, arch.data() + arch.size(), number);
    }
    return number;
}

std::int64_t grid_barrier_offset(int architecture) {
    return layout_of(architecture).grid_barrier;
}

bool has_known_constants(int architecture) {
    return architecture == 35 || architecture == 37 ||
           (architecture >= kepler_end && architecture <= last_known);
}

ConstantBank::ConstantBank(int architecture, const Dim3& grid, const Dim3& block,
                           const KernelArguments& arguments, const Dim3& cluster) {
    const auto& layout = layout_of(architecture);
    parameters_ = layout.parameters;
    shared_ = layout.shared;
    local_ = layout.local;
    const auto set_dimensions = [&](std::int64_t offset, const Dim3& dimensions) {
        set(offset, dimensions.x, 1);
        set(offset + 4, dimensions.y, 1);
        set(offset + 8, dimensions.z, 1);
    };
    set_dimensions(layout.block, block);
    set_dimensions(layout.grid, grid);
    if (layout.shared >= 0) {
        set(layout.shared, shared_window, layout.window_words);
    }
    set(layout.local, local_window, layout.window_words);
    set(layout.stack, stack_top, 1);
    if (layout.window_uppers >= 0) {
        set(layout.window_uppers, 0, 2);
    }
    if (layout.cluster >= 0) {
        set(layout.cluster, 0, 1);
        if (architecture < first_blackwell) {
            set_clusters(layout.cluster, grid, cluster);
        }
    }
    if (layout.descriptor >= 0) {
        set(layout.descriptor, 0, 2);  // how to cache, which addresses do not depend on
    }
    if (layout.parameter_address >= 0) {
        set(layout.parameter_address, parameter_window, 2);
    }
    set_arguments(arguments);
    set_grid_barrier(layout.grid_barrier, arguments);
}

std::optional<std::uint32_t> ConstantBank::word(std::int64_t offset) const {
    if (offset < 0 || offset % 4 != 0 || offset >= bytes()) {
        return std::nullopt;
    }
    return words_[static_cast<std::size_t>(offset / 4)];
}

void ConstantBank::set(std::int64_t offset, std::int64_t value, int words) {
    const auto first = static_cast<std::size_t>(offset / 4);
    const auto count = static_cast<std::size_t>(words);
    if (words_.size() < first + count) {
        words_.resize(first + count);
    }
    const auto bits = static_cast<std::uint64_t>(value);
    for (std::size_t i = 0; i < count; ++i) {
        words_[first + i] = static_cast<std::uint32_t>(bits >> (32 * i));
    }
}

void ConstantBank::set_arguments(const KernelArguments& arguments) {
    using Type = KernelArgument::Type;
    for (std::size_t i = 0; i < arguments.list.size(); ++i) {
        const auto& argument = arguments.list[i];
        if (argument.origin != KernelArgument::Origin::parameter) {
            continue;
        }
        const auto offset = parameters_ + argument.offset;
        switch (argument.type) {
            case Type::int32:
                set(offset, argument.integer, 1);
                break;
            case Type::int64:
                set(offset, argument.integer, 2);
                break;
            case Type::float32:
                set(offset, std::bit_cast<std::int32_t>(static_cast<float>(argument.number)), 1);
                break;
            case Type::float64:
                set(offset, std::bit_cast<std::int64_t>(argument.number), 2);
                break;
            case Type::pointer:
                set(offset,
                    (static_cast<std::int64_t>(argument.allocation_of.value_or(i) + 1) << allocation_shift) +
                        argument.begins_at,
                    2);
                break;
            case Type::tensor_map:
                set(offset, 0,
                    static_cast<int>(argument.bytes() / 4));  // its own format, which no code reads
                break;
            case Type::map_pointer:
                set(offset, tensor_map_address(i), 2);
                break;
            case Type::texture:
                set(offset, texture_handle(i), 2);
                break;
        }
    }
}

// From listings of sm_90: 1 where there are clusters; then their size, its reciprocal and their number, by
// dimension; 0x48 bytes on, the blocks of one.
void ConstantBank::set_clusters(std::int64_t offset, const Dim3& grid, const Dim3& cluster) {
    constexpr std::int64_t size = 0x4, reciprocal = 0x10, number = 0x1c, blocks = 0x48;
    const std::array<std::int64_t, 3> of_grid{grid.x, grid.y, grid.z},
        of_cluster{cluster.x, cluster.y, cluster.z};
    set(offset, cluster.count() > 1 ? 1 : 0, 1);
    for (std::size_t d = 0; d < of_grid.size(); ++d) {
        const auto at = offset + 4 * static_cast<std::int64_t>(d);
        set(at + size, of_cluster[d], 1);
        set(at + reciprocal, std::bit_cast<std::int32_t>(1.0F / static_cast<float>(of_cluster[d])), 1);
        set(at + number, of_grid[d] / of_cluster[d], 1);
    }
    set(offset + blocks, cluster.count(), 1);
}

// The upper half of the address first.
void ConstantBank::set_grid_barrier(std::int64_t offset, const KernelArguments& arguments) {
    constexpr int half = 32;
    for (std::size_t i = 0; i < arguments.list.size(); ++i) {
        if (arguments.list[i].origin == KernelArgument::Origin::grid_barrier) {
            const auto address = static_cast<std::int64_t>(i + 1) << allocation_shift;
            set(offset, address >> half, 1);
            set(offset + 4, address, 1);
        }
    }
}

}  // namespace gpumodel::emulate
