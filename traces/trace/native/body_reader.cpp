#include "traces/trace/native/body_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace gpumodel {

namespace {

constexpr std::int64_t max_trips = std::int64_t{1} << 40;
constexpr std::int64_t max_words = 1 << 16;  // of a site, per thread
constexpr std::uint64_t max_list = 1 << 20;

class BodyReader {
public:
    BodyReader(ByteReader& in, const KernelProgram& launch, const TracePools& pools)
        : in_(in), launch_(launch), pools_(pools) {}

    BlockVariant read() {
        BlockVariant variant;
        auto& [begin, end] = variant.blocks;
        begin = dim({0, 0, 0}, {launch_.grid.x - 1, launch_.grid.y - 1, launch_.grid.z - 1});
        end = dim({begin.x + 1, begin.y + 1, begin.z + 1}, launch_.grid);
        domain_.first = {begin.x, begin.y, begin.z};
        domain_.extent = {end.x - begin.x, end.y - begin.y, end.z - begin.z};
        variant.body = list();
        return variant;
    }

private:
    Dim3 dim(const Dim3& low, const Dim3& high) {
        Dim3 value;
        value.x = in_.integer_in(low.x, high.x, "block x");
        value.y = in_.integer_in(low.y, high.y, "block y");
        value.z = in_.integer_in(low.z, high.z, "block z");
        return value;
    }

    std::vector<Node> list() {
        std::vector<Node> nodes;
        for (auto left = in_.count(max_list, "number of nodes"); left > 0; --left) {
            nodes.push_back(in_.flag() ? Node(loop()) : Node(interval()));
        }
        return nodes;
    }

    Loop loop() {
        if (domain_.dimensions == max_dimensions) {
            in_.fail(fmt::format("more than {} nested loops", max_loop_depth));
        }
        Loop value;
        value.name = in_.text();
        value.trips = in_.integer_in(0, max_trips, "trips");
        value.unroll = static_cast<int>(in_.integer_in(1, INT32_MAX, "unroll"));
        const auto level = static_cast<std::size_t>(domain_.dimensions++);
        domain_.extent[level] = std::max<std::int64_t>(1, value.trips);
        value.body = list();
        --domain_.dimensions;
        domain_.extent[level] = 0;
        return value;
    }

    Interval interval() {
        Interval value;
        value.barrier_after = in_.flag();
        value.warp_barrier_after = in_.flag();
        for (auto left = in_.count(max_list, "number of segments"); left > 0; --left) {
            value.segments.push_back(segment());
        }
        return value;
    }

    double not_negative() {
        const double value = in_.real();
        if (value < 0) {
            in_.fail("a negative count");
        }
        return value;
    }

    int small(std::int64_t low, std::int64_t high, std::string_view what) {
        return static_cast<int>(in_.integer_in(low, high, what));
    }

    Segment segment() {
        Segment value;
        value.name = in_.text();
        value.thread_begin = small(0, launch_.block.count(), "first thread");
        value.thread_end = small(value.thread_begin, launch_.block.count(), "thread end");
        for (double& count : value.ops) {
            count = not_negative();
        }
        for (double& count : value.lane_ops) {
            count = not_negative();
        }
        value.shared_barrier_operations = not_negative();
        value.dependency.serial_global_loads = not_negative();
        value.dependency.serial_shared_loads = not_negative();
        value.dependency.ilp = not_negative();
        value.dependency.prefetched_global_loads = not_negative();
        value.product.r = small(0, max_words, "product rows");
        value.product.s = small(0, max_words, "product columns");
        value.product.steps = small(0, max_words, "product steps");
        value.product.a_along_k = in_.flag();
        code(value);
        domain_.thread_begin = value.thread_begin;
        domain_.thread_end = value.thread_end;
        for (auto left = in_.count(max_list, "number of sites"); left > 0; --left) {
            value.sites.push_back(site());
        }
        check_sites(value);
        return value;
    }

    void code(Segment& segment) {
        const auto pool = pools_.code.size();
        const auto size = in_.count(pool, "number of instructions");
        const auto first = in_.count(pool - size, "first instruction");
        const auto begin = pools_.code.begin() + static_cast<std::ptrdiff_t>(first);
        segment.code.assign(begin, begin + static_cast<std::ptrdiff_t>(size));
        copied_ += size;
        // A file of equal segments must not grow without bound.
        if (copied_ > max_trace_instructions) {
            in_.fail(fmt::format("more than {} instructions in all segments", max_trace_instructions));
        }
    }

