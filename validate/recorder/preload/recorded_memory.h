// What a kernel's arguments are and point to, read before the launch.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "validate/recorder/preload/launch_request.h"
#include "validate/recorder/preload/loaded_code.h"
#include "validate/recorder/preload/recording_files.h"

namespace gpumodel::recorder {

struct ParameterBytes {
    std::vector<ParameterPlace> places;  // empty: one buffer, whose parts nobody named
    std::vector<std::uint8_t> bytes;     // all of the parameter space
    std::string fault;                   // why there are none
};

// Sizes by the driver (cuFuncGetParamInfo, CUDA 12.4), else by the cubin.
[[nodiscard]] ParameterBytes parameters_of(const LaunchRequest& request, const KnownKernel& kernel);

// An allocation that one of the parameters' 64-bit words points into.
struct Allocation {
    CUdeviceptr address = 0;
    std::uint64_t bytes = 0;
    std::vector<std::uint8_t> head;  // what it holds, up to the cap
    std::string fault;               // why it could not be read
    [[nodiscard]] bool whole() const { return head.size() == bytes; }
};

// By address. Structures' pointers are found as well as parameters of their own; those that lie in device
// memory are not followed. The stream must be idle.
[[nodiscard]] std::vector<Allocation> allocations_of(const ParameterBytes& parameters, std::uint64_t cap);

// Copies on the GPU of what allocations held before a launch, to bring them back in a stream. Only of those
// that hold something else behind it: what a launch only reads stays where the launch before left it, in L2
// or not, as behind a launch of the same kind. A copy back would leave all of it in L2 as data that DRAM has
// not got yet, and the launch would pay for writing it.
class Backup {
public:
    // `before` the launch that has ended; all of it whole.
    explicit Backup(const std::vector<Allocation>& before);
    ~Backup();
    Backup(const Backup&) = delete;
    Backup& operator=(const Backup&) = delete;
    [[nodiscard]] bool complete() const { return complete_; }
    [[nodiscard]] bool restores(CUdeviceptr address) const;  // the allocation that begins there
    void restore(CUstream stream);  // complete() afterwards: whether all was put into the stream

private:
    struct Copy {
        CUdeviceptr to = 0, from = 0;
        std::size_t bytes = 0;
    };
    std::vector<Copy> copies_;
    bool complete_ = true;
};

}  // namespace gpumodel::recorder
