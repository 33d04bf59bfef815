#include "traces/fold/segment_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace gpumodel {
namespace {

// table[thread - thread_begin] + base + strides * counters
struct SiteAddress {
    std::shared_ptr<const std::vector<std::int64_t>> table;
    int thread_begin = 0;
    std::int64_t base = 0;
    BlockStride block{};
    std::array<std::int64_t, max_loop_depth> loop{};  // outermost first
    std::int64_t apart = 0;                           // the next four words, beyond those side by side

    [[nodiscard]] std::int64_t operator()(const Coord& at, int word) const {
        auto address = base + (*table)[static_cast<std::size_t>(at.thread - thread_begin)] + 4 * word +
                       apart * (word / 4) + block[0] * at.block_x + block[1] * at.block_y +
                       block[2] * at.block_z;
        for (std::size_t d = 0; d < loop.size(); ++d) {
            address += loop[d] * at.loop[d];
        }
        return address;
    }
};

std::uint32_t threads_mask(const WarpRange& range) {
    const auto threads = static_cast<unsigned>(range.thread_end - range.thread_begin);
    return range.warps > 1 || threads >= 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << threads) - 1;
}

constexpr std::int64_t bulk_piece_bytes = 512;  // 32 lanes of 16 bytes

int pieces_of(const Instruction& instruction) {
    return static_cast<int>(
        std::max<std::int64_t>(1, (instruction.bulk_bytes + bulk_piece_bytes - 1) / bulk_piece_bytes));
}

// What follows a bulk copy's first access, the last instruction so far.
void add_pieces(std::vector<Instruction>& code) {
    const auto first = code.back();
    for (int piece = 1; first.site >= 0 && piece < pieces_of(first); ++piece) {
        auto& next = code.emplace_back(first);
        next.word = 4 * piece;
        next.continues = true;
        next.result_count = next.source_count = 0;
        next.flops = 0;
    }
}

double product(const std::vector<std::int64_t>& trips) {
    double all = 1;
    for (const auto t : trips) {
        all *= static_cast<double>(t);
    }
    return all;
}

}  // namespace

void ByteRange::add(std::int64_t from, std::int64_t to, double bytes) {
    lowest = std::min(lowest, from);
    highest = std::max(highest, to);
    accessed += bytes;
}

double ByteRange::distinct() const {
    return highest <= lowest ? 0 : std::min(accessed, static_cast<double>(highest - lowest));
}

AccessSite SegmentBuilder::make_site(const GridBox& box, const WarpRange& range, std::size_t access) const {
    const auto& a = box.first->warps[range.first_warp].accesses[access];
    const auto& instruction = code_.instructions[static_cast<std::size_t>(a.instruction)];
    const auto mnemonic = mnemonic_of(code_, instruction);
    AccessSite site;
    site.name = fmt::format("{} @0x{:04x}", mnemonic.empty() ? "access" : mnemonic, instruction.address);
    site.space = a.space;
    site.kind = instruction.access_kind;
    site.role = SiteRole::none;
    site.sub_word_bytes = instruction.access_bytes < 4 ? instruction.access_bytes : 0;
    site.vector_words = std::max(1, instruction.access_bytes / 4);
    site.words = site.vector_words * pieces_of(instruction);
    site.thread_private = a.space == MemorySpace::local;
    site.array = a.space == MemorySpace::shared  ? "shared"
                 : a.space == MemorySpace::local ? "local"
                 : a.array >= 0                  ? launch_.arrays.at(static_cast<std::size_t>(a.array)).name
                                                 : "unknown";
    site.texture = instruction.texture;
    site.filter = instruction.filter;
    site.matrix_rows = instruction.matrix_rows;
    site.retried = instruction.retried;
    if (instruction.bulk_bytes > 0) {
        site.copies = mnemonic.starts_with("UTMA") ? CopyUnit::tensor : CopyUnit::bulk;
    }
    const auto says = [&](std::string_view word) { return mnemonic.find(word) != std::string_view::npos; };
    const bool copies = instruction.access_kind == AccessKind::async_copy;
    site.past_l1 = copies ? site.copies != CopyUnit::none || says(".BYPASS")
                          : says(".STRONG.GPU") || says(".STRONG.SYS");  // ld.cg, ld.relaxed.gpu ...
    const bool reads_texture = site.texture == TextureUnit::fetch || site.texture == TextureUnit::sample;
    site.read_only = reads_texture || mnemonic.find(".CONSTANT") != std::string_view::npos ||
                     (launch_.ldg_is_read_only && mnemonic.starts_with("LDG"));
    const auto mask = threads_mask(range);
    if ((a.active & mask) != mask) {
        site.lanes_fixed = true;
        site.active = [active = a.active](const Coord& at) {
            return ((active >> static_cast<unsigned>(at.thread % 32)) & 1U) != 0;
        };
    }
    if (const std::int64_t bytes = instruction.bulk_bytes; bytes % bulk_piece_bytes != 0 && site.words > 4) {
        site.lanes_fixed = true;
        site.word_active = [bytes](const Coord& at, int word) {
            return word / 4 * bulk_piece_bytes + at.thread % 32 * 16 < bytes;
        };
    }
    site.words_fixed = true;
    return site;
}

