// A stand-in libcuda.so.1 for tests without a GPU: device memory is the host's, and each launch adds 1 to
// every byte that its first parameter points to, up to the number of the second. Sizes of copies on the GPU
// in a stream go to the file STANDIN_COPIES, a line each. The module has a variable `table` of six bytes, and
// 7 is the handle of a texture of 4 by 2 bytes in pitched memory.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>

using Result = int;
using Address = std::uint64_t;
namespace {

constexpr Result not_found = 500, invalid = 1;
std::map<Address, std::size_t> allocations;
int a_module, a_function, an_event;  // handles are addresses of something
constexpr Address texture_handle = 7;
unsigned char texels[] = {10, 11, 12, 13, 99, 99, 99, 99, 20, 21, 22, 23, 99, 99, 99, 99};  // of pitch 8
unsigned char table[] = {1, 2, 3, 4, 5, 6};

void* as_pointer(Address address) {
    return reinterpret_cast<void*>(address);  // NOLINT: device memory is the host's
}

}  // namespace

extern "C" {

Result cuInit(unsigned) {
    return 0;
}
Result cuDriverGetVersion(int* version) {
    *version = 13000;
    return 0;
}
Result cuCtxGetDevice(int* device) {
    *device = 0;
    return 0;
}
Result cuDeviceGetName(char* name, int bytes, int) {
    std::strncpy(name, "Stand-in H200", static_cast<std::size_t>(bytes));
    return 0;
}
Result cuDeviceGetAttribute(int* value, int which, int) {
    *value = which == 75 ? 9 : 0;
    return 0;
}
Result cuCtxSynchronize() {
    return 0;
}
Result cuStreamSynchronize(void*) {
    return 0;
}
Result cuStreamIsCapturing(void*, int* status) {
    *status = 0;
    return 0;
}
Result cuModuleLoadData(void** module, const void*) {
    *module = &a_module;
    return 0;
}
Result cuModuleGetFunction(void** function, void*, const char*) {
    *function = &a_function;
    return 0;
}
Result cuModuleGetGlobal_v2(Address* address, std::size_t* bytes, void*, const char* name) {
    if (std::string(name) != "table") {
        return not_found;
    }
    *address = reinterpret_cast<Address>(&table[0]);  // NOLINT
    *bytes = sizeof table;
    return 0;
}
Result cuTexObjectGetResourceDesc(int* resource, Address handle) {
    if (handle != texture_handle) {
        return invalid;
    }
    struct Pitched {
        Address address;
        unsigned format, channels;
        std::size_t width, height, pitch;
    } const pitched{reinterpret_cast<Address>(&texels[0]), 1, 1, 4, 2, 8};  // NOLINT
    resource[0] = 3;
    std::memcpy(resource + 2, &pitched, sizeof pitched);
    return 0;
}
Result cuTexObjectGetTextureDesc(int* how, Address) {
    how[0] = how[1] = how[2] = 0;  // wrap
    how[3] = 1;                    // linear
    how[4] = 2;                    // normalized coordinates, integers as fractions
    return 0;
}
Result cuFuncGetAttribute(int* value, int which, void*) {
    *value = which == 4 ? 24 : which == 1 ? 512 : 0;
    return 0;
}
Result cuFuncGetParamInfo(void*, std::size_t index, std::size_t* offset, std::size_t* bytes) {
    constexpr std::size_t offsets[] = {0, 8, 16, 24}, sizes[] = {8, 4, 8, 8};
    if (index >= 4) {
        return invalid;
    }
    *offset = offsets[index];
    *bytes = sizes[index];
    return 0;
}
Result cuMemAlloc_v2(Address* address, std::size_t bytes) {
    *address = reinterpret_cast<Address>(::operator new(bytes));  // NOLINT
    allocations[*address] = bytes;
    return 0;
}
Result cuMemFree_v2(Address address) {
    allocations.erase(address);
    ::operator delete(as_pointer(address));
    return 0;
}
Result cuMemGetAddressRange_v2(Address* base, std::size_t* bytes, Address address) {
    for (const auto& [begin, size] : allocations) {
        if (address >= begin && address < begin + size) {
            *base = begin;
            *bytes = size;
            return 0;
        }
    }
    return invalid;
}
Result cuMemcpyHtoD_v2(Address to, const void* from, std::size_t bytes) {
    std::memcpy(as_pointer(to), from, bytes);
    return 0;
}
Result cuMemcpyDtoH_v2(void* to, Address from, std::size_t bytes) {
    std::memcpy(to, as_pointer(from), bytes);
    return 0;
}
Result cuMemcpyDtoD_v2(Address to, Address from, std::size_t bytes) {
    std::memcpy(as_pointer(to), as_pointer(from), bytes);
    return 0;
}
Result cuMemcpyDtoDAsync_v2(Address to, Address from, std::size_t bytes, void*) {
    if (const char* list = std::getenv("STANDIN_COPIES")) {
        std::ofstream(list, std::ios::app) << bytes << '\n';
    }
    return cuMemcpyDtoD_v2(to, from, bytes);
}
Result cuLaunchHostFunc(void*, void (*)(void*), void*) {
    return 0;  // nothing runs beside the program here: the gate is never asked
}
Result cuEventCreate(void** event, unsigned) {
    *event = &an_event;
    return 0;
}
Result cuEventDestroy_v2(void*) {
    return 0;
}
Result cuEventRecord(void*, void*) {
    return 0;
}
Result cuEventElapsedTime(float* milliseconds, void*, void*) {
    *milliseconds = 0.0125F;
    return 0;
}
Result cuLaunchKernel(void*, unsigned gx, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*,
                      void** parameters, void**) {
    if (gx == 0) {
        return invalid;
    }
    Address address = 0;
    std::int32_t count = 0;
    std::memcpy(&address, parameters[0], sizeof address);
    std::memcpy(&count, parameters[1], sizeof count);
    auto* bytes = static_cast<unsigned char*>(as_pointer(address));
    for (int i = 0; i < count; ++i) {
        ++bytes[i];
    }
    return 0;
}

Result cuGetProcAddress_v2(const char* symbol, void** found, int version, std::uint64_t flags, int* status);
Result cuGetProcAddress(const char* symbol, void** found, int version, std::uint64_t flags) {
    return cuGetProcAddress_v2(symbol, found, version, flags, nullptr);
}
// Those that the test program asks for.
Result cuGetProcAddress_v2(const char* symbol, void** found, int, std::uint64_t, int*) {
    const std::map<std::string, void*> known{
        {"cuInit", reinterpret_cast<void*>(&cuInit)},                            // NOLINT
        {"cuModuleLoadData", reinterpret_cast<void*>(&cuModuleLoadData)},        // NOLINT
        {"cuModuleGetFunction", reinterpret_cast<void*>(&cuModuleGetFunction)},  // NOLINT
        {"cuModuleGetGlobal", reinterpret_cast<void*>(&cuModuleGetGlobal_v2)},   // NOLINT
        {"cuMemAlloc", reinterpret_cast<void*>(&cuMemAlloc_v2)},                 // NOLINT
        {"cuMemcpyHtoD", reinterpret_cast<void*>(&cuMemcpyHtoD_v2)},             // NOLINT
        {"cuMemcpyDtoH", reinterpret_cast<void*>(&cuMemcpyDtoH_v2)},             // NOLINT
        {"cuLaunchKernel", reinterpret_cast<void*>(&cuLaunchKernel)}};           // NOLINT
    const auto at = known.find(symbol);
    *found = at == known.end() ? nullptr : at->second;
    return at == known.end() ? not_found : 0;
}
}
