#include "python/core/many.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/process.h"
#include "model/counters/counters.h"
#include "tools/cli/command.h"
#include "tools/cli/parallel_runs.h"
#include "tools/launch/prediction_job.h"
#include "tools/views/prediction/shared_rows.h"

namespace gpumodel::python {
namespace {

constexpr double not_predicted = std::numeric_limits<double>::quiet_NaN();

bool is_size(const std::string& name) {
    return name == "M" || name == "N" || name == "K";
}

void check_names(const Family& family, const std::vector<std::string>& names) {
    std::vector<std::string> known;
    for (const auto& param : family.params) {
        known.push_back(param.name);
    }
    std::vector<Diagnostic> faults;
    for (const auto& name : names) {
        if (!is_size(name) && std::find(known.begin(), known.end(), name) == known.end()) {
            faults.push_back({"", 0, 0, name, "no parameter of " + family.name + nearest_hint(name, known)});
        }
    }
    if (!faults.empty()) {
        throw InputError(InputErrorKind::usage, std::move(faults));
    }
}

using Row = std::span<const std::int64_t>;

// The first row of each launch, and which launch each row is.
struct Launches {
    std::vector<Row> distinct;
    std::vector<std::int64_t> of_row;
};

Launches distinct_launches(std::span<const std::int64_t> cells, std::size_t width) {
    const auto bytes = [](Row row) {
        return std::string_view(reinterpret_cast<const char*>(row.data()), row.size_bytes());
    };
    Launches launches;
    std::unordered_map<std::string_view, std::int64_t> known;
    const auto rows = cells.size() / width;
    launches.of_row.reserve(rows);
    for (std::size_t r = 0; r < rows; ++r) {
        if (r % 4096 == 0) {
            stop_if_asked();
        }
        const auto row = cells.subspan(r * width, width);
        const auto [found, first] =
            known.try_emplace(bytes(row), static_cast<std::int64_t>(launches.distinct.size()));
        if (first) {
            launches.distinct.push_back(row);
        }
        launches.of_row.push_back(found->second);
    }
    return launches;
}

cli::PredictionJob job_of(const ManyLaunches& launches, Row row) {
    cli::PredictionJob job;
    job.kernel = launches.kernel;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const auto& name = launches.names[i];
        if (is_size(name)) {
            (name == "M" ? job.m : name == "N" ? job.n : job.k) = row[i];
        } else {
            job.params[name] = row[i];
        }
    }
    return job;
}

Prediction prediction_of(const cli::PredictionJob& job, const ArchSpec& arch,
                         const cli::PredictSettings& settings) {
    try {
        return cli::predict_launch(cli::lower_job(job, arch, settings.resources), arch, settings).front();
    } catch (const InputError& error) {
        Prediction p;
        p.status = Status::error;
        p.reason = cli::joined_diagnostics(error);
        return p;
    }
}

struct NumberColumn {
    const char* name;
    std::function<double(const Prediction&)> value;  // of a launch with a program; NaN = none
    bool needs_time;                                 // NaN unless the launch was predicted
};

const std::vector<NumberColumn>& number_columns() {
    using P = const Prediction&;
    static const std::vector<NumberColumn> columns{
        {"time_us", [](P p) { return p.time_seconds * 1e6; }, true},
        {"gflops", [](P p) { return p.flops > 0 ? p.flops_per_second() / 1e9 : not_predicted; }, true},
        {"cycles", [](P p) { return p.cycles; }, true},
        {"threads_per_block", [](P p) { return double{1} * p.resources.threads; }, false},
        {"registers_per_thread", [](P p) { return double{1} * p.resources.registers_per_thread; }, false},
        {"shared_bytes_per_block",
         [](P p) {
             return static_cast<double>(p.resources.static_shared_bytes + p.resources.dynamic_shared_bytes);
         },
         false},
        {"blocks_per_sm",
         [](P p) { return is_predicted(p.status) ? double{1} * p.occupancy.blocks_per_sm : 0; }, false},
        {"theoretical_occupancy", [](P p) { return p.occupancy.occupancy; }, true},
        {"achieved_occupancy", [](P p) { return p.achieved_occupancy; }, true},
        {"waves", [](P p) { return p.waves.waves; }, true},
        {"error_band_pct", [](P p) { return p.error_band_pct.value_or(not_predicted); }, false},
    };
    return columns;
}

// A column each, a value per launch.
class Collector {
public:
    Collector(std::size_t launches, bool counters) : counters_(counters) {
        for (const auto& column : number_columns()) {
            out_.numbers[column.name].assign(launches, not_predicted);
        }
        for (const char* name : {"status", "reason", "occupancy_limiter", "bottleneck"}) {
            out_.texts[name].resize(launches);
        }
        if (counters) {
            for (const auto& name : counter_names()) {
                out_.numbers[name].assign(launches, not_predicted);
            }
        }
    }
    // From any thread, once for each launch.
    void take(std::size_t launch, const Prediction& p) {
        for (const auto& column : number_columns()) {
            const bool known = column.needs_time ? is_predicted(p.status) : p.resources.threads > 0;
            if (known) {
                out_.numbers.find(column.name)->second[launch] = column.value(p);
            }
        }
        out_.texts.find("status")->second[launch] = to_string(p.status);
        out_.texts.find("reason")->second[launch] = p.reason;
        out_.texts.find("occupancy_limiter")->second[launch] = limiter_names(p.occupancy);
        out_.texts.find("bottleneck")->second[launch] = is_predicted(p.status) ? bottleneck_names(p) : "";
        for (std::size_t i = 0; counters_ && i < p.counters.size(); ++i) {
            out_.numbers.find(p.counters[i].name)->second[launch] = p.counters[i].value;
        }
    }
    [[nodiscard]] ManyPredictions done(std::vector<std::int64_t> launch_of_row) {
        out_.launch_of_row = std::move(launch_of_row);
        return std::move(out_);
    }

private:
    ManyPredictions out_;
    bool counters_;
};

}  // namespace

ManyPredictions predict_many(const ManyLaunches& launches) {
    const auto arch = cli::load({launches.arch, launches.sets});
    check_names(cli::require_family(launches.kernel, "--kernel"), launches.names);
    cli::PredictSettings settings;
    settings.models = cli::ModelChoice::analytic;
    settings.simulate.l2 = launches.l2;
    auto rows = distinct_launches(launches.cells, launches.names.size());
    Collector collector(rows.distinct.size(), launches.counters);
    cli::parallel_runs(launches.threads)(rows.distinct.size(), [&](std::size_t i) {
        collector.take(i, prediction_of(job_of(launches, rows.distinct[i]), arch, settings));
    });
    return collector.done(std::move(rows.of_row));
}

}  // namespace gpumodel::python
