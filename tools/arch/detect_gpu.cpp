#include "tools/arch/detect_gpu.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include "arch_specs/loader.h"
#include "arch_specs/schema/schema.h"

namespace gpumodel::cli {

namespace {

[[noreturn]] void fail(const std::string& library, const std::string& message) {
    throw InputError(InputErrorKind::invalid_input, {{library, 0, 0, "", message}});
}

// CUdevice_attribute of cuda.h.
enum class Attribute : int {
    clock_khz = 13,
    sm_count = 16,
    ecc = 32,
    memory_clock_khz = 36,
    bus_width = 37,
    l2_bytes = 38,
    major = 75,
    minor = 76
};

// The driver's functions (cuda.h: CUresult and CUdevice are int); every call is checked.
class Driver {
public:
    explicit Driver(const std::string& library)
        : library_(library), handle_(::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL), [](void* handle) {
              if (handle != nullptr) {
                  ::dlclose(handle);
              }
          }) {
        if (handle_ == nullptr) {
            fail(library, "no CUDA driver on this machine: the library cannot be opened");
        }
        check("cuInit", function<int(unsigned)>("cuInit")(0));
    }

    [[nodiscard]] int count() const {
        int count = 0;
        check("cuDeviceGetCount", function<int(int*)>("cuDeviceGetCount")(&count));
        return count;
    }

    [[nodiscard]] DetectedGpu device(int ordinal) const {
        int device = 0;
        check("cuDeviceGet", function<int(int*, int)>("cuDeviceGet")(&device, ordinal));
        std::array<char, 256> name{};
        check("cuDeviceGetName", function<int(char*, int, int)>("cuDeviceGetName")(
                                     name.data(), static_cast<int>(name.size()) - 1, device));
        std::size_t memory = 0;
        check("cuDeviceTotalMem", function<int(std::size_t*, int)>("cuDeviceTotalMem_v2")(&memory, device));
        const auto get = [&](Attribute attribute) {
            int value = 0;
            check("cuDeviceGetAttribute", function<int(int*, int, int)>("cuDeviceGetAttribute")(
                                              &value, static_cast<int>(attribute), device));
            return value;
        };
        return {name.data(),
                10 * get(Attribute::major) + get(Attribute::minor),
                get(Attribute::sm_count),
                1e3 * get(Attribute::clock_khz),
                1e3 * get(Attribute::memory_clock_khz),
                get(Attribute::bus_width),
                get(Attribute::l2_bytes),
                static_cast<std::int64_t>(memory),
                get(Attribute::ecc) != 0};
    }

private:
    template <typename Signature>
    Signature* function(const char* name) const {
        auto* const symbol = ::dlsym(handle_.get(), name);
        if (symbol == nullptr) {
            fail(library_, fmt::format("is no CUDA driver: it has no {}", name));
        }
        return reinterpret_cast<Signature*>(symbol);
    }

    void check(const char* call, int result) const {
        if (result != 0) {
            fail(library_, fmt::format("{} failed with CUDA error {}", call, result));
        }
    }

