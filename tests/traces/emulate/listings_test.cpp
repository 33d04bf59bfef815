// Addresses of the committed listings against the families' access functions: every lane, every word.
#include <algorithm>
#include <catch2/catch.hpp>

#include "arch_specs/loader.h"
#include "tests/support/listing_files.h"
#include "tests/support/listing_launch.h"
#include "tests/traces/emulate/recording_sink.h"

using namespace gpumodel;

namespace {

int array_index(const std::string& family, const std::string& array) {
    const std::vector<std::string> names =
        family.rfind("aat_", 0) == 0 ? std::vector<std::string>{"A", "C"}
        : family.find("copy") != std::string::npos || family.rfind("transpose", 0) == 0
            ? std::vector<std::string>{"out", "in"}
            : std::vector<std::string>{"A", "B", "C"};
    const auto found = std::find(names.begin(), names.end(), array);
    return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

class FamilyWalk {
public:
    FamilyWalk(const std::string& family, const Dim3& block) : family_(family) {
        at_.block_x = block.x;
        at_.block_y = block.y;
    }

    void walk(const std::vector<Node>& nodes, std::size_t depth = 0) {
        for (const auto& node : nodes) {
            if (const auto* loop = std::get_if<Loop>(&node)) {
                for (at_.loop[depth] = 0; at_.loop[depth] < loop->trips; ++at_.loop[depth]) {
                    walk(loop->body, depth + 1);
                }
                at_.loop[depth] = 0;
                continue;
            }
            for (const auto& segment : std::get<Interval>(node).segments) {
                for (const auto& site : segment.sites) {
                    add(segment, site);
                }
            }
        }
    }

    WordAccesses words;

private:
    void add(const Segment& segment, const AccessSite& site) {
        if (site.thread_private) {
            return;
        }
        const int array = site.space == MemorySpace::shared ? -1 : array_index(family_, site.array);
        auto& list = words[{site.space, site.kind, array}];
        for (at_.thread = segment.thread_begin; at_.thread < segment.thread_end; ++at_.thread) {
            for (int w = 0; w < site.words; ++w) {
                if (site.is_active(at_, w)) {
                    list.push_back(site.address(at_, w));
                }
            }
        }
    }

    std::string family_;
    Coord at_;
};

const std::vector<Node>& body_of(const KernelProgram& program, const Dim3& block) {
    for (const auto& variant : program.variants) {
        const auto& box = variant.blocks;
        if (block.x >= box.begin.x && block.x < box.end.x && block.y >= box.begin.y && block.y < box.end.y) {
            return variant.body;
        }
    }
    return program.body;
}

// What the family knows nothing of: local memory, barriers behind its shared arrays, empty lists.
void drop_the_rest(WordAccesses& words, const WordAccesses& family) {
    std::int64_t last = -1;
    for (const auto& [key, list] : family) {
        if (std::get<0>(key) == MemorySpace::shared && !list.empty()) {
            last = std::max(last, list.back());
        }
    }
    for (auto entry = words.begin(); entry != words.end();) {
        auto& [key, list] = *entry;
        if (std::get<0>(key) == MemorySpace::shared) {
            list.erase(std::upper_bound(list.begin(), list.end(), last), list.end());
        }
        const bool drop = list.empty() || std::get<0>(key) == MemorySpace::local;
        entry = drop ? words.erase(entry) : std::next(entry);
    }
}

void check_block(const SassFunction& function, SassBlockSource& source, const ListingLaunch& listed,
                 const Dim3& block) {
    RecordingSink sink(source.code());
    source.run_block(block, sink);
    FamilyWalk family(listed.family, block);
    family.walk(body_of(listed.tile_level, block));
    sort_words(sink.words);
    sort_words(family.words);
    drop_the_rest(family.words, family.words);
    drop_the_rest(sink.words, family.words);
    INFO(function.arch << " " << function.name << " block " << block.x << "," << block.y);
    CHECK(sink.faults == std::vector<std::string>{});
    CHECK(source.notes() == std::vector<std::string>{});
    REQUIRE(sink.words.size() == family.words.size());
    for (const auto& [key, list] : family.words) {
        INFO(to_string(key) << ": family " << list.size() << " words, executed " << sink.words[key].size());
        CHECK(sink.words[key] == list);
    }
}

// Two blocks or more in each direction of the grid.
std::optional<ListingLaunch> smallest_launch(const std::string& mangled, const ArchSpec& arch) {
    for (const std::int64_t size : {64, 128}) {
        auto listed = listing_launch(mangled, arch, size);
        if (listed && listed->launch.grid.x > 1 && listed->launch.grid.count() > 2) {
            return listed;
        }
    }
    return listing_launch(mangled, arch, 256);
}

}  // namespace

TEST_CASE("every listed kernel accesses what its family says", "[slow]") {
    for (const auto& name : listing_archs) {
        const auto arch = load_arch(name);
        for (const auto& function : listing(name).functions) {
            const auto listed = smallest_launch(function.name, arch);
            if (!listed) {
                continue;
            }
            const auto source = make_sass_source(function, listed->launch);
            const auto& grid = listed->launch.grid;
            check_block(function, *source, *listed, {0, 0, 0});
            if (grid.count() > 1) {
                check_block(function, *source, *listed, {grid.x - 1, grid.y - 1, 0});
            }
        }
    }
}