    AccessSite site() {
        AccessSite value;
        value.name = in_.text();
        value.array = in_.text();
        value.space = in_.one_of(MemorySpace::local, "memory space");
        value.kind = in_.one_of(AccessKind::atomic, "access kind");
        value.role = in_.one_of(SiteRole::none, "site role");
        value.words = small(1, max_words, "words");
        value.vector_words = small(1, 4, "words per access");
        value.sub_word_bytes = small(0, 2, "bytes of a sub-word access");
        if (value.words % value.vector_words != 0 || value.vector_words == 3 ||
            (value.sub_word_bytes > 0 && value.vector_words > 1)) {
            in_.fail("words do not make whole accesses");
        }
        value.stage_id = small(INT32_MIN, INT32_MAX, "stage");
        value.read_only = in_.flag();
        value.thread_private = in_.flag();
        value.address = address_function(domain_, value.words, addresses(value.words));
        if (in_.flag()) {
            value.active = [lanes = predicate_function(domain_, 1, predicate(1))](const Coord& at) {
                return lanes(at, 0);
            };
        }
        if (in_.flag()) {
            value.word_active = predicate_function(domain_, value.words, predicate(value.words));
        }
        return value;
    }

    const auto& table() {
        if (pools_.tables.empty()) {
            in_.fail("no tables before the bodies");
        }
        return pools_.tables[in_.count(pools_.tables.size() - 1, "table")];
    }

    const ValueTable& values(std::size_t entries) {
        const auto* found = std::get_if<ValueTable>(&table());
        if (found == nullptr || found->values->size() != entries) {
            in_.fail("the table does not fit the site's threads and words");
        }
        return *found;
    }

    AddressTable addresses(int words) {
        AddressTable result;
        for (std::size_t d = 3; d < static_cast<std::size_t>(domain_.dimensions); ++d) {
            result.periods[d] = small(1, max_period, "period of an address");
        }
        const auto entries =
            result.phases() * static_cast<std::size_t>(domain_.threads()) * static_cast<std::size_t>(words);
        const auto& base = values(entries);
        result.base = base.values;
        auto reach = static_cast<double>(base.largest);
        for (int d = 0; d < domain_.dimensions; ++d) {
            const auto index = static_cast<std::size_t>(d);
            auto& stride = result.strides[index];
            std::int64_t largest = 0;
            if (in_.flag()) {
                const auto& list = values(entries);
                stride.table = list.values;
                largest = list.largest;
            } else {
                stride.uniform = in_.integer_in(-max_table_address, max_table_address, "stride");
                largest = std::abs(stride.uniform);
            }
            reach += static_cast<double>(largest) * static_cast<double>(domain_.extent[index] - 1);
        }
        if (reach > static_cast<double>(max_table_address)) {
            in_.fail("addresses beyond 2^56");
        }
        return result;
    }

    PredicateTable predicate(int words) {
        PredicateTable result;
        std::size_t combinations = 1;
        for (int d = 0; d < max_dimensions; ++d) {
            auto& starts = result.starts[static_cast<std::size_t>(d)];
            starts.push_back(0);
            if (d >= domain_.dimensions) {
                continue;
            }
            const auto extent = domain_.extent[static_cast<std::size_t>(d)];
            for (auto left = in_.count(max_list, "number of ranges"); left > 1; --left) {
                starts.push_back(starts.back() + in_.integer_in(1, max_trips, "length of a range"));
            }
            if (starts.back() >= extent) {
                in_.fail("a range of coordinates beyond the loop or grid");
            }
            combinations *= starts.size();
            if (combinations > in_.left()) {
                in_.fail("fewer tables than combinations of ranges");
            }
        }
        const auto bytes =
            (static_cast<std::size_t>(domain_.threads()) * static_cast<std::size_t>(words) + 7) / 8;
        for (; combinations > 0; --combinations) {
            const auto* found = std::get_if<BitTable>(&table());
            if (found == nullptr || (*found)->size() != bytes) {
                in_.fail("the table does not fit the predicate's threads and words");
            }
            result.bits.push_back(*found);
        }
        return result;
    }

    void check_sites(const Segment& segment) {
        for (const auto& instruction : segment.code) {
            if (instruction.site < 0) {
                continue;
            }
            const auto last = static_cast<std::size_t>(instruction.site) +
                              (instruction.access_kind == AccessKind::async_copy ? 1 : 0);
            if (last >= segment.sites.size()) {
                in_.fail("an instruction names a site that its segment does not have");
            }
            for (auto i = static_cast<std::size_t>(instruction.site); i <= last; ++i) {
                if (instruction.word + segment.sites[i].vector_words > segment.sites[i].words) {
                    in_.fail("an instruction names a word that its site does not have");
                }
            }
        }
    }

    ByteReader& in_;
    const KernelProgram& launch_;
    const TracePools& pools_;
    AccessDomain domain_;
    std::uint64_t copied_ = 0;
};

}  // namespace

BlockVariant read_body(ByteReader& in, const KernelProgram& launch, const TracePools& pools) {
    return BodyReader(in, launch, pools).read();
}

}  // namespace gpumodel
