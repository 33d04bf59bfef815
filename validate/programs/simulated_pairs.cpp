#include "validate/programs/simulated_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "arch_specs/loader.h"
#include "base/hash.h"
#include "traces/kernel/resource_log/resource_log.h"
#include "traces/sass/reader/sass_reader.h"
#include "validate/programs/listing_entry.h"

namespace gpumodel {

namespace {

struct Job {
    Measurement launch;
    SimulatedPair pair;
    std::string reason;  // why there is no pair
};

std::uint32_t place(const Job& job) {
    return fnv1a<std::uint32_t>(job.pair.family + ";" + job.pair.params);
}

// Entries of families that the architecture can run, with what ptxas reported of them.
std::vector<Job> jobs_of(const PairOptions& options, const std::string& name, const ArchSpec& arch) {
    const std::string stem = options.listings + "/" + name;
    std::vector<Job> jobs;
    for (const ResourceEntry& resource : read_resource_log(stem + ".resources.txt")) {
        const auto entry = listing_entry(resource.entry);
        const Family* family = entry ? find_family(entry->family) : nullptr;
        if (family == nullptr || target_of(arch).cc.number() < family->min_compute_capability ||
            (entry->family + " " + params_text(entry->params)).find(options.kernel_filter) ==
                std::string::npos) {
            continue;
        }
        Job job;
        const auto depth = family->depth == ProblemDepth::fixed ? family->default_shape.k : options.size;
        job.launch.family = entry->family;
        job.launch.params = entry->params;
        job.launch.m = options.size;
        job.launch.n = options.size;
        job.launch.k = depth;
        job.launch.registers = resource.registers;
        job.pair.arch = name;
        job.pair.family = entry->family;
        job.pair.params = params_text(entry->params);
        job.pair.held_back = held_back(entry->family, entry->params);
        job.pair.registers = resource.registers;
        jobs.push_back(std::move(job));
    }
    if (options.sample > 0 && options.sample < jobs.size()) {
        std::sort(jobs.begin(), jobs.end(), [](const Job& a, const Job& b) { return place(a) < place(b); });
        jobs.resize(options.sample);
    }
    return jobs;
}

// Microseconds; the estimated registers as well.
double simulated(Job& job, const ArchSpec& arch, const LaunchSettings& settings) {
    const auto made = predict_or_say_why(job.launch, arch, settings);
    if (!made.prediction) {
        job.reason = made.reason;
        return 0;
    }
    if (settings.model == ModelKind::simulate && settings.registers == RegisterSource::predicted) {
        job.pair.our_registers = made.prediction->resources.registers_per_thread;
    }
    constexpr double microseconds = 1e6;
    return made.prediction->time_seconds * microseconds;
}

void run(Job& job, const ArchSpec& arch, const ListedKernels& listing) {
    job.pair.compiled_us = simulated(
        job, arch, {.model = ModelKind::simulate_sass, .registers = {}, .l2 = {}, .listing = &listing});
    job.pair.generated_us = simulated(
        job, arch,
        {.model = ModelKind::simulate, .registers = RegisterSource::measured, .l2 = {}, .listing = nullptr});
    job.pair.estimated_us = simulated(
        job, arch,
        {.model = ModelKind::simulate, .registers = RegisterSource::predicted, .l2 = {}, .listing = nullptr});
}

}  // namespace

SimulatedPairs simulate_pairs(const PairOptions& options) {
    SimulatedPairs pairs;
    std::set<std::string> reasons;
    for (const std::string& name : options.archs) {
        const ArchSpec arch = load_arch(name);
        const ListedKernels listing(options.listings + "/" + name + ".sass.xz");
        auto jobs = jobs_of(options, name, arch);
        run_each(options.for_each, jobs.size(), [&](std::size_t i) { run(jobs[i], arch, listing); });
        for (Job& job : jobs) {
            if (job.reason.empty()) {
                pairs.rows.push_back(std::move(job.pair));
            } else if (reasons.insert(name + " " + job.reason).second) {
                pairs.skipped.push_back(name + " " + job.reason);
            }
        }
    }
    return pairs;
}

}  // namespace gpumodel
