#include "model/memory/coalescing/coalescing.h"

#include <algorithm>
#include <bit>

#include "model/memory/coalescing/coalescing_cc1.h"
#include "model/memory/coalescing/coalescing_distinct.h"
#include "model/memory/coalescing/coalescing_lanes.h"

namespace gpumodel {

namespace {

// Lanes of one request: half-warps on cc 1.x; at most 128 B on cc 2.x to 5.x; the warp from cc 6.x on.
int lanes_per_request(CoalescingRule rule, int bytes_per_lane) {
    switch (rule) {
        case CoalescingRule::cc1_0:
        case CoalescingRule::cc1_2:
            return 16;
        case CoalescingRule::cc2_x:
        case CoalescingRule::cc3_x:
        case CoalescingRule::cc5_x:
            return std::min(32, 128 / bytes_per_lane);
        case CoalescingRule::cc6_x:
            return 32;
    }
    return 32;
}

std::uint32_t lane_group(int first, int count) {
    const auto bits = count == 32 ? ~0U : (1U << static_cast<unsigned>(count)) - 1U;
    return bits << static_cast<unsigned>(first);
}

bool by_lines(CoalescingRule rule, GlobalPath path) {
    return rule != CoalescingRule::cc6_x && path == GlobalPath::l1_cached;
}

// Distinct pieces of `shift` in order of their first lane.
void list_pieces(const WarpAccess& access, std::uint32_t lanes, unsigned shift,
                 std::vector<Transaction>& list) {
    const auto first_of_request = static_cast<std::ptrdiff_t>(list.size());
    for_each_lane(lanes, [&](std::size_t lane) {
        const Transaction piece{access.address[lane] >> shift << shift, 1 << shift};
        if (std::find(list.begin() + first_of_request, list.end(), piece) == list.end()) {
            list.push_back(piece);
        }
    });
}

void serve_by_pieces(const WarpAccess& access, std::uint32_t lanes, bool lines, const DistinctPieces& pieces,
                     bool keep_list, Coalescing& result) {
    const auto shift = lines ? line_shift : sector_shift;
    const int count = lines ? pieces.lines : pieces.sectors;
    result.transactions += count;
    result.bytes_moved += std::int64_t{count} << shift;
    if (keep_list) {
        list_pieces(access, lanes, shift, result.list);
    }
}

Coalescing analyse(const WarpAccess& access, CoalescingRule rule, GlobalPath path, bool keep_list) {
    Coalescing result;
    TransactionSink sink(result, keep_list);
    const int group = lanes_per_request(rule, access.bytes_per_lane);
    const auto word_shift =
        static_cast<unsigned>(std::countr_zero(static_cast<unsigned>(access.bytes_per_lane)));
    int words = 0;
    for (int first = 0; first < 32; first += group) {
        const auto lanes = access.active & lane_group(first, group);
        if (lanes == 0) {
            continue;
        }
        const auto pieces = count_pieces(access, lanes, word_shift);
        ++result.requests;
        result.sectors += pieces.sectors;
        result.lines += pieces.lines;
        words += pieces.words;
        if (rule == CoalescingRule::cc1_0) {
            serve_half_warp_cc1_0(access, lanes, sink);
        } else if (rule == CoalescingRule::cc1_2) {
            serve_half_warp_cc1_2(access, lanes, sink);
        } else {
            serve_by_pieces(access, lanes, by_lines(rule, path), pieces, keep_list, result);
        }
    }
    // Requests may name the same word; only then count over the whole warp.
    words = result.requests > 1 ? count_distinct(access, access.active, word_shift) : words;
    result.bytes_requested = std::int64_t{words} * access.bytes_per_lane;
    return result;
}

Coalescing analyse_pieces(const WarpAccess& access, CoalescingRule rule, GlobalPath path, bool keep_list) {
    auto sum = analyse(access.piece(0), rule, path, keep_list);
    for (int i = 1; i < access.pieces(); ++i) {
        auto part = analyse(access.piece(i), rule, path, keep_list);
        sum.sectors += part.sectors;
        sum.lines += part.lines;
        sum.transactions += part.transactions;
        sum.bytes_moved += part.bytes_moved;
        sum.bytes_requested += part.bytes_requested;
        sum.list.insert(sum.list.end(), part.list.begin(), part.list.end());
    }
    return sum;
}

}  // namespace

Coalescing analyse_coalescing(const WarpAccess& access, CoalescingRule rule, GlobalPath path) {
    return access.pieces() > 1 ? analyse_pieces(access, rule, path, false)
                               : analyse(access, rule, path, false);
}

Coalescing analyse_coalescing_verbose(const WarpAccess& access, CoalescingRule rule, GlobalPath path) {
    return access.pieces() > 1 ? analyse_pieces(access, rule, path, true) : analyse(access, rule, path, true);
}

}  // namespace gpumodel
