#include "traces/codegen/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "traces/codegen/kepler_control.h"
#include "traces/codegen/products/fragments.h"
#include "traces/codegen/segment_code.h"
#include "traces/codegen/stall_counts.h"
#include "traces/codegen/transfers/transfers.h"
#include "traces/codegen/unroll_loops.h"
#include "traces/dependency_shape.h"
#include "traces/kernel/compiler/unroll.h"

namespace gpumodel {

namespace {

double& count_in(Segment& segment, OpClass op) {
    return segment.ops[static_cast<std::size_t>(op)];
}

// Every asynchronous copy's shared site right behind its global one.
void pair_async_sites(Segment& segment) {
    auto& sites = segment.sites;
    for (std::size_t i = 0; i + 1 < sites.size(); ++i) {
        if (sites[i].kind != AccessKind::async_copy || sites[i].space != MemorySpace::global) {
            continue;
        }
        const auto partner = std::find_if(
            sites.begin() + static_cast<std::ptrdiff_t>(i) + 1, sites.end(), [&](const AccessSite& site) {
                return site.kind == AccessKind::async_copy && site.space == MemorySpace::shared &&
                       site.stage_id == sites[i].stage_id;
            });
        if (partner != sites.end()) {
            std::rotate(sites.begin() + static_cast<std::ptrdiff_t>(i) + 1, partner, partner + 1);
        }
    }
}

// A barrier ends its interval and a branch its loop: the branch of a loop that ends with a barrier gets an
// interval of its own.
void part_closing_branch(std::vector<Node>& body) {
    auto* last = body.empty() ? nullptr : std::get_if<Interval>(&body.back());
    if (last == nullptr || !last->barrier_after) {
        return;
    }
    Interval closing;
    for (Segment& segment : last->segments) {
        double& branches = count_in(segment, OpClass::branch);
        if (branches < 1) {
            continue;
        }
        --branches;
        Segment branch;
        branch.name = "loop end";
        branch.thread_begin = segment.thread_begin;
        branch.thread_end = segment.thread_end;
        count_in(branch, OpClass::branch) = 1;
        closing.segments.push_back(std::move(branch));
    }
    if (!closing.segments.empty()) {
        body.emplace_back(std::move(closing));
    }
}

class Generator {
public:
    Generator(KernelProgram& program, const CodeStyle& style, const ProgramCode* known)
        : program_(program), style_(style), names_(style_, program.mnemonics), known_(known) {
        style_.registers = program.resources.registers_per_thread;
        if (known_ != nullptr) {
            program_.mnemonics = known_->mnemonics;
        }
    }

    void generate(std::vector<Node>& body) {
        body = unroll_loops(body);
        if (known_ != nullptr) {
            write_nodes(body, {}, false);
            return;
        }
        const RegisterPlan plan = plan_registers(program_, body, style_);
        zeroing_ = !plan.accumulators.empty();
        write_nodes(body, plan, false);
        find_dependencies(body, program_.mnemonics);
    }

private:
    void write_nodes(std::vector<Node>& nodes, const RegisterPlan& plan, bool in_loop) {
        if (in_loop) {
            part_closing_branch(nodes);
        }
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (auto* loop = std::get_if<Loop>(&nodes[i])) {
                write_nodes(loop->body, plan, true);
                continue;
            }
            const bool last = i + 1 == nodes.size();
            for (Segment& segment : std::get<Interval>(nodes[i]).segments) {
                write_segment(segment, plan,
                              !last     ? Ending::segment
                              : in_loop ? Ending::loop
                                        : Ending::program);
            }
        }
    }

    void write_segment(Segment& segment, const RegisterPlan& plan, Ending ending) {
        pair_async_sites(segment);
        for (auto& site : segment.sites) {
            site.fixed_by_code =
                (site.space == MemorySpace::shared || site.pitch) && !site.active && !site.word_active;
        }
        if (known_ != nullptr) {
            const SegmentCode& known = known_->segments.at(next_known_++);
            segment.code = known.code;
            segment.ops = known.ops;
            segment.dependency = known.dependency;
            return;
        }
        Emitter emit(style_, plan, names_, segment);
        if (zeroing_ && count_in(segment, OpClass::mov) > 0) {
            emit.zero_accumulators(true);
            zeroing_ = false;
        }
        if (ending == Ending::loop) {
            emit.count_trips();
        }
        emit_async_copies(emit, segment);
        emit_transfers(emit, segment, plan, program_);
        if (segment.product.r > 0) {
            emit_products(emit, segment, plan, style_);
        }
        emit.finish(ending);
        set_reuse_flags(segment.code.edit(), style_);
        if (style_.kepler()) {
            set_kepler_control(segment.code.edit(), hand_scheduled(segment));
        } else if (style_.stall_counts) {
            set_stall_counts(segment.code.edit(), style_);
        }
        count_code(segment);
    }

    static void count_code(Segment& segment) {
        segment.ops.fill(0);
        for (const Instruction& instruction : segment.code) {
            count_in(segment, instruction.op) += 1;
        }
    }

    KernelProgram& program_;
    CodeStyle style_;
    Mnemonics names_;
    bool zeroing_ = false;
    const ProgramCode* known_;
    std::size_t next_known_ = 0;
};

}  // namespace

KernelProgram generate_code(KernelProgram program, const Target& target, const ProgramCode* known) {
    program.estimates.emplace_back("integer and control instruction mix, loop unrolling");
    if (const int studied = listings_generation(target); studied != target.cc.number()) {
        program.estimates.push_back(
            fmt::format("code of sm_{} as the compiler makes it for sm_{}", target.cc.number(), studied));
    }
    Generator generator(program, code_style(target), known);
    generator.generate(program.body);
    for (BlockVariant& variant : program.variants) {
        generator.generate(variant.body);
    }
    return program;
}

}  // namespace gpumodel
