#include "model/sim/memory/access_table.h"

#include <algorithm>
#include <bit>
#include <set>

#include "model/memory/site_statistics.h"
#include "model/memory/store_joining.h"

namespace gpumodel::sim {
namespace {

constexpr int lanes = 32;
// Far above what a relative address can reach downwards, and aligned to everything.
constexpr std::int64_t address_origin = std::int64_t{1} << 40;
// Of a warp's local memory: 512 KiB per thread (CUDA programming guide, technical specifications).
constexpr std::int64_t local_window = lanes * (std::int64_t{1} << 19);

const std::vector<Node>& body_nodes(const KernelProgram& program, std::size_t body) {
    return program.variants.empty() ? program.body : program.variants[body].body;
}

void add_arrays(const std::vector<Node>& nodes, std::map<std::string, std::int64_t>& bases) {
    for (const auto& node : nodes) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            add_arrays(loop->body, bases);
            continue;
        }
        for (const auto& segment : std::get<Interval>(node).segments) {
            for (const auto& site : segment.sites) {
                if (site.space != MemorySpace::shared) {
                    bases.try_emplace(site.array, 0);
                }
            }
        }
    }
}

bool contains(const BlockBox& box, const Dim3& b) {
    return b.x >= box.begin.x && b.x < box.end.x && b.y >= box.begin.y && b.y < box.end.y &&
           b.z >= box.begin.z && b.z < box.end.z;
}

Coord coord_of(const Dim3& block, int thread) {
    Coord at;
    at.block_x = block.x;
    at.block_y = block.y;
    at.block_z = block.z;
    at.thread = thread;
    return at;
}

}  // namespace

AccessTable::AccessTable(const KernelProgram& program, const DecodedProgram& decoded, const ArchSpec& arch,
                         const Relax& relax)
    : program_(program),
      decoded_(decoded),
      arch_(arch),
      relax_(relax),
      shared_banks_(bank_geometry(arch.sm.shared_memory)),
      data_stage_banks_(data_stage_geometry(arch.sm.shared_memory)) {
    for (std::size_t b = 0; b < decoded.bodies.size(); ++b) {
        add_arrays(body_nodes(program, b), array_base_);
    }
    std::int64_t base = address_origin;
    constexpr std::int64_t spacing = std::int64_t{1} << 36;  // no launch's array is longer
    for (auto& [name, at] : array_base_) {
        at = base;
        base += spacing;
    }
    probe(decoded);
}

int AccessTable::body_of(const Dim3& block) const {
    for (std::size_t v = 0; v < program_.variants.size(); ++v) {
        if (contains(program_.variants[v].blocks, block)) {
            return static_cast<int>(v);
        }
    }
    return 0;
}

void AccessTable::probe(const DecodedProgram& decoded) {
    for (const auto& body : decoded.bodies) {
        auto& strides = strides_.emplace_back();
        auto& shared = shared_strides_.emplace_back();
        for (const auto& stream : body.streams) {
            auto& of_stream = strides.emplace_back();
            auto& shared_of_stream = shared.emplace_back();
            for (const auto& access : stream.accesses) {
                of_stream.push_back(probe_site(*access.site, *access.segment, access.word));
                shared_of_stream.push_back(access.shared_site != nullptr
                                               ? probe_site(*access.shared_site, *access.segment, access.word)
                                               : AccessStrides{});
                const auto* s = access.shared_site;
                has_predicates_ = has_predicates_ || access.site->active || access.site->word_active ||
                                  (s != nullptr && (s->active || s->word_active));
            }
        }
    }
}

AccessStrides AccessTable::probe_site(const AccessSite& site, const Segment& segment, int word) const {
    const int thread = segment.thread_begin;
    const Coord origin = coord_of({0, 0, 0}, thread);
    const auto base = site.address(origin, word);
    AccessStrides strides;
    strides.block_x = site.address(coord_of({1, 0, 0}, thread), word) - base;
    strides.block_y = site.address(coord_of({0, 1, 0}, thread), word) - base;
    strides.block_z = site.address(coord_of({0, 0, 1}, thread), word) - base;
    for (std::size_t d = 0; d < max_loop_depth; ++d) {
        Coord probe = origin;
        probe.loop[d] = 1;
        strides.loop[d] = site.address(probe, word) - base;
    }
    if (site.space == MemorySpace::local) {
        for (auto& stride : strides.loop) {
            stride *= lanes;
        }
    }
    strides.slot = is_private(site) ? (program_.block.count() + lanes - 1) / lanes * local_window : 0;
    return strides;
}

const BlockPatterns& AccessTable::patterns(const Dim3& block) {
    ClassKey key;
    key.body = body_of(block);
    if (has_predicates_) {
        key.last_x = block.x == program_.grid.x - 1;
        key.last_y = block.y == program_.grid.y - 1;
        key.last_z = block.z == program_.grid.z - 1;
    }
    const auto known = classes_.find(key);
    return known != classes_.end() ? known->second
                                   : classes_.emplace(key, evaluate(key.body, block)).first->second;
}

