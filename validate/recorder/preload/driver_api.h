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

}  // namespace gpumodel::recorder
