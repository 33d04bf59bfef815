#include "traces/emulate/operations/texture_operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/diagnostics.h"
#include "base/note.h"
#include "traces/emulate/operations/half.h"
#include "traces/emulate/prepare/addresses.h"

namespace gpumodel::emulate {

namespace {

using Place = std::array<std::int64_t, 3>;  // x in texels (surfaces: bytes), y, z or layer

struct Object {
    const Texture* texture = nullptr;
    const AllocatedArray* array = nullptr;
    i64 base = 0;  // of its contents in device memory
};

[[noreturn]] void fail(const Warp& warp, const Access& access, std::string what) {
    throw InputError(InputErrorKind::invalid_input,
                     {{"", 0, 0, fmt::format("{:#06x}", warp.block->program->address_of(access.instruction)),
                       std::move(what)}});
}

Object object_of(const Warp& warp, const Access& access, u32 handle) {
    const auto& program = *warp.block->program;
    const auto number = static_cast<i64>(handle) - first_texture_handle;
    if (number < 0 || number >= static_cast<i64>(program.array_of_allocation.size()) ||
        !program.array_of_allocation[static_cast<std::size_t>(number)].texture) {
        fail(warp, access,
             fmt::format("{} takes {:#x} for a texture or surface object, which is none of --args: "
                         "NAME=tex(FORMAT,SHAPE), NAME=surf(FORMAT,SHAPE)",
                         program.texts[static_cast<std::size_t>(access.instruction)], handle));
    }
    const auto& array = program.array_of_allocation[static_cast<std::size_t>(number)];
    const auto counted = program.code.instructions[static_cast<std::size_t>(access.instruction)].access_bytes;
    const bool by_texel = access.texture == TextureUnit::fetch || access.texture == TextureUnit::sample;
    if (by_texel && array.texture->format.bytes() != counted) {
        fail(warp, access,
             fmt::format("{} reads textures of {} and of {} bytes per texel, which one instruction is not "
                         "counted with",
                         program.texts[static_cast<std::size_t>(access.instruction)], counted,
                         array.texture->format.bytes()));
    }
    return {array.texture.get(), &array, (number + 1) << allocation_shift};
}

i64 clamped(i64 at, i64 size) {
    return std::clamp<i64>(at, 0, size - 1);
}

// Of a surface: x in bytes. Empty = outside.
std::optional<Place> surface_place(Warp& warp, const Access& access, const Texture& texture, Place at) {
    const Place size{texture.extent[0] * texture.format.bytes(), texture.extent[1], texture.extent[2]};
    const bool inside = at[0] >= 0 && at[0] + access.bytes <= size[0] && at[1] >= 0 && at[1] < size[1] &&
                        at[2] >= 0 && at[2] < size[2];
    if (inside) {
        return at;
    }
    if (access.outside == Access::Outside::clamp) {
        return Place{clamped(at[0], std::max<i64>(1, size[0] - access.bytes + 1)), clamped(at[1], size[1]),
                     clamped(at[2], size[2])};
    }
    if (access.outside == Access::Outside::trap) {
        ++(*warp.block->notes)[noted(
            NoteId::out_of_bounds,
            fmt::format("{:#06x}: accesses a surface outside of its extent, where the device would trap",
                        warp.block->program->address_of(access.instruction)))];
    }
    return std::nullopt;
}

double coordinate(const Warp& warp, const MicroOp& op, const Access& access, std::size_t axis,
                  std::size_t lane) {
    const u32 bits = from(warp, op, axis).at[lane];
    return access.texture == TextureUnit::sample ? static_cast<double>(as_float(bits)) : as_signed(bits);
}

i64 layer_of(const Warp& warp, const MicroOp& op, const Texture& texture, std::size_t lane) {
    return clamped(static_cast<i64>(from(warp, op, 3).at[lane]), texture.extent[2]);
}

// A filter and TLD4 begin half a texel before.
std::optional<i64> texel_along(const Warp& warp, const MicroOp& op, const Access& access,
                               const Texture& texture, std::size_t axis, std::size_t lane) {
    const double at = coordinate(warp, op, access, axis, lane);
    if (access.texture == TextureUnit::fetch) {
        return texture.inside(static_cast<int>(axis), static_cast<i64>(at));
    }
    return texture.texel(static_cast<int>(axis), at);
}

// The texel at the border where a coordinate is outside.
i64 nearest_texel(const Warp& warp, const MicroOp& op, const Access& access, const Texture& texture,
                  std::size_t axis, std::size_t lane) {
    return coordinate(warp, op, access, axis, lane) > 0 ? texture.extent[axis] - 1 : 0;
}

// Texels beyond a border are empty, or with `nearest` those beside them.
std::optional<Place> place_of(Warp& warp, const MicroOp& op, const Access& access, const Texture& texture,
                              std::size_t lane, bool nearest = false) {
    Place place{};
    const auto dimensions = static_cast<std::size_t>(access.dimensions);
    if (access.texture == TextureUnit::surface) {
        for (std::size_t axis = 0; axis < dimensions; ++axis) {
            place[axis] = as_signed(from(warp, op, axis).at[lane]);
        }
        if (access.array) {
            place[2] = as_signed(from(warp, op, 3).at[lane]);
        }
        return surface_place(warp, access, texture, place);
    }
    for (std::size_t axis = 0; axis < dimensions; ++axis) {
        const auto at = texel_along(warp, op, access, texture, axis, lane);
        if (!at && !nearest) {
            return std::nullopt;
        }
        place[axis] = at ? *at : nearest_texel(warp, op, access, texture, axis, lane);
    }
    if (access.array) {
        place[2] = layer_of(warp, op, texture, lane);
    }
    return place;
}

i64 bytes_along_row(const Access& access, const Texture& texture, i64 x) {
    return access.texture == TextureUnit::surface ? x : x * texture.format.bytes();
}

template <class Each>
void for_active(u32 mask, Each each) {
    for (; mask != 0; mask &= mask - 1) {
        each(static_cast<std::size_t>(std::countr_zero(mask)));
    }
}

// Bits of a channel -> what the register gets: an integer, or a float.
u32 channel_value(const Texture& texture, u32 bits) {
    const auto& format = texture.format;
    if (format.is_float) {
        return format.channel_bytes == 2 ? float_bits(from_half(bits)) : bits;
    }
    const int unused = 32 - 8 * format.channel_bytes;
    const u32 whole = format.is_signed ? static_cast<u32>(as_signed(bits << unused) >> unused) : bits;
    if (!texture.reads_normalized) {
        return whole;
    }
    const auto most =
        static_cast<float>((u32{1} << (8 * format.channel_bytes - (format.is_signed ? 1 : 0))) - 1);
    const float value =
        (format.is_signed ? static_cast<float>(as_signed(whole)) : static_cast<float>(whole)) / most;
    return float_bits(std::max(value, -1.0F));
}

struct Channel {
    u32 value = 0;
    bool known = true;
};

// Of the texel at `at`; what lies outside is zero.
Channel channel_at(const Warp& warp, const Object& object, const std::array<std::optional<i64>, 3>& at,
                   int channel) {
    const auto& texture = *object.texture;
    if (!at[0] || !at[1] || !at[2] || channel >= texture.format.channels) {
        return {};
    }
    const auto row = *at[0] * texture.format.bytes() + i64{channel} * texture.format.channel_bytes;
    const auto word = warp.block->device->load(object.base + texture.content_offset(row, *at[1], *at[2]),
                                               texture.format.channel_bytes);
    return {channel_value(texture, low_word(word.value)), word.known};
}

// Between the texels on both sides of a coordinate: the lower one, and the weight of the upper one.
struct Between {
    i64 lower = 0;
    float weight = 0;
};

Between between(const Texture& texture, std::size_t axis, double at) {
    const double half = (texture.normalized ? at * static_cast<double>(texture.extent[axis]) : at) - 0.5;
    constexpr double far = 1e9, steps = 256;
    const double held = std::isnan(half) ? 0 : std::clamp(half, -far, far);
    const double lower = std::floor(held);
    return {static_cast<i64>(lower), static_cast<float>(std::floor((held - lower) * steps) / steps)};
}

class Sampler {
public:
    Sampler(const Warp& warp, const MicroOp& op, const Access& access, std::size_t lane, const Object& object)
        : warp_(warp), object_(object), texture_(*object.texture), dimensions_(access.dimensions) {
        for (int axis = 0; axis < dimensions_; ++axis) {
            const auto i = static_cast<std::size_t>(axis);
            between_[i] = between(texture_, i, coordinate(warp, op, access, i, lane));
        }
        layer_ = access.array ? layer_of(warp, op, texture_, lane) : 0;
    }