BlockPatterns AccessTable::evaluate(int body, const Dim3& block) {
    BlockPatterns result;
    result.origin = block;
    const auto& streams = decoded_.bodies[static_cast<std::size_t>(body)];
    for (std::size_t warp = 0; warp < streams.stream_of_warp.size(); ++warp) {
        const auto& stream = streams.streams[static_cast<std::size_t>(streams.stream_of_warp[warp])];
        auto& patterns = result.of_warp.emplace_back();
        auto& shared = result.shared_of_warp.emplace_back();
        for (const auto& access : stream.accesses) {
            patterns.push_back(evaluate_warp(access, *access.site, block, static_cast<int>(warp)));
            shared.push_back(access.shared_site != nullptr
                                 ? evaluate_warp(access, *access.shared_site, block, static_cast<int>(warp))
                                 : WarpPattern{});
        }
    }
    return result;
}

WarpPattern AccessTable::evaluate_warp(const StreamAccess& access, const AccessSite& site, const Dim3& block,
                                       int warp) {
    WarpAccess relative;
    relative.active = 0;
    relative.bytes_per_lane = site.bytes_per_lane();
    relative.matrix_rows = site.matrix_rows;
    const bool local = site.space == MemorySpace::local;
    relative.local = local;
    WarpPattern result;
    const bool predicated = site.active || site.word_active;
    for (int lane = 0; lane < lanes; ++lane) {
        const int thread = warp * lanes + lane;
        if (thread < access.segment->thread_begin || thread >= access.segment->thread_end) {
            continue;
        }
        const Coord at = coord_of(block, thread);
        if (predicated && !site.is_active(at, access.word)) {
            continue;
        }
        auto address = site.address(at, access.word);
        if (local) {
            address = WarpAccess::local_address(address, lane) + warp * local_window;
        }
        if (relative.active == 0) {
            result.address = address;
        }
        relative.active |= 1U << static_cast<unsigned>(lane);
        relative.address[static_cast<std::size_t>(lane)] = address - result.address;
    }
    if (relative.active == 0) {
        return result;
    }
    result.pattern = pattern_of(relative, site);
    result.address += site.space == MemorySpace::shared ? address_origin : array_base_.at(site.array);
    return result;
}

std::int32_t AccessTable::pattern_of(const WarpAccess& relative, const AccessSite& site) {
    const bool shared = site.space == MemorySpace::shared;
    const auto path = shared ? GlobalPath::l1_cached : global_path(site, arch_);
    const bool store = site.kind == AccessKind::store || (shared && site.kind == AccessKind::async_copy);
    const auto form = atomic_form(site);
    PatternKey key(relative.address.begin(), relative.address.end());
    key.insert(key.end(),
               {static_cast<std::int64_t>(relative.active), relative.bytes_per_lane,
                static_cast<std::int64_t>(relative.matrix_rows), static_cast<std::int64_t>(relative.local),
                static_cast<std::int64_t>(shared), static_cast<std::int64_t>(store),
                static_cast<std::int64_t>(form), static_cast<std::int64_t>(path)});
    const auto [entry, is_new] =
        known_patterns_.try_emplace(key, static_cast<std::int32_t>(patterns_.size()));
    if (is_new) {
        auto& pattern = patterns_.emplace_back();
        pattern.access = relative;
        pattern.shared = shared;
        pattern.store = store;
        pattern.form = form;
        pattern.path = path;
        pattern.cost_of_residue.fill(-1);
    }
    return entry->second;
}

void AccessTable::add_patterns_to(ValueHash& hash) const {
    for (const auto& pattern : patterns_) {
        for (const auto address : pattern.access.address) {
            hash.add(address);
        }
        hash.add(pattern.access.active, pattern.access.bytes_per_lane, pattern.access.matrix_rows,
                 pattern.access.local, pattern.shared, pattern.store, pattern.form, pattern.path);
    }
}

void AccessTable::compute_cost(std::int32_t index, std::size_t residue) {
    auto& pattern = patterns_[static_cast<std::size_t>(index)];
    WarpAccess access = pattern.access;
    for (auto& address : access.address) {
        address += address_origin + static_cast<std::int64_t>(residue);
    }
    const auto direction = pattern.store ? AccessDirection::store : AccessDirection::load;
    const auto banks =
        analyse_bank_conflicts(access, pattern.shared ? shared_banks_ : data_stage_banks_, direction);
    AccessCost cost;
    cost.wavefronts =
        pattern.shared ? atomic_wavefronts(pattern.form, access, banks.wavefronts) : banks.wavefronts;
    cost.phases = banks.phases;
    if (pattern.shared && relax_.shared_conflicts) {
        cost.wavefronts = cost.phases;
    }
    if (!pattern.shared) {
        const auto coalesced = analyse_coalescing(access, arch_.coalescing_rule, pattern.path);
        cost.sectors = coalesced.sectors;
        cost.bytes = static_cast<std::int32_t>(coalesced.bytes_requested);
        cost.transactions = coalesced.transactions;
        cost.local = access.local;
        cost.lone_lanes = JoiningPlaces::are_lone(cost.sectors, cost.bytes, access.bytes_per_lane);
        add_lines(access, cost);
        relax_global(access, cost);
        add_l2_work(pattern, access, cost);
    }
    pattern.cost_of_residue[residue] = static_cast<std::int32_t>(costs_.size());
    costs_.push_back(cost);
}

