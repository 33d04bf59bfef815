#include "python/core/many.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
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

// Launches of the same tiles one after the other, and of these the sizes in order: what the models remember
// of code and addresses (base/memo.h) is of few of them at a time.
std::vector<std::size_t> in_order_of_tiles(const Launches& launches, const std::vector<std::string>& names) {
    std::vector<std::size_t> columns(names.size());
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    std::stable_partition(columns.begin(), columns.end(), [&](std::size_t i) { return !is_size(names[i]); });
    std::vector<std::size_t> order(launches.distinct.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        for (const auto c : columns) {
            if (launches.distinct[a][c] != launches.distinct[b][c]) {
                return launches.distinct[a][c] < launches.distinct[b][c];
            }
        }
        return false;  // no two are equal
    });
    return order;
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
        {"sm_clock_mhz", [](P p) { return p.sm_hz / 1e6; }, true},
        {"average_power_w", [](P p) { return p.average_watts.value_or(not_predicted); }, true},
        {"energy_mj", [](P p) { return p.energy_joules ? *p.energy_joules * 1e3 : not_predicted; }, true},
        {"error_band_pct", [](P p) { return p.error_band_pct.value_or(not_predicted); }, false},
    };
    return columns;
}

// A column each, a value per launch.
class Collector {
public:
    Collector(std::size_t launches, bool counters) {
        for (const auto& column : number_columns()) {
            numbers_.push_back(add_numbers(column.name, launches));
        }
        for (const char* name : {"status", "reason", "occupancy_limiter", "bottleneck"}) {
            out_.texts[name].resize(launches);
        }
        for (const auto& name : counters ? counter_names() : std::vector<std::string>{}) {
            counters_.emplace_back(name, add_numbers(name, launches));
        }
    }
    // From any thread, once for each launch.
    void take(std::size_t launch, const Prediction& p) {
        const auto& columns = number_columns();
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const bool known = columns[i].needs_time ? is_predicted(p.status) : p.resources.threads > 0;
            if (known) {
                (*numbers_[i])[launch] = columns[i].value(p);
            }
        }
        status_[launch] = to_string(p.status);
        reason_[launch] = p.reason;
        limiter_[launch] = limiter_names(p.occupancy);
        bottleneck_[launch] = is_predicted(p.status) ? bottleneck_names(p) : "";
        auto next = p.counters.begin();  // in the order of the names
        for (const auto& [name, column] : counters_) {
            if (next != p.counters.end() && next->name == name) {
                (*column)[launch] = next->value;
                ++next;
            }
        }
    }
    [[nodiscard]] ManyPredictions done(std::vector<std::int64_t> launch_of_row) {
        out_.launch_of_row = std::move(launch_of_row);
        return std::move(out_);
    }

private:
    using Numbers = std::vector<double>;
    using Texts = std::vector<std::string>;

    Numbers* add_numbers(const std::string& name, std::size_t launches) {
        auto& column = out_.numbers[name];
        column.assign(launches, not_predicted);
        return &column;
    }

    ManyPredictions out_;  // columns of maps stay where they are
    std::vector<Numbers*> numbers_;
    std::vector<std::pair<std::string, Numbers*>> counters_;
    Texts& status_ = out_.texts["status"];
    Texts& reason_ = out_.texts["reason"];
    Texts& limiter_ = out_.texts["occupancy_limiter"];
    Texts& bottleneck_ = out_.texts["bottleneck"];
};

}  // namespace

ManyPredictions predict_many(const ManyLaunches& launches) {
    const auto arch = cli::load({launches.arch, launches.sets});
    check_names(cli::require_family(launches.kernel, "--kernel"), launches.names);
    cli::PredictSettings settings;
    settings.models = cli::ModelChoice::analytic;
    settings.detail = Detail::figures;
    settings.simulate.l2 = launches.l2;
    auto rows = distinct_launches(launches.cells, launches.names.size());
    Collector collector(rows.distinct.size(), launches.counters);
    const auto order = in_order_of_tiles(rows, launches.names);
    cli::parallel_runs(launches.threads)(order.size(), [&](std::size_t i) {
        const auto launch = order[i];
        collector.take(launch, prediction_of(job_of(launches, rows.distinct[launch]), arch, settings));
    });
    return collector.done(std::move(rows.of_row));
}

}  // namespace gpumodel::python
