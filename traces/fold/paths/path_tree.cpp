#include "traces/fold/paths/path_tree.h"

#include <algorithm>

namespace gpumodel {
namespace {

class TreeParser {
public:
    TreeParser(const FoldedWarp& warp, const StaticCode& code) : warp_(warp), code_(code) {}

    std::vector<PathNode> parse() {
        std::vector<PathNode> nodes;
        while (token_ < warp_.tokens.size() && token().kind != PathToken::Kind::loop_end) {
            nodes.push_back(token().kind == PathToken::Kind::loop_begin ? loop() : leaf());
        }
        return nodes;
    }

private:
    [[nodiscard]] const PathToken& token() const { return warp_.tokens[token_]; }

    PathNode loop() {
        PathNode node;
        node.is_loop = true;
        node.trips = token().trips;
        node.token_begin = token_++;
        node.access_begin = access_;
        node.body = parse();
        node.token_end = ++token_;
        node.access_end = access_;
        node.has_barrier = std::any_of(node.body.begin(), node.body.end(),
                                       [](const PathNode& child) { return child.has_barrier; });
        return node;
    }

    PathNode leaf() {
        PathNode node;
        node.token_begin = token_;
        node.access_begin = access_;
        while (!node.has_barrier && token_ < warp_.tokens.size() &&
               token().kind == PathToken::Kind::straight) {
            take_accesses(token());
            // one that no lane passes is an instruction like others
            node.has_barrier = token().active != 0 && is_barrier(code_, token().end - 1);
            ++token_;
        }
        node.token_end = token_;
        node.access_end = access_;
        return node;
    }

    void take_accesses(const PathToken& piece) {
        while (access_ < warp_.accesses.size()) {
            const auto& access = warp_.accesses[access_];
            // the next piece may be the same code again: instructions only ascend within one
            const bool ascends = access_ == first_of_piece_ ||
                                 access.instruction > warp_.accesses[access_ - 1].instruction ||
                                 access.copy_target;
            if (access.instruction < piece.begin || access.instruction >= piece.end || !ascends) {
                break;
            }
            ++access_;
        }
        first_of_piece_ = access_;
    }

    const FoldedWarp& warp_;
    const StaticCode& code_;
    std::size_t token_ = 0;
    std::size_t access_ = 0;
    std::size_t first_of_piece_ = 0;
};

std::vector<const PathNode*> barrier_nodes(const std::vector<PathNode>& nodes) {
    std::vector<const PathNode*> list;
    for (const auto& node : nodes) {
        if (node.has_barrier) {
            list.push_back(&node);
        }
    }
    return list;
}

}  // namespace

std::string_view mnemonic_of(const StaticCode& code, const Instruction& instruction) {
    const auto& names = code.mnemonics.names();
    return instruction.mnemonic < names.size() ? std::string_view(names[instruction.mnemonic])
                                               : std::string_view();
}

bool is_barrier(const StaticCode& code, int instruction) {
    const auto& i = code.instructions[static_cast<std::size_t>(instruction)];
    if (i.op != OpClass::barrier) {
        return false;
    }
    // the class also holds operations on barriers in shared memory (SYNCS, ARRIVES): a wait for a phase is a
    // meeting of the warps, where it is not known what it needs; arrivals are none
    if (i.copies_alone || i.arrivals_known) {
        return false;
    }
    const auto name = mnemonic_of(code, i);
    return name.empty() || name.find("PHASECHK") != std::string_view::npos ||
           name.starts_with("UCGABAR_WAIT") ||
           (name.starts_with("BAR") && name.find(".ARV") == std::string_view::npos);
}

std::vector<PathNode> path_tree(const FoldedWarp& warp, const StaticCode& code) {
    return TreeParser(warp, code).parse();
}

bool same_barriers(const std::vector<PathNode>& a, const std::vector<PathNode>& b) {
    const auto in_a = barrier_nodes(a);
    const auto in_b = barrier_nodes(b);
    return std::equal(in_a.begin(), in_a.end(), in_b.begin(), in_b.end(),
                      [](const PathNode* x, const PathNode* y) {
                          return x->is_loop == y->is_loop && x->trips == y->trips &&
                                 (!x->is_loop || same_barriers(x->body, y->body));
                      });
}

}  // namespace gpumodel