namespace {

bool is_partial(const LineSectors& line) {
    constexpr unsigned words_of_sector = 8, all = 0xff;
    unsigned whole = 0;
    for (unsigned sector = 0; sector < 4; ++sector) {
        whole |= (line.sectors >> sector & 1U) != 0 ? all << sector * words_of_sector : 0;
    }
    return line.words != 0 && line.words != whole;
}

}  // namespace

// The way to L2 is taken for a line's sectors, and for as much as one more, which says what of their words
// are meant, where not all are (H200, h200_sxm_scattered.csv: one SM takes a cycle for each of these, all
// together 1.7); the slices for at least l2.access_size, and for whole sectors as behind_l1.h says.
void AccessTable::add_l2_work(const Pattern& pattern, const WarpAccess& access, AccessCost& cost) {
    constexpr double of_bytes = 0.5;
    const auto least = arch_.l2.access_bytes.value_or(0);
    const bool bytes_between = access.bytes_per_lane < 4 && cost.bytes < cost.sectors * sector_bytes;
    for (int i = 0; i < cost.line_count; ++i) {
        const bool masked = least > 0 && (bytes_between || is_partial(lines(cost)[i]));
        const auto sectors = std::popcount(lines(cost)[i].sectors) * sector_bytes;
        const auto sent = masked ? sectors + sector_bytes : sectors;
        cost.masked = cost.masked || masked;
        cost.stored_bytes += sent;
        cost.slice_bytes += masked ? sent : of_bytes * std::max(sectors, least) + (1 - of_bytes) * least;
    }
    if (pattern.form == AtomicForm::none) {
        return;
    }
    const auto parts = AtomicCosts{}.by_line(pattern.form, atomic_sectors(access));
    const auto lane = static_cast<std::size_t>(std::countr_zero(access.active));
    const auto origin = access.address[lane] / line_bytes;
    atomic_lines_.resize(lines_.size());
    cost.stored_bytes = 0;
    for (const auto& part : parts) {
        cost.slice_cycles += part.cycles;
        cost.stored_bytes += static_cast<std::int32_t>(part.sent_bytes(least));
        for (int i = 0; i < cost.line_count; ++i) {
            if (lines(cost)[i].line == part.line - origin) {
                atomic_lines_[static_cast<std::size_t>(cost.first_line + i)] = part;
            }
        }
    }
}

void AccessTable::relax_global(const WarpAccess& access, AccessCost& cost) {
    if (!relax_.uncoalesced) {
        return;
    }
    std::set<std::int64_t> addresses;
    for (int lane = 0; lane < lanes; ++lane) {
        if (access.is_active(lane)) {
            addresses.insert(access.address[static_cast<std::size_t>(lane)]);
        }
    }
    const auto ideal =
        ideal_lines(static_cast<std::int64_t>(addresses.size()) * access.bytes_per_lane, cost.sectors);
    if (ideal.empty()) {
        return;
    }
    cost.wavefronts = cost.phases;
    cost.first_line = static_cast<std::int32_t>(lines_.size());
    cost.line_count = static_cast<std::int32_t>(ideal.size());
    cost.sectors = 0;
    for (const auto& line : ideal) {
        cost.sectors += std::popcount(line.sectors);
        lines_.push_back(line);
    }
}

void AccessTable::add_lines(const WarpAccess& access, AccessCost& cost) {
    constexpr int word_bytes = 4;
    std::map<std::int64_t, LineSectors> touched;
    for (int lane = 0; lane < lanes; ++lane) {
        if (!access.is_active(lane)) {
            continue;
        }
        const auto first = access.address[static_cast<std::size_t>(lane)];
        const auto apart = access.pieces() > 1 ? WarpAccess::local_words_apart : word_bytes;
        const auto words = (first % word_bytes + access.bytes_per_lane + word_bytes - 1) / word_bytes;
        for (std::int64_t i = 0; i < words; ++i) {
            const auto byte = first / word_bytes * word_bytes + i * apart;
            auto& line = touched[byte / line_bytes];
            line.sectors |= 1U << static_cast<unsigned>(byte % line_bytes / sector_bytes);
            line.words |= 1U << static_cast<unsigned>(byte % line_bytes / word_bytes);
        }
    }
    const auto lane = static_cast<std::size_t>(std::countr_zero(access.active));
    const auto origin = access.address[lane] / line_bytes;
    cost.first_line = static_cast<std::int32_t>(lines_.size());
    cost.line_count = static_cast<std::int32_t>(touched.size());
    for (const auto& [line, parts] : touched) {
        lines_.push_back({static_cast<std::int32_t>(line - origin), parts.sectors, parts.words});
    }
}

}  // namespace gpumodel::sim
