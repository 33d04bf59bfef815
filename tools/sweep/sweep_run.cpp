#include "tools/sweep/sweep_run.h"

#include <fmt/format.h>

#include <filesystem>

#include "tools/cli/file_lock.h"
#include "tools/cli/in_order.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/manners.h"
#include "tools/cli/progress.h"
#include "tools/cli/streams.h"
#include "tools/launch/best_times.h"
#include "tools/sweep/pieces/piece_packing.h"
#include "tools/sweep/pieces/resume.h"
#include "tools/sweep/sweep_best.h"
#include "tools/sweep/sweep_output.h"

namespace gpumodel::cli {
namespace {

// Takes the finished pieces in order, whoever ran them.
class Writer {
public:
    Writer(const SweepPlan& plan, const ArchSpec& base, const Resumed& resumed)
        : output_(open_sweep_output(plan, base, resumed.next, resumed.continues())),
          progress_("points", plan.points().end - resumed.next, plan.output),
          tally_(resumed.tally) {}

    void take(PieceResult&& piece) {
        tally_.add(piece.tally);
        progress_.add(piece.points.end - piece.points.begin);
        output_->take(std::move(piece));
    }
    [[nodiscard]] bool good() const { return output_->good(); }
    const Tally& finish(bool stopped) {
        progress_.clear();
        output_->finish(tally_, stopped);
        return tally_;
    }

private:
    std::unique_ptr<SweepOutput> output_;
    Progress progress_;
    Tally tally_;
};

void run_here(const SweepPlan& plan, PointRange range, Writer& writer) {
    PieceCutter cutter(plan, range);
    const auto read = [&] { return interrupted() || !writer.good() ? std::nullopt : cutter.next(); };
    run_in_order<Piece, PieceResult>(
        plan.threads, read, [&](const Piece& piece) { return run_piece(plan, piece); },
        [&](PieceResult piece) { writer.take(std::move(piece)); });
}

// What a sweep that keeps the fastest need not simulate to its end.
void run_best_here(const SweepPlan& plan, PointRange range, Writer& writer) {
    const auto stopped = run_best(
        plan, range, [&] { return !interrupted() && writer.good(); },
        [&](PieceResult&& piece) { writer.take(std::move(piece)); });
    if (stopped > 0) {
        tell(fmt::format(
            "{} simulations were stopped when they could not be among the {} fastest of their size "
            "any "
            "more",
            grouped(stopped), grouped(std::max(plan.top, static_cast<std::int64_t>(fewest_kept)))));
    }
}

// Pieces are dealt to ranks 1, 2 ... in turn, so that everyone knows without asking whose is next.
int dealt_to(std::int64_t piece, const Ranks& ranks) {
    return 1 + static_cast<int>(piece % (ranks.count() - 1));
}

void run_for_first(const SweepPlan& plan, PointRange range, const Ranks& ranks) {
    PieceCutter cutter(plan, range);
    std::int64_t index = 0;
    const auto read = [&]() -> std::optional<Piece> {
        auto piece = cutter.next();
        while (piece && dealt_to(index++, ranks) != ranks.rank()) {
            piece = cutter.next();
        }
        return piece;
    };
    run_in_order<Piece, std::string>(
        plan.threads, read, [&](const Piece& piece) { return packed(run_piece(plan, piece)); },
        [&](const std::string& message) { ranks.send(message); });
}

void collect_from_others(const SweepPlan& plan, PointRange range, const Ranks& ranks, Writer& writer) {
    PieceCutter cutter(plan, range);
    for (std::int64_t index = 0; !interrupted() && writer.good() && cutter.next(); ++index) {
        writer.take(unpacked(ranks.receive(dealt_to(index, ranks))));
    }
}

// Reads what the file holds and cuts it back to whole points.
Resumed prepare_file(const SweepPlan& plan) {
    if (!plan.resume) {
        return {plan.points().begin, 0, {}};
    }
    auto resumed = read_resumed(plan);
    std::error_code fault;
    const auto size = std::filesystem::file_size(plan.output.out, fault);
    if (!fault && size > static_cast<std::uintmax_t>(resumed.keep_bytes)) {
        std::filesystem::resize_file(plan.output.out, static_cast<std::uintmax_t>(resumed.keep_bytes), fault);
        if (fault) {
            throw InputError(InputErrorKind::usage,
                             {{plan.output.out, 0, 0, "--out", "cannot write this file"}});
        }
    }
    return resumed;
}

int report(const SweepPlan& plan, const Tally& tally, bool stopped) {
    if (plan.output.format != Format::text) {
        auto text = tally_text(tally);
        text.erase(text.find_last_not_of('\n') + 1);
        tell(text);
    }
    if (stopped) {
        err() << fmt::format("gpumodel: interrupted after {} points\n", grouped(tally.points));
        return exit_interrupted;
    }
    return tally.valid == 0 && !plan.shard ? exit_invalid_input : exit_ok;
}

int run_first(const SweepPlan& plan, const ArchSpec& base, const Ranks& ranks) {
    const InterruptGuard interrupts(OnInterrupt::finish);
    const FileLock lock(plan.output.out, "--out");  // two runs would cut and mix each other's rows
    const auto resumed = prepare_file(plan);
    Writer writer(plan, base, resumed);
    const PointRange range{ranks.from_first(resumed.next), plan.points().end};
    if (ranks.count() > 1) {
        collect_from_others(plan, range, ranks, writer);
    } else if (plan.top > 0 && plan.study.settings.models != ModelChoice::analytic) {
        run_best_here(plan, range, writer);
    } else {
        run_here(plan, range, writer);
    }
    const bool stopped = interrupted();
    const int exit_code = report(plan, writer.finish(stopped), stopped);
    if (ranks.count() > 1 && (stopped || !writer.good())) {
        ranks.abort(exit_code);  // the others wait to be heard
    }
    return exit_code;
}

int run_other(const SweepPlan& plan, const Ranks& ranks) {
    const InterruptGuard interrupts(OnInterrupt::exit);
    const auto begin = ranks.from_first(0);
    run_for_first(plan, {begin, plan.points().end}, ranks);
    return exit_ok;
}

}  // namespace

int run_sweep(const SweepPlan& plan, const ArchSpec& base, const Ranks& ranks) {
    if (ranks.count() == 1) {
        return run_first(plan, base, ranks);
    }
    // Whatever ends one rank must end all: the others would wait for it.
    try {
        return ranks.rank() == 0 ? run_first(plan, base, ranks) : run_other(plan, ranks);
    } catch (const InputError& error) {
        for (const auto& diagnostic : error.diagnostics()) {
            err() << to_string(diagnostic) << '\n';
        }
        ranks.abort(static_cast<int>(error.kind()));
    } catch (const std::exception& error) {
        err() << "gpumodel: internal error: " << error.what() << '\n';
        ranks.abort(exit_internal);
    }
}

}  // namespace gpumodel::cli
