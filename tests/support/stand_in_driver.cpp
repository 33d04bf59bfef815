// A stand-in for the CUDA driver's library, with two GPUs: one that no file describes and an H200, whose
// figures are those of driver 580.159 on a real one. For the tests of `gpumodel arch detect`;
// STAND_IN_DEVICES=0 leaves none, STAND_IN_ERROR=N makes cuInit fail.
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>

namespace {

struct Gpu {
    const char* name;
    std::size_t memory;
    std::map<int, int> attributes;  // cuda.h: CUdevice_attribute
};

const std::array<Gpu, 2>& gpus() {
    static const std::array<Gpu, 2> all{Gpu{"NVIDIA Test 9000",
                                            std::size_t{16} << 30,
                                            {{13, 2'000'000},
                                             {16, 71},
                                             {32, 0},
                                             {36, 10'000'000},
                                             {37, 256},
                                             {38, 48 << 20},
                                             {75, 8},
                                             {76, 9}}},
                                        Gpu{"NVIDIA H200",
                                            std::size_t{143155} << 20,
                                            {{13, 1'980'000},
                                             {16, 132},
                                             {32, 1},
                                             {36, 3'201'000},
                                             {37, 6016},
                                             {38, 60 << 20},
                                             {75, 9},
                                             {76, 0}}}};
    return all;
}

int number_of(const char* variable, int otherwise) {
    const char* text = std::getenv(variable);
    return text == nullptr ? otherwise : std::atoi(text);
}

}  // namespace

extern "C" {
int cuInit(unsigned /*flags*/) {
    return number_of("STAND_IN_ERROR", 0);
}
int cuDeviceGetCount(int* count) {
    *count = number_of("STAND_IN_DEVICES", 2);
    return 0;
}
int cuDeviceGet(int* device, int ordinal) {
    *device = ordinal;
    return 0;
}
int cuDeviceGetName(char* name, int size, int device) {
    std::snprintf(name, static_cast<std::size_t>(size), "%s", gpus()[static_cast<std::size_t>(device)].name);
    return 0;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int device) {
    *bytes = gpus()[static_cast<std::size_t>(device)].memory;
    return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int device) {
    *value = gpus()[static_cast<std::size_t>(device)].attributes.at(attribute);
    return 0;
}
}
