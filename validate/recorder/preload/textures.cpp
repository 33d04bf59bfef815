#include "validate/recorder/preload/textures.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "validate/recorder/preload/driver.h"

namespace gpumodel::recorder {

namespace {

struct Shape {
    std::string format;
    std::size_t texel_bytes = 0;
    std::array<std::size_t, 3> extent{};  // 0 = no such axis
    std::string words;
};

struct Channel {
    unsigned code;
    std::string_view name;
    std::size_t bytes;
};
constexpr std::array channels{Channel{0x01, "u8", 1},  Channel{0x02, "u16", 2}, Channel{0x03, "u32", 4},
                              Channel{0x08, "i8", 1},  Channel{0x09, "i16", 2}, Channel{0x0a, "i32", 4},
                              Channel{0x10, "f16", 2}, Channel{0x20, "f32", 4}};

bool set_format(unsigned code, unsigned count, Shape& shape) {
    const auto* const found =
        std::find_if(channels.begin(), channels.end(), [code](const Channel& c) { return c.code == code; });
    if (found == channels.end() || (count != 1 && count != 2 && count != 4)) {
        return false;
    }
    shape.format = std::string(found->name) + (count > 1 ? "x" + std::to_string(count) : "");
    shape.texel_bytes = found->bytes * count;
    return true;
}

std::size_t texels_of(const Shape& shape) {
    return shape.extent[0] * std::max<std::size_t>(1, shape.extent[1]) *
           std::max<std::size_t>(1, shape.extent[2]);
}

// Shape and texels of what lies in device memory.
std::string read_linear(const CUDA_RESOURCE_DESC& resource, std::uint64_t cap, Shape& shape,
                        std::vector<std::uint8_t>& texels) {
    const auto& linear = resource.linear;  // pitched memory begins alike
    const bool pitched = resource.kind == resource_pitched;
    if (!set_format(linear.format, linear.channels, shape)) {
        return "its format is not known";
    }
    const auto row = pitched ? resource.pitched.width * shape.texel_bytes : linear.bytes;
    const auto rows = pitched ? resource.pitched.height : 1;
    const auto step = pitched ? resource.pitched.pitch_bytes : row;
    shape.extent = {row / shape.texel_bytes, pitched ? rows : 0, 0};
    shape.words = pitched ? ",pitch" : "";
    if (row * rows > cap) {
        return "it is larger than --cap";
    }
    texels.resize(row * rows);
    for (std::size_t y = 0; y < rows; ++y) {
        if (call_driver("cuMemcpyDtoH_v2", static_cast<void*>(texels.data() + y * row),
                        linear.address + y * step, row) != success) {
            texels.clear();
            return "the driver did not let it be read";
        }
    }
    return {};
}

std::string read_array(CUarray array, std::uint64_t cap, Shape& shape, std::vector<std::uint8_t>& texels) {
    CUDA_ARRAY3D_DESCRIPTOR about{};
    if (call_driver("cuArray3DGetDescriptor_v2", &about, array) != success ||
        !set_format(about.format, about.channels, shape)) {
        return "its format is not known";
    }
    if ((about.flags & array_cubemap) != 0) {
        return "it is a cube map";
    }
    shape.extent = {about.width, about.height, about.depth};
    shape.words = (about.flags & array_layered) != 0 ? ",layered" : "";
    const auto bytes = texels_of(shape) * shape.texel_bytes;
    if (bytes > cap) {
        return "it is larger than --cap";
    }
    texels.resize(bytes);
    CUDA_MEMCPY3D copy{};
    copy.from_kind = memory_array;
    copy.from_array = array;
    copy.to_kind = memory_host;
    copy.to_host = texels.data();
    copy.to_pitch = copy.width_bytes = about.width * shape.texel_bytes;
    copy.to_height = copy.height = std::max<std::size_t>(1, about.height);
    copy.depth = std::max<std::size_t>(1, about.depth);
    if (call_driver("cuMemcpy3D_v2", static_cast<const CUDA_MEMCPY3D*>(&copy)) != success) {
        texels.clear();
        return "the driver did not let it be read";
    }
    return {};
}

std::string words_of(const CUDA_TEXTURE_DESC& how) {
    constexpr std::array<std::string_view, 4> borders{",wrap", "", ",mirror", ",border"};
    const auto border = static_cast<std::size_t>(how.borders[0]) % borders.size();
    const bool normalized = (how.flags & texture_normalized) != 0;
    std::string words;
    // wrapping and mirroring need normalized coordinates and are clamping without (CUDA runtime,
    // cudaTextureDesc)
    words += border % 2 == 0 && !normalized ? "" : borders[border];
    words += how.filter == filter_linear ? ",linear" : "";
    words += normalized ? ",normalized" : "";
    return words;
}

TextureObject read_object(const CUDA_RESOURCE_DESC& resource, std::uint64_t handle, std::uint64_t cap,
                          bool surface) {
    TextureObject object;
    object.surface = surface;
    Shape shape;
    if (resource.kind == resource_array) {
        object.fault = read_array(resource.array, cap, shape, object.texels);
    } else if (resource.kind == resource_linear || resource.kind == resource_pitched) {
        object.fault = read_linear(resource, cap, shape, object.texels);
    } else {
        object.fault = "it has several levels";
    }
    if (shape.texel_bytes == 0 || shape.extent[0] == 0) {
        return object;
    }
    object.text = shape.format + ',' + std::to_string(shape.extent[0]);
    for (std::size_t axis = 1; axis < shape.extent.size() && shape.extent[axis] > 0; ++axis) {
        object.text += 'x' + std::to_string(shape.extent[axis]);
    }
    object.text += shape.words;
    CUDA_TEXTURE_DESC how{};
    if (!surface && call_driver("cuTexObjectGetTextureDesc", &how, handle) == success) {
        object.text += words_of(how);
        const bool integers = shape.format.front() != 'f' && shape.texel_bytes > 0;
        const bool narrow = shape.format.find("32") == std::string::npos;
        object.text += integers && narrow && (how.flags & texture_as_integer) == 0 ? ",unorm" : "";
    }
    return object;
}

}  // namespace

std::vector<TextureObject> textures_of(const ParameterBytes& parameters, std::uint64_t cap) {
    constexpr std::uint64_t handles_end = std::uint64_t{1} << 32;  // in 32 of 64 bits
    std::vector<TextureObject> list;
    for (const auto& place : parameters.places) {
        std::uint64_t handle = 0;
        if (place.bytes != sizeof handle) {
            continue;
        }
        std::memcpy(&handle, parameters.bytes.data() + place.offset, sizeof handle);
        CUDA_RESOURCE_DESC resource{};
        const auto is_known = [&](const char* ask) { return call_driver(ask, &resource, handle) == success; };
        if (handle == 0 || handle >= handles_end) {
            continue;
        }
        const bool texture = is_known("cuTexObjectGetResourceDesc");
        if (texture || is_known("cuSurfObjectGetResourceDesc")) {
            list.push_back(read_object(resource, handle, cap, !texture));
            list.back().offset = place.offset;
        }
    }
    return list;
}

}  // namespace gpumodel::recorder