    // The texel at the lower side of each axis, or the upper one where `upper` has its bit.
    [[nodiscard]] Channel corner(unsigned upper, int channel) const {
        std::array<std::optional<i64>, 3> at{0, 0, layer_};
        for (int axis = 0; axis < dimensions_; ++axis) {
            const auto i = static_cast<std::size_t>(axis);
            at[i] = texture_.inside(axis, between_[i].lower + (upper >> i & 1U));
        }
        return channel_at(warp_, object_, at, channel);
    }

    [[nodiscard]] Channel mean(int channel) const {
        float sum = 0;
        bool known = true;
        for (unsigned upper = 0; upper < 1U << dimensions_; ++upper) {
            float weight = 1;
            for (std::size_t i = 0; i < static_cast<std::size_t>(dimensions_); ++i) {
                weight *= (upper >> i & 1U) != 0 ? between_[i].weight : 1 - between_[i].weight;
            }
            const auto texel = corner(upper, channel);
            sum += weight == 0 ? 0 : weight * as_float(texel.value);
            known = known && (weight == 0 || texel.known);
        }
        return {float_bits(sum), known};
    }

private:
    const Warp& warp_;
    const Object& object_;
    const Texture& texture_;
    int dimensions_;
    std::array<Between, 3> between_{};
    i64 layer_ = 0;
};

Channel sampled(Warp& warp, const MicroOp& op, const Access& access, std::size_t lane, const Object& object) {
    const auto channel = static_cast<int>(op.option);
    if (access.gathered >= 0) {
        // counter-clockwise from the lower left (PTX ISA, tld4)
        constexpr std::array<unsigned, 4> corners{2, 3, 1, 0};
        return Sampler(warp, op, access, lane, object).corner(corners[op.option & 3U], access.gathered);
    }
    if (object.texture->linear_filter && access.texture == TextureUnit::sample) {
        return Sampler(warp, op, access, lane, object).mean(channel);
    }
    const auto place = place_of(warp, op, access, *object.texture, lane);
    return place ? channel_at(warp, object, {(*place)[0], (*place)[1], (*place)[2]}, channel) : Channel{};
}

// A word of what a surface read returns, as it lies there.
Channel surface_word(Warp& warp, const MicroOp& op, const Access& access, std::size_t lane,
                     const Object& object) {
    const auto place = place_of(warp, op, access, *object.texture, lane);
    if (!place) {
        return {};
    }
    const auto at = object.texture->content_offset((*place)[0], (*place)[1], (*place)[2]);
    const auto word =
        warp.block->device->load(object.base + at + 4 * i64{op.option}, std::min(access.bytes, 4));
    const int unused = 32 - 8 * std::min(access.bytes, 4);
    const u32 bits = low_word(word.value);
    return {access.sign_extended ? static_cast<u32>(as_signed(bits << unused) >> unused) : bits, word.known};
}

}  // namespace

void report_texture(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    auto& event = warp.block->event;
    event.instruction = access.instruction;
    event.space = MemorySpace::global;
    event.array = -1;
    event.active = 0;
    event.address.fill(0);
    bool first = true;
    for_active(mask, [&](std::size_t lane) {
        const auto object = object_of(warp, access, from(warp, op, 4).at[lane]);
        event.array = first || event.array == object.array->index ? object.array->index : -1;
        first = false;
        // A lane outside takes its place in the unit as one inside does (validate/data/h200_sxm_volumes.csv).
        if (const auto place = place_of(warp, op, access, *object.texture, lane, true)) {
            event.active |= lane_bit[lane];
            event.address[lane] = object.texture->cache_offset(
                bytes_along_row(access, *object.texture, (*place)[0]), (*place)[1], (*place)[2]);
        }
    });
    warp.block->sink->access(warp.index, event);
}

void load_texture(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    Lanes result{};
    for_active(mask, [&](std::size_t lane) {
        if (!warp.taint) {
            return;
        }
        const auto object = object_of(warp, access, from(warp, op, 4).at[lane]);
        const auto channel = access.texture == TextureUnit::surface
                                 ? surface_word(warp, op, access, lane, object)
                                 : sampled(warp, op, access, lane, object);
        result.at[lane] = channel.value;
        warp.taint->loaded |= channel.known ? 0 : lane_bit[lane];
    });
    assign(to(warp, op), result, mask);
}

void store_surface(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    for_active(mask, [&](std::size_t lane) {
        if (!warp.taint) {
            return;
        }
        const auto object = object_of(warp, access, from(warp, op, 4).at[lane]);
        if (const auto place = place_of(warp, op, access, *object.texture, lane)) {
            const auto at = object.texture->content_offset((*place)[0], (*place)[1], (*place)[2]);
            warp.block->device->store(object.base + at + 4 * i64{op.option}, from(warp, op, 5).at[lane],
                                      std::min(access.bytes, 4), (warp.taint->sources & lane_bit[lane]) == 0);
        }
    });
}

void query_texture(Warp& warp, const MicroOp& op, u32 mask) {
    const auto& access = access_of(warp, op);
    Lanes result{};
    for_active(mask, [&](std::size_t lane) {
        const auto object = object_of(warp, access, from(warp, op, 4).at[lane]);
        result.at[lane] = static_cast<u32>(object.texture->extent[op.option]);
    });
    assign(to(warp, op), result, mask);
}

}  // namespace gpumodel::emulate