SegmentBuilder::Table SegmentBuilder::table_of(const GridBox& box, const WarpRange& range,
                                               std::size_t access) {
    const auto& warps = box.first->warps;
    const auto origin = warps[range.first_warp].base[access];
    std::vector<std::int64_t> key{range.thread_end - range.thread_begin};
    for (auto w = range.first_warp; w < range.first_warp + range.warps; ++w) {
        key.push_back(warps[w].pattern[access]);
        key.push_back(warps[w].base[access] - origin);
    }
    auto& table = tables_[key];
    if (!table) {
        std::vector<std::int64_t> offsets;
        for (int thread = 0; thread < range.thread_end - range.thread_begin; ++thread) {
            const auto& warp = warps[range.first_warp + static_cast<std::size_t>(thread / 32)];
            const auto& lanes = patterns_.offsets(warp.pattern[access]);
            offsets.push_back(warp.base[access] - origin + lanes[static_cast<std::size_t>(thread % 32)]);
        }
        table = std::make_shared<const std::vector<std::int64_t>>(std::move(offsets));
    }
    return table;
}

void SegmentBuilder::set_addresses(AccessSite& site, const GridBox& box, const WarpRange& range,
                                   std::size_t access) {
    const auto& warp = box.first->warps[range.first_warp];
    const auto& a = warp.accesses[access];
    SiteAddress f;
    f.table = table_of(box, range, access);
    f.thread_begin = range.thread_begin;
    const auto apart = code_.instructions[static_cast<std::size_t>(a.instruction)].bulk_apart;
    f.apart = site.words > site.vector_words ? (a.copy_target ? bulk_piece_bytes : apart) - 16 : 0;
    f.block = box.strides[range.first_warp][access];
    const auto& begin = box.blocks.begin;
    f.base = warp.base[access] - f.block[0] * begin.x - f.block[1] * begin.y - f.block[2] * begin.z;
    for (std::size_t d = 0; d < a.depth; ++d) {
        f.loop[d] = a.stride[a.depth - 1U - d];
    }
    site.address = [shared = std::make_shared<const SiteAddress>(std::move(f))](const Coord& at, int word) {
        return (*shared)(at, word);
    };
}

