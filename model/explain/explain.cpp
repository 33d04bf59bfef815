#include "model/explain/explain.h"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <functional>

#include "model/analytic/bounds.h"
#include "model/analytic/predict.h"
#include "model/explain/limiters.h"
#include "model/launch/matrix_products.h"

namespace gpumodel {
namespace {

constexpr const char* quantisation_name = "wave quantisation";
constexpr const char* launch_name = "launch overhead";

ExplainRow named(const char* name, const char* relaxed) {
    ExplainRow row;
    row.name = name;
    row.relaxed = relaxed;
    return row;
}

std::string missing_in(const Limiter& limiter, const ArchSpec& arch) {
    return limiter.missing != nullptr ? limiter.missing(arch) : "";
}

bool is_absent(const Limiter& limiter, const ProgramTraits& traits) {
    return limiter.absent != nullptr && limiter.absent(traits);
}

struct Explainer {
    const KernelProgram& program;
    const ArchSpec& arch;
    const SimOptions& options;
    const ExplainBase& base;
    const ProgramTraits traits = traits_of(program, arch);
    const double sm_hz = launch_clock(arch, program);

    // `blocks` on the simulated SM; none take no time.
    [[nodiscard]] SimResult run_blocks(std::int64_t blocks) const {
        Relax relax = options.relax;
        relax.sm_blocks = blocks;
        return blocks > 0 ? run(relax) : SimResult{};
    }

    [[nodiscard]] SimResult run(const Relax& relax) const {
        SimOptions changed = options;
        changed.listener = nullptr;
        changed.relax = relax;
        return simulate(program, arch, changed);
    }

    void set_time(double cycles, double overhead, ExplainRow& row) const {
        row.cycles = std::max(cycles, base.least_cycles);
        row.time_seconds = row.cycles / sm_hz + overhead;
        row.saved_seconds = base.time_seconds - row.time_seconds;
        row.saved_pct = 100 * row.saved_seconds / base.time_seconds;
    }

    // A machine without the limit can do whatever the limited one does, so lifting it never costs time. The
    // relaxed run may take longer all the same, as with any greedy scheduler: warps fall into another step.
    void hold(ExplainRow& row) const {
        if (row.saved_seconds >= 0) {
            return;
        }
        constexpr double worth_telling_pct = 1;
        if (row.saved_pct < -worth_telling_pct) {
            row.relaxed +=
                fmt::format(" (nothing saved: simulated, warps that meet otherwise take {:.0f} % longer)",
                            -row.saved_pct);
        }
        row.cycles = base.cycles;
        row.time_seconds = base.time_seconds;
        row.saved_seconds = row.saved_pct = 0;
    }

    static void fail(const SimResult& result, ExplainRow& row) {
        row.status = ExplainStatus::failed;
        row.reason = result.reason;
    }

    [[nodiscard]] ExplainRow lift(const Limiter& limiter) const {
        auto row = named(limiter.name, limiter.relaxed);
        row.reason = missing_in(limiter, arch);
        if (!row.reason.empty()) {
            row.status = ExplainStatus::not_modelled;
            return row;
        }
        if (is_absent(limiter, traits)) {
            set_time(base.cycles, arch.launch.overhead_seconds, row);
            return row;
        }
        Relax relax = options.relax;
        limiter.lift(relax);
        const auto result = run(relax);
        if (result.status != SimStatus::ok) {
            fail(result, row);
            return row;
        }
        set_time(result.cycles, arch.launch.overhead_seconds, row);
        hold(row);
        row.error_bound_pct = result.extrapolation.error_bound_pct;
        return row;
    }

    // What the simulated SM would take, which does not see the queue.
    [[nodiscard]] ExplainRow atomics() const {
        auto row = named(atomics_at_l2.data(), "the L2 takes no time for atomics");
        const auto result = run(options.relax);
        if (result.status != SimStatus::ok) {
            fail(result, row);
            return row;
        }
        row.cycles = std::min(result.cycles, base.cycles);
        row.time_seconds = row.cycles / sm_hz + arch.launch.overhead_seconds;
        row.saved_seconds = base.time_seconds - row.time_seconds;
        row.saved_pct = 100 * row.saved_seconds / base.time_seconds;
        return row;
    }

