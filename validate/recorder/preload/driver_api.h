// What the recorder knows of NVIDIA's driver interface (libcuda.so.1), declared here so that it builds
// without the CUDA headers. Types, values and signatures: CUDA Driver API reference, versions 11.8 to 13.0.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpumodel::recorder {

using CUresult = int;  // 0 = success
using CUdeviceptr = std::uint64_t;
using CUcontext = struct CUctx_st*;
using CUmodule = struct CUmod_st*;
using CUlibrary = struct CUlib_st*;
using CUkernel = struct CUkern_st*;
using CUfunction = struct CUfunc_st*;  // launches also take a CUkernel in its place
using CUstream = struct CUstream_st*;
using CUevent = struct CUevent_st*;
using CUdevice = int;

inline constexpr CUresult success = 0;

// Handles of the two default streams, for calls that do not say which one 0 means.
inline CUstream legacy_stream() {
    return reinterpret_cast<CUstream>(std::uintptr_t{1});  // NOLINT: CU_STREAM_LEGACY
}
inline CUstream per_thread_stream() {
    return reinterpret_cast<CUstream>(std::uintptr_t{2});  // NOLINT: CU_STREAM_PER_THREAD
}

// CUfunction_attribute
inline constexpr int attribute_shared_bytes = 1, attribute_local_bytes = 3, attribute_registers = 4,
                     attribute_binary_version = 6;
// CUpointer_attribute
inline constexpr int pointer_range_start = 11, pointer_range_bytes = 12;
// CUdevice_attribute
inline constexpr int device_capability_major = 75, device_capability_minor = 76;
// flags of cuGetProcAddress
inline constexpr std::uint64_t per_thread_default_stream = 2;
// from this version on, cuGetProcAddress itself means its second form
inline constexpr int first_version_with_query_result = 12000;
// the `extra` list of cuLaunchKernel
inline constexpr std::uintptr_t extra_end = 0, extra_buffer = 1, extra_buffer_bytes = 2;
// CUlaunchAttributeID
inline constexpr int launch_attribute_cooperative = 2, launch_attribute_cluster = 4;

struct CUlaunchAttribute {
    int id;
    char padding[4];
    union {
        char bytes[64];
        unsigned words[3];  // cluster: x, y, z; cooperative: 0 or 1
    } value;
};

struct CUlaunchConfig {
    unsigned grid[3], block[3];
    unsigned shared_bytes;
    CUstream stream;
    CUlaunchAttribute* attributes;
    unsigned attribute_count;
};
static_assert(sizeof(CUlaunchAttribute) == 72 && sizeof(CUlaunchConfig) == 56);

// CUarray_format is what textures.cpp has a table of.
using CUarray = struct CUarray_st*;
inline constexpr int resource_array = 0, resource_linear = 2, resource_pitched = 3;  // CUresourcetype
inline constexpr int memory_host = 1, memory_array = 3;                              // CUmemorytype
inline constexpr int filter_linear = 1;                                              // CUfilter_mode
inline constexpr unsigned texture_as_integer = 1, texture_normalized = 2;            // CU_TRSF_*
inline constexpr unsigned array_layered = 1, array_cubemap = 4;                      // CUDA_ARRAY3D_*

struct CUDA_RESOURCE_DESC {
    int kind;
    union {
        CUarray array;
        struct {
            CUdeviceptr address;
            unsigned format, channels;
            std::size_t bytes;
        } linear;
        struct {
            CUdeviceptr address;
            unsigned format, channels;
            std::size_t width, height, pitch_bytes;
        } pitched;
        int reserved[32];
    };
    unsigned flags;
};

struct CUDA_TEXTURE_DESC {
    int borders[3];  // CUaddress_mode: wrap, clamp, mirror, border
    int filter;
    unsigned flags, anisotropy;
    int level_filter;
    float level_bias, levels[2], border_colour[4];
    int reserved[12];
};

struct CUDA_ARRAY3D_DESCRIPTOR {
    std::size_t width, height, depth;
    unsigned format, channels, flags;
};

struct CUDA_MEMCPY3D {
    std::size_t from_x_bytes, from_y, from_z, from_level;
    int from_kind;
    const void* from_host;
    CUdeviceptr from_device;
    CUarray from_array;
    void* reserved_from;
    std::size_t from_pitch, from_height;
    std::size_t to_x_bytes, to_y, to_z, to_level;
    int to_kind;
    void* to_host;
    CUdeviceptr to_device;
    CUarray to_array;
    void* reserved_to;
    std::size_t to_pitch, to_height;
    std::size_t width_bytes, height, depth;
};
static_assert(sizeof(CUDA_RESOURCE_DESC) == 144 && sizeof(CUDA_TEXTURE_DESC) == 104 &&
              sizeof(CUDA_ARRAY3D_DESCRIPTOR) == 40 && sizeof(CUDA_MEMCPY3D) == 200);

}  // namespace gpumodel::recorder