void SegmentBuilder::count_bytes(const AccessSite& site, const GridBox& box, const WarpRange& range,
                                 std::size_t access, const std::vector<std::int64_t>& trips) {
    const auto& a = box.first->warps[range.first_warp].accesses[access];
    if (a.space != MemorySpace::global || a.array < 0 || a.active == 0) {
        return;
    }
    const auto table = table_of(box, range, access);
    const auto [low, high] = std::minmax_element(table->begin(), table->end());
    const auto base = box.first->warps[range.first_warp].base[access];
    auto lowest = base + *low;
    const auto pieces = site.accesses();
    auto highest = base + *high + site.bytes_per_lane() +
                   code_.instructions[static_cast<std::size_t>(a.instruction)].bulk_apart * (pieces - 1);
    const auto reach = [&](std::int64_t stride, std::int64_t count) {
        (stride < 0 ? lowest : highest) += stride * (count - 1);
    };
    for (std::size_t d = 0; d < trips.size(); ++d) {
        reach(a.stride[trips.size() - 1 - d], trips[d]);
    }
    const auto& s = box.strides[range.first_warp][access];
    reach(s[0], box.blocks.end.x - box.blocks.begin.x);
    reach(s[1], box.blocks.end.y - box.blocks.begin.y);
    reach(s[2], box.blocks.end.z - box.blocks.begin.z);
    const double bytes = static_cast<double>(std::popcount(a.active)) * static_cast<double>(range.warps) *
                         pieces * site.bytes_per_lane() * product(trips) *
                         static_cast<double>(box.blocks.count());
    const auto array = static_cast<std::size_t>(a.array);
    if (site.kind != AccessKind::store) {
        totals_.read.at(array).add(lowest, highest, bytes);
    }
    if (site.kind == AccessKind::store || site.kind == AccessKind::atomic) {
        totals_.written.at(array).add(lowest, highest, bytes);
    }
}

Segment SegmentBuilder::build(const GridBox& box, const WarpRange& range, const PathNode& leaf,
                              const std::vector<std::int64_t>& trips) {
    const auto& warp = box.first->warps[range.first_warp];
    const double times =
        product(trips) * static_cast<double>(range.warps) * static_cast<double>(box.blocks.count());
    Segment segment;
    std::vector<Instruction> code;
    segment.thread_begin = range.thread_begin;
    segment.thread_end = range.thread_end;
    auto access = leaf.access_begin;
    for (auto t = leaf.token_begin; t < leaf.token_end; ++t) {
        const auto& piece = warp.tokens[t];
        for (auto i = piece.begin; i < piece.end; ++i) {
            auto instruction = code_.instructions[static_cast<std::size_t>(i)];
            ++segment.ops[static_cast<std::size_t>(instruction.op)];
            segment.lane_ops[static_cast<std::size_t>(instruction.op)] += std::popcount(piece.active) / 32.0;
            totals_.flops += instruction.flops * std::popcount(piece.active) * times;
            if (instruction.skipped) {
                auto& skipped = totals_.skipped[instruction.address];
                skipped = {code_.mnemonics.name(instruction.mnemonic), instruction.address, 1,
                           skipped.executed + times};
            }
            instruction.arrives = instruction.arrives && piece.active != 0;
            const bool accesses = access < leaf.access_end && warp.accesses[access].instruction == i;
            copies_ += accesses && instruction.access_kind == AccessKind::async_copy ? 1 : 0;
            instruction.site = accesses ? static_cast<std::int32_t>(segment.sites.size()) : -1;
            for (bool first = true; access < leaf.access_end && warp.accesses[access].instruction == i &&
                                    (first || warp.accesses[access].copy_target);
                 ++access, first = false) {
                auto site = make_site(box, range, access);
                site.stage_id = copies_;
                set_addresses(site, box, range, access);
                count_bytes(site, box, range, access, trips);
                segment.sites.push_back(std::move(site));
            }
            code.push_back(instruction);
            add_pieces(code);
        }
    }
    const auto begin = warp.tokens[leaf.token_begin].begin;
    segment.code = std::move(code);
    segment.name = fmt::format("code @0x{:04x}", code_.instructions[static_cast<std::size_t>(begin)].address);
    return segment;
}

}  // namespace gpumodel
