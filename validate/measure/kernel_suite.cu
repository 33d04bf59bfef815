#include <algorithm>
#include <stdexcept>

#include "validate/measure/device_info.cuh"
#include "validate/measure/fill.cuh"
#include "validate/measure/kernel_check.cuh"
#include "validate/measure/power_meter.cuh"
#include "validate/measure/suites.cuh"

namespace gpumodel::measure {
namespace {

// A, B and C, large enough for every shape and for strides of 8.
class Matrices {
public:
    explicit Matrices(const std::vector<Shape>& shapes)
        : words_(room(shapes)), a_(words_), b_(words_), c_(words_) {
        unsigned seed = 0;
        for (float* data : {a_.data(), b_.data(), c_.data()}) {
            fill(data, words_, seed++, Element::f32);
        }
        microbench::finish("fill");
    }

    // False where a stride does not fit.
    [[nodiscard]] bool launch(const Instance& instance, Shape shape) const {
        hold(instance.element);
        const std::size_t results = std::size_t(shape.m) * std::size_t(shape.n);
        if (instance.family == "stride_copy" && results * static_cast<std::size_t>(instance.step) > words_) {
            return false;
        }
        measure::launch(instance, shape, a_.data(), b_.data(), c_.data(), 1.0f, 0.5f);
        return true;
    }

private:
    // A and B of these elements.
    void hold(Element element) const {
        if (element == held_) {
            return;
        }
        unsigned seed = 0;
        for (float* data : {a_.data(), b_.data()}) {
            fill(data, words_, seed++, element);
        }
        microbench::finish("fill");
        held_ = element;
    }

    static std::size_t room(const std::vector<Shape>& shapes) {
        std::size_t most = 0;
        for (const Shape& s : shapes) {
            const std::size_t m = std::size_t(s.m), n = std::size_t(s.n), k = std::size_t(s.k);
            most = std::max({most, m * k, k * n, m * n});
        }
        return most * 8 + 64;
    }

    std::size_t words_;
    mutable Element held_ = Element::f32;
    microbench::DeviceArray<float> a_, b_, c_;
};

class Events {
public:
    Events() {
        for (auto& event : events_) {
            require(cudaEventCreate(&event), "cudaEventCreate");
        }
    }
    Events(const Events&) = delete;
    Events& operator=(const Events&) = delete;
    ~Events() {
        for (auto& event : events_) {
            cudaEventDestroy(event);
        }
    }
    static constexpr int most = 41;