    std::string library_;
    std::shared_ptr<void> handle_;
};

std::string file_name_of(const std::string& gpu) {
    std::string name;
    for (const char c : gpu) {
        const auto lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
        const bool kept = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
        if (kept || (!name.empty() && name.back() != '_')) {
            name += kept ? lower : '_';
        }
    }
    while (!name.empty() && name.back() == '_') {
        name.pop_back();
    }
    return name.empty() ? "gpu" : name.substr(0, 64);
}

std::map<std::string, double> figures_of(const DetectedGpu& gpu) {
    const double rate = 2 * gpu.memory_hz;
    std::map<std::string, double> figures{{"sm_count", gpu.sm_count},
                                          {"clock.boost", gpu.sm_hz},
                                          {"clock.sm", gpu.sm_hz},
                                          {"l2.size", static_cast<double>(gpu.l2_bytes)},
                                          {"dram.capacity", static_cast<double>(gpu.memory_bytes)},
                                          {"dram.bus_width", gpu.bus_width_bits},
                                          {"dram.data_rate", rate},
                                          {"dram.bandwidth", gpu.bus_width_bits * rate / 8}};
    std::erase_if(figures,
                  [](const auto& figure) { return figure.second <= 0; });  // the driver does not know
    return figures;
}

// The product of that name, if it is the same GPU.
std::optional<ArchSpec> known_product(const DetectedGpu& gpu) {
    try {
        auto spec = load_arch(gpu.name);
        return spec.cc.number() == gpu.capability && spec.sm_count == gpu.sm_count
                   ? std::optional(std::move(spec))
                   : std::nullopt;
    } catch (const InputError&) {
        return std::nullopt;
    }
}

// The driver leaves out some memory of its own, and rounds clocks.
bool agrees(double figure, const FieldValue& known, const std::string& key) {
    const auto* number = std::get_if<double>(&known);
    const double tolerance = key == "dram.capacity" ? 0.1 : 0.05;
    return number != nullptr && std::abs(figure - *number) <= tolerance * *number;
}

struct Benchmark {
    const char* keys;  // what their names begin with
    const char* rows;
};

// validate/README.md, microbench/.
constexpr std::array benchmarks{
    Benchmark{"sm.ops.", "pipe_latency, pipe_throughput"},
    Benchmark{"sm.register_file.", "register_banks"},
    Benchmark{"sm.shared_memory.", "shared_latency, shared_throughput"},
    Benchmark{"sm.barrier.", "barrier"},
    Benchmark{"l1.latency", "global_latency"},
    Benchmark{"l2.latency", "global_latency"},
    Benchmark{"dram.latency", "global_latency"},
    Benchmark{"l2.read_bandwidth", "l2_bandwidth"},
    Benchmark{"dram.read_efficiency", "dram_bandwidth"},
    Benchmark{"dram.copy_efficiency", "dram_bandwidth"},
    Benchmark{"launch.blocks_per_cycle", "block_launch"},
    Benchmark{"launch.block_turnover", "block_turnover"},
    Benchmark{"launch.overhead", "launch_overhead"},
};

}  // namespace

std::vector<DetectedGpu> detect_gpus(const std::string& library) {
    const Driver driver(library);
    std::vector<DetectedGpu> gpus;
    for (int ordinal = 0; ordinal < driver.count(); ++ordinal) {
        gpus.push_back(driver.device(ordinal));
    }
    if (gpus.empty()) {
        fail(library, "the CUDA driver finds no GPU");
    }
    return gpus;
}

NewArch arch_of_detected(const DetectedGpu& gpu, const std::string& name) {
    NewArch arch;
    arch.name = name.empty() ? file_name_of(gpu.name) : name;
    arch.marketing_name = gpu.name;
    arch.source = "CUDA driver of the machine";
    const auto known = known_product(gpu);
    arch.from = known ? known->name : fmt::format("sm_{}", gpu.capability);
    for (const auto& [key, figure] : figures_of(gpu)) {
        const auto* field = find_field(key);
        if (!known || !agrees(figure, field->get(*known), key)) {
            arch.sets.push_back(key + "=" + print_value(*field, figure));
        }
    }
    if (!known || known->dram.ecc != gpu.ecc) {
        arch.sets.push_back(fmt::format("dram.ecc={}", gpu.ecc));
    }
    return arch;
}

NewArch arch_of_detected(const DetectedGpu& gpu, const std::string& name, const std::string& from) {
    NewArch arch;
    arch.name = name.empty() ? file_name_of(gpu.name) : name;
    arch.marketing_name = gpu.name;
    arch.from = from;
    arch.sets.push_back(fmt::format("compute_capability={}.{}", gpu.capability / 10, gpu.capability % 10));
    for (const auto& [key, figure] : figures_of(gpu)) {
        arch.sets.push_back(key + "=" + print_value(*find_field(key), figure));
    }
    return arch;
}

std::string measurable_estimates(const std::string& path) {
    const auto spec = load_arch(path.find('/') == std::string::npos ? "./" + path : path);
    std::map<std::string, int> counts;
    for (const auto& [key, provenance] : spec.provenance) {
        for (const auto& benchmark : benchmarks) {
            if (provenance.estimated && key.starts_with(benchmark.keys)) {
                ++counts[benchmark.rows];
                break;
            }
        }
    }
    std::string text =
        "gpumodel-measure --suite microbench, then gpumodel calibrate, would replace estimates:\n";
    for (const auto& [rows, count] : counts) {
        text += fmt::format("  {}: {}\n", rows, count);
    }
    return counts.empty() ? "" : text;
}

}  // namespace gpumodel::cli