    [[nodiscard]] ExplainRow launch_overhead() const {
        auto row = named(launch_name, "the launch itself costs no time");
        set_time(base.cycles, 0, row);
        return row;
    }

    [[nodiscard]] ExplainRow quantisation() const {
        auto row = named(quantisation_name, "blocks dealt in fractions, so that all SMs end together");
        const int resident = launch_occupancy(program, arch).blocks_per_sm;
        const double x = static_cast<double>(program.grid.count()) / arch.sm_count;
        const bool rounds = x >= resident;
        const std::int64_t step = rounds ? resident : 1;
        const auto whole = step * static_cast<std::int64_t>(x / static_cast<double>(step));
        const double rest = (x - static_cast<double>(whole)) / static_cast<double>(step);
        const auto at = run_blocks(whole);
        const auto next = rest > 0 ? run_blocks(rounds ? whole - step : whole + step) : at;
        if (at.status != SimStatus::ok || next.status != SimStatus::ok) {
            fail(at.status != SimStatus::ok ? at : next, row);
            return row;
        }
        const double slope = rounds ? at.cycles - next.cycles : next.cycles - at.cycles;
        set_time(at.cycles + rest * slope, arch.launch.overhead_seconds, row);
        hold(row);
        return row;
    }
};

bool comes_first(const ExplainRow& a, const ExplainRow& b) {
    const bool a_ok = a.status == ExplainStatus::ok;
    const bool b_ok = b.status == ExplainStatus::ok;
    return a_ok != b_ok ? a_ok : a_ok && a.saved_seconds > b.saved_seconds;
}

}  // namespace

std::string_view to_string(ExplainStatus status) {
    switch (status) {
        case ExplainStatus::ok:
            return "ok";
        case ExplainStatus::not_modelled:
            return "not modelled";
        case ExplainStatus::failed:
            return "failed";
    }
    return "";
}

ExplainBase base_of(const Prediction& p) {
    return {p.cycles, p.time_seconds, atomics_of(p.bounds)};
}

int explain_runs(const KernelProgram& program, const ArchSpec& arch) {
    const auto traits = traits_of(program, arch);
    const auto& list = limiters();
    const auto lifted = std::count_if(list.begin(), list.end(), [&](const Limiter& limiter) {
        return missing_in(limiter, arch).empty() && !is_absent(limiter, traits);
    });
    constexpr int of_quantisation = 2;
    return static_cast<int>(lifted) + of_quantisation;
}

std::vector<ExplainRow> explain(const KernelProgram& program, const ArchSpec& arch, const SimOptions& options,
                                const ExplainBase& base, const std::vector<std::string_view>& only) {
    const Explainer explainer{program, arch, options, base};
    const auto& list = limiters();
    const bool queued = base.least_cycles > 0 && base.least_cycles >= base.cycles;
    const auto wanted = [&only](std::string_view name) {
        return only.empty() || std::find(only.begin(), only.end(), name) != only.end();
    };
    std::vector<std::function<ExplainRow()>> runs;
    for (const auto& limiter : list) {
        if (wanted(limiter.name)) {
            runs.emplace_back([&] { return explainer.lift(limiter); });
        }
    }
    if (wanted(quantisation_name)) {
        runs.emplace_back([&] { return explainer.quantisation(); });
    }
    if (wanted(launch_name)) {
        runs.emplace_back([&] { return explainer.launch_overhead(); });
    }
    if (queued && wanted(atomics_at_l2)) {
        runs.emplace_back([&] { return explainer.atomics(); });
    }
    std::vector<ExplainRow> rows(runs.size());
    oneapi::tbb::parallel_for(std::size_t{0}, rows.size(), [&](std::size_t i) { rows[i] = runs[i](); });
    std::stable_sort(rows.begin(), rows.end(), comes_first);
    return rows;
}

}  // namespace gpumodel
