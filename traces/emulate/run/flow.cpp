#include "traces/emulate/run/flow.h"

#include <algorithm>
#include <deque>
#include <set>

#include "traces/emulate/operations/control_operations.h"

namespace gpumodel::emulate {

namespace {

using Kind = Terminator::Kind;

// Volta and later: the target of each B register, or unknown. Kepler: the open meetings, kind and target.
using Open = std::vector<int>;

constexpr int not_open = -1;
constexpr int unknown = -2;
constexpr int kind_shift = 28;
constexpr std::size_t most_states = 20000;  // far more than compiled code has; beyond, all targets are taken

int entry(Meeting::Kind kind, int target) {
    return static_cast<int>(kind) << kind_shift | target;
}
Meeting::Kind kind_of(int entry) {
    return static_cast<Meeting::Kind>(entry >> kind_shift);
}
int target_of(int entry) {
    return entry & ((1 << kind_shift) - 1);
}

bool may_pass(const Terminator& last) {
    const auto certain = [](PredicateUse use) {
        return (use.index == true_predicate || use.index == first_uniform_predicate + true_predicate) &&
               !use.inverted;
    };
    return !certain(last.guard) || !certain(last.condition);
}

class Walk {
public:
    Walk(Program& program, const std::vector<int>& return_sites)
        : program_(program), return_sites_(return_sites) {}

    void run() {
        if (program_.blocks.empty()) {
            return;
        }
        visit(-1, 0, Open(program_.has_stack ? 0 : Warp::barrier_registers, not_open));
        while (!pending_.empty()) {
            auto [block, open] = std::move(pending_.front());
            pending_.pop_front();
            step(block, std::move(open));
        }
    }

private:
    void visit(int from, int to, Open open) {
        if (to < 0 || to >= static_cast<int>(program_.blocks.size())) {
            return;
        }
        if (from >= 0) {
            auto& list = program_.blocks[static_cast<std::size_t>(from)].successors;
            if (std::find(list.begin(), list.end(), to) == list.end()) {
                list.push_back(to);
            }
        }
        program_.blocks[static_cast<std::size_t>(to)].reachable = true;
        if (seen_.size() >= most_states) {
            open.assign(open.size(), unknown);
        }
        if (seen_.emplace(to, open).second) {
            pending_.emplace_back(to, std::move(open));
        }
    }

    void run_ops(const CodeBlock& block, Open& open) const {
        for (std::size_t i = block.op_begin; i < block.op_end; ++i) {
            const auto& op = program_.ops[i];
            const auto number = op.option & 0xfU;
            if (op.run == &open_barrier) {
                open[number] = static_cast<int>(op.immediate);
            } else if (op.run == &restore_barrier) {
                open[number] = unknown;
            } else if (op.run == &push_meeting) {
                open.push_back(entry(static_cast<Meeting::Kind>(op.option), static_cast<int>(op.immediate)));
            }
        }
    }

    void visit_all_targets(int from, const Open& open) {
        for (const auto& op : program_.ops) {
            if (op.has_target) {
                visit(from, static_cast<int>(op.immediate), open);
            }
        }
    }

    void meet_at_barrier(int from, int barrier, Open open) {
        auto& target = open[static_cast<std::size_t>(barrier)];
        const int to = target;
        target = not_open;
        if (to == unknown) {
            visit_all_targets(from, open);
        }
        visit(from, to >= 0 ? to : from + 1, std::move(open));
    }

    // Kepler: drops what is open down to a meeting of the kind, and goes to its target.
    void unwind(int from, Meeting::Kind kind, bool top_only, Open open) {
        while (!open.empty()) {
            const int top = open.back();
            open.pop_back();
            if (top == unknown) {
                visit_all_targets(from, open);
                return;
            }
            if (top_only || kind_of(top) == kind) {
                visit(from, target_of(top), std::move(open));
                return;
            }
        }
    }

    void step(int index, Open open) {
        const auto& block = program_.blocks[static_cast<std::size_t>(index)];
        run_ops(block, open);
        const auto& last = block.last;
        const bool always_passes = last.kind == Kind::fall || last.kind == Kind::yield ||
                                   last.kind == Kind::pause || last.kind == Kind::fence ||
                                   last.kind == Kind::before_swap || last.kind == Kind::retry ||
                                   last.kind == Kind::block_barrier || last.kind == Kind::warp_sync ||
                                   last.kind == Kind::jump_if_diverged || last.kind == Kind::leaves;
        if (always_passes || may_pass(last)) {
            visit(index, index + 1, open);
        }
        switch (last.kind) {
            case Kind::jump:
            case Kind::jump_if_diverged:
                visit(index, block.target, std::move(open));
                break;
            case Kind::indirect:
                for (const int site : return_sites_) {
                    visit(index, site, open);
                }
                break;
            case Kind::meet:
                if (program_.has_stack) {
                    unwind(index, Meeting::Kind::sync, true, std::move(open));
                } else {
                    meet_at_barrier(index, last.barrier, std::move(open));
                }
                break;
            case Kind::loop_break:
                unwind(index, Meeting::Kind::loop_break, false, std::move(open));
                break;
            case Kind::loop_continue:
                unwind(index, Meeting::Kind::loop_continue, false, std::move(open));
                break;
            case Kind::call:
                open.push_back(entry(Meeting::Kind::call, index + 1));
                visit(index, block.target, std::move(open));
                break;
            case Kind::ret:
                unwind(index, Meeting::Kind::call, false, std::move(open));
                break;
            case Kind::fall:
            case Kind::yield:
            case Kind::fence:
            case Kind::pause:
            case Kind::before_swap:
            case Kind::retry:
            case Kind::block_barrier:
            case Kind::warp_sync:
            case Kind::leaves:
            case Kind::exit:
            case Kind::unsupported:
                break;
        }
    }

    Program& program_;
    const std::vector<int>& return_sites_;
    std::set<std::pair<int, Open>> seen_;
    std::deque<std::pair<int, Open>> pending_;
};

}  // namespace

void connect_blocks(Program& program, const std::vector<int>& return_sites) {
    Walk(program, return_sites).run();
}

}  // namespace gpumodel::emulate