    // Microseconds of `launches` back-to-back launches, one event between every two.
    template <class Launch>
    std::vector<double> time(int launches, const Launch& launch) const {
        cudaEventRecord(events_[0]);
        for (int i = 1; i <= launches; ++i) {
            launch();
            cudaEventRecord(events_[i]);
        }
        microbench::finish("kernel");
        std::vector<double> times;
        for (int i = 0; i < launches; ++i) {
            float milliseconds = 0;
            cudaEventElapsedTime(&milliseconds, events_[i], events_[i + 1]);
            times.push_back(1e3 * double(milliseconds));
        }
        return times;
    }

private:
    cudaEvent_t events_[most + 1];
};

std::string row_key(const Instance& instance, Shape s) {
    return instance.family + "," + instance.params + "," + std::to_string(s.m) + "," + std::to_string(s.n) +
           "," + std::to_string(s.k);
}

bool wants(const KernelChoice& choice, const Instance& instance, Shape shape) {
    return shape.m != 0 && (choice.rows.empty() || choice.rows.count(row_key(instance, shape)) > 0);
}

std::string row_text(const Instance& instance, Shape shape, std::vector<double> times) {
    cudaFuncAttributes attributes{};
    require(cudaFuncGetAttributes(&attributes, instance.kernel), "cudaFuncGetAttributes");
    std::sort(times.begin(), times.end());
    char text[160];
    std::snprintf(text, sizeof text, ",%u,%d,%d,%zu,%zu,%.3f,%.3f,%.3f,%zu",
                  instance.block.x * instance.block.y, attributes.numRegs, blocks_per_sm(instance),
                  attributes.sharedSizeBytes, attributes.localSizeBytes, times[times.size() / 2],
                  times.front(), times.back(), times.size());
    return row_key(instance, shape) + text;
}

bool correct(const Instance& instance, const Progress& progress) {
    double worst = worst_error(instance);
    if (instance.family == "naive" || instance.family == "coalesced") {
        const double odd = worst_error_odd_shape(instance);
        worst = odd <= worst ? worst : odd;
    }
    if (!(worst <= 1.0)) {
        progress.line("WRONG " + instance.family + " " + instance.params + ": " + std::to_string(worst) +
                      " of the rounding bound");
    }
    return worst <= 1.0;
}

// Two launches to warm up, then as many as take about 60 ms: at least 7 (5 of those above 100 ms), at
// most 41. Empty if one takes longer than `longest_s`.
std::vector<double> time_launches(const Matrices& matrices, const Instance& instance, Shape shape,
                                  double longest_s) {
    static const Events events;
    const auto once = [&] { static_cast<void>(matrices.launch(instance, shape)); };
    double us = events.time(1, once).front();
    if (us > 1e6 * longest_s) {
        return {};
    }
    us = events.time(1, once).front();
    const int launches =
        std::clamp(static_cast<int>(60e3 / std::max(us, 1.0)), us > 1e5 ? 5 : 7, Events::most);
    return events.time(launches, once);
}

}  // namespace

std::vector<Instance> chosen_instances(const KernelChoice& choice) {
    std::vector<Instance> all;
    add_simple(all);
    add_guides(all);
    add_block_tiles(all);
    add_vector_tiles(all);
    add_warp_tiles(all);
    add_double_buffers(all);
    add_matrix_products(all);
    add_group_products(all);
    for (const std::string& family : choice.families) {
        if (std::none_of(all.begin(), all.end(), [&](const Instance& i) { return i.family == family; })) {
            throw std::runtime_error("--families: no kernel family '" + family + "' is compiled in");
        }
    }
    std::vector<Instance> chosen;
    for (const Instance& instance : all) {
        const auto& wanted = choice.families;
        const auto taken = std::count_if(chosen.begin(), chosen.end(),
                                         [&](const Instance& i) { return i.family == instance.family; });
        const bool full = choice.configurations > 0 && taken >= choice.configurations;
        if (!full && (wanted.empty() || std::count(wanted.begin(), wanted.end(), instance.family) > 0) &&
            blocks_per_sm(instance) > 0) {
            chosen.push_back(instance);
        }
    }
    return chosen;
}

int run_kernels(const microbench::Device& device, const KernelChoice& choice, const std::string& path,
                const Progress& progress) {
    CsvOutput out(path, describe(device, "kernels"),
                  "family,params,M,N,K,threads,registers,blocks_per_sm,static_shared_bytes,local_bytes,"
                  "time_us_median,time_us_min,time_us_max,launches",
                  5);
    const Matrices matrices(choice.shapes);
    const auto instances = chosen_instances(choice);
    int wrong = 0;
    for (std::size_t i = 0; i < instances.size(); ++i) {
        const Instance& instance = instances[i];
        bool checked = false;
        for (const Shape& wanted : choice.shapes) {
            const Shape shape = launch_shape(instance, wanted);
            if (!wants(choice, instance, shape) || out.has(row_key(instance, shape)) ||
                !matrices.launch(instance, shape)) {
                continue;
            }
            progress.show(std::to_string(i + 1) + "/" + std::to_string(instances.size()) + " " +
                          row_key(instance, shape));
            if (!checked && !correct(instance, progress)) {
                ++wrong;
                break;
            }
            checked = true;
            auto times = time_launches(matrices, instance, shape, choice.longest_launch_s);
            if (times.empty()) {
                progress.line("left out, a launch takes too long: " + row_key(instance, shape));
                continue;
            }
            out.write(row_text(instance, shape, std::move(times)));
        }
    }
    return wrong;
}

void run_power(const microbench::Device& device, const KernelChoice& choice, const std::string& path,
               const Progress& progress) {
    constexpr double seconds_each = 2.5;
    const PowerMeter meter(seconds_each);
    auto metadata = describe(device, "power");
    metadata.emplace_back("power limit", std::to_string(int(meter.limit_watts())) + " W");
    CsvOutput out(path, metadata,
                  "family,params,M,N,K,time_us_first_80ms,time_us_second_half" + power_columns(), 5);
    const Matrices matrices(choice.shapes);
    for (const Instance& instance : chosen_instances(choice)) {
        for (const Shape& wanted : choice.shapes) {
            const Shape shape = launch_shape(instance, wanted);
            if (!wants(choice, instance, shape) || out.has(row_key(instance, shape)) ||
                !matrices.launch(instance, shape)) {
                continue;
            }
            progress.show(row_key(instance, shape));
            const auto reading =
                meter.run(nullptr, [&] { static_cast<void>(matrices.launch(instance, shape)); });
            char text[64];
            std::snprintf(text, sizeof text, ",%.3f,%.3f", 1e6 / reading.launches_per_second_first,
                          1e6 / reading.launches_per_second);
            out.write(row_key(instance, shape) + text + power_cells(reading));
        }
    }
}

void run_once(const KernelChoice& choice) {
    const Matrices matrices(choice.shapes);
    for (const Instance& instance : chosen_instances(choice)) {
        for (const Shape& wanted : choice.shapes) {
            const Shape shape = launch_shape(instance, wanted);
            if (wants(choice, instance, shape) && matrices.launch(instance, shape)) {
                microbench::finish(instance.family.c_str());
            }
        }
    }
}

int run_checks(const KernelChoice& choice, const Progress& progress) {
    const auto instances = chosen_instances(choice);
    int wrong = 0;
    for (std::size_t i = 0; i < instances.size(); ++i) {
        progress.show(std::to_string(i + 1) + "/" + std::to_string(instances.size()) + " " +
                      instances[i].family + " " + instances[i].params);
        wrong += correct(instances[i], progress) ? 0 : 1;
    }
    progress.line(std::to_string(instances.size()) + " kernels checked, " + std::to_string(wrong) + " wrong");
    return wrong;
}

}  // namespace gpumodel::measure
