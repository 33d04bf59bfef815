#include "validate/recorder/preload/recorded_memory.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "validate/recorder/preload/driver.h"

namespace gpumodel::recorder {

namespace {

std::vector<ParameterPlace> places_of(const KnownKernel& kernel) {
    std::vector<ParameterPlace> places;
    std::size_t offset = 0;
    std::size_t bytes = 0;
    for (std::size_t i = 0; kernel.function != nullptr &&
                            call_driver("cuFuncGetParamInfo", kernel.function, i, &offset, &bytes) == success;
         ++i) {
        places.push_back({static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(bytes)});
    }
    return places.empty() && kernel.code ? described_parameters(kernel.code->image(), kernel.name) : places;
}

// A list of pairs of what it is and its value, ended by 0.
ParameterBytes one_buffer(void** extra) {
    ParameterBytes result;
    const void* buffer = nullptr;
    std::size_t bytes = 0;
    for (; reinterpret_cast<std::uintptr_t>(*extra) != extra_end;
         extra += 2) {                                               // NOLINT: a number as pointer
        const auto what = reinterpret_cast<std::uintptr_t>(*extra);  // NOLINT
        if (what == extra_buffer) {
            buffer = extra[1];
        } else if (what == extra_buffer_bytes) {
            std::memcpy(&bytes, extra[1], sizeof bytes);
        }
    }
    const auto* begin = static_cast<const std::uint8_t*>(buffer);
    if (begin != nullptr) {
        result.bytes.assign(begin, begin + bytes);
    }
    return result;
}

bool is_device_or_pinned(CUdeviceptr address, CUdeviceptr& base, std::uint64_t& bytes) {
    std::size_t size = 0;
    if (call_driver("cuMemGetAddressRange_v2", &base, &size, address) == success && size > 0) {
        bytes = size;
        return true;
    }
    // what cuMemGetAddressRange does not know: pools, mapped and pinned memory
    return call_driver("cuPointerGetAttribute", static_cast<void*>(&base), pointer_range_start, address) ==
               success &&
           base != 0 &&
           call_driver("cuPointerGetAttribute", static_cast<void*>(&size), pointer_range_bytes, address) ==
               success &&
           (bytes = size) > 0;
}

// Also what cannot be read any more.
bool differs(const Allocation& before) {
    std::vector<std::uint8_t> now(before.head.size());
    return call_driver("cuMemcpyDtoH_v2", static_cast<void*>(now.data()), before.address, now.size()) !=
               success ||
           now != before.head;
}

}  // namespace

ParameterBytes parameters_of(const LaunchRequest& request, const KnownKernel& kernel) {
    if (request.parameters == nullptr && request.extra != nullptr) {
        return one_buffer(request.extra);
    }
    ParameterBytes result;
    result.places = places_of(kernel);
    if (request.parameters == nullptr) {
        return result;
    }
    if (result.places.empty()) {
        // a kernel without parameters is given a list all the same; nobody says how long it is
        result.fault = "neither the driver nor the code says how long the parameters are";
    }
    for (std::size_t i = 0; i < result.places.size(); ++i) {
        const auto& place = result.places[i];
        result.bytes.resize(
            std::max<std::size_t>(result.bytes.size(), place.offset + std::size_t{place.bytes}));
        std::memcpy(result.bytes.data() + place.offset, request.parameters[i], place.bytes);
    }
    return result;
}

std::vector<Allocation> allocations_of(const ParameterBytes& parameters, std::uint64_t cap) {
    std::map<CUdeviceptr, Allocation> found;
    constexpr std::size_t word = sizeof(CUdeviceptr);
    for (std::size_t i = 0; i + word <= parameters.bytes.size(); i += word) {
        CUdeviceptr address = 0;
        std::memcpy(&address, parameters.bytes.data() + i, word);
        Allocation allocation;
        // small numbers are no addresses, and the driver need not be asked
        if (address < 4096 || !is_device_or_pinned(address, allocation.address, allocation.bytes) ||
            found.contains(allocation.address)) {
            continue;
        }
        allocation.head.resize(std::min(cap, allocation.bytes));
        const auto status = call_driver("cuMemcpyDtoH_v2", static_cast<void*>(allocation.head.data()),
                                        allocation.address, allocation.head.size());
        if (status != success) {
            allocation.head.clear();
            allocation.fault = "the driver did not let it be read, error " + std::to_string(status);
        }
        found.emplace(allocation.address, std::move(allocation));
    }
    std::vector<Allocation> list;
    for (auto& [address, allocation] : found) {
        list.push_back(std::move(allocation));
    }
    return list;
}

Backup::Backup(const std::vector<Allocation>& before) {
    for (const auto& a : before) {
        if (!complete_ || !differs(a)) {
            continue;
        }
        Copy copy{a.address, 0, static_cast<std::size_t>(a.bytes)};
        complete_ = call_driver("cuMemAlloc_v2", &copy.from, copy.bytes) == success;
        if (complete_) {
            copies_.push_back(copy);
            complete_ = call_driver("cuMemcpyHtoD_v2", copy.from, static_cast<const void*>(a.head.data()),
                                    copy.bytes) == success;
        }
    }
}

Backup::~Backup() {
    for (const auto& copy : copies_) {
        call_driver("cuMemFree_v2", copy.from);
    }
}

bool Backup::restores(CUdeviceptr address) const {
    return std::any_of(copies_.begin(), copies_.end(), [address](const Copy& c) { return c.to == address; });
}

void Backup::restore(CUstream stream) {
    for (const auto& copy : copies_) {
        complete_ = complete_ &&
                    call_driver("cuMemcpyDtoDAsync_v2", copy.to, copy.from, copy.bytes, stream) == success;
    }
}

}  // namespace gpumodel::recorder
