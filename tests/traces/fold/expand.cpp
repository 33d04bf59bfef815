#include "tests/traces/fold/expand.h"

#include <fmt/format.h>

#include <algorithm>

using namespace gpumodel;

namespace {

class Expander {
public:
    Expander(const Dim3& block, int warps) : warps_(static_cast<std::size_t>(warps)) {
        at_.block_x = block.x;
        at_.block_y = block.y;
        at_.block_z = block.z;
    }
    void walk(const std::vector<Node>& nodes, std::size_t depth) {
        for (const auto& node : nodes) {
            if (const auto* loop = std::get_if<Loop>(&node)) {
                for (at_.loop.at(depth) = 0; at_.loop[depth] < loop->trips; ++at_.loop[depth]) {
                    walk(loop->body, depth + 1);
                }
                at_.loop[depth] = 0;
                continue;
            }
            for (const auto& segment : std::get<Interval>(node).segments) {
                for (int thread = segment.thread_begin; thread < segment.thread_end; thread += 32) {
                    run(segment, thread);
                }
            }
        }
    }
    std::vector<WarpIssue> warps_;

private:
    void run(const Segment& segment, int first) {
        for (const auto& instruction : segment.code) {
            Issued issued;
            issued.instruction_address = instruction.address;
            if (instruction.site >= 0) {
                add(segment, static_cast<std::size_t>(instruction.site), first, issued);
                if (instruction.access_kind == AccessKind::async_copy) {
                    add(segment, static_cast<std::size_t>(instruction.site) + 1, first, issued);
                }
            }
            warps_[static_cast<std::size_t>(first / 32)].push_back(issued);
        }
    }
    void add(const Segment& segment, std::size_t index, int first, Issued& issued) {
        const auto& site = segment.sites.at(index);
        std::uint32_t active = 0;
        std::array<std::int64_t, 32> address{};
        for (int t = first; t < std::min(first + 32, segment.thread_end); ++t) {
            at_.thread = t;
            if (site.is_active(at_, 0)) {
                active |= 1U << static_cast<unsigned>(t - first);
                address[static_cast<std::size_t>(t - first)] = site.address(at_, 0);
            }
        }
        issued.active.push_back(active);
        issued.address.push_back(address);
        issued.array.push_back(site.array);
    }
    Coord at_;
};

class Recorder : public WarpSink {
public:
    Recorder(const StaticCode& code, const LaunchContext& launch)
        : code_(code),
          launch_(launch),
          warps_(static_cast<std::size_t>((launch.block.count() + 31) / 32)),
          first_(warps_.size()) {}
    void straight(int warp, int begin, int end, std::uint32_t /*active*/) override {
        auto& issue = warps_.at(static_cast<std::size_t>(warp));
        first_[static_cast<std::size_t>(warp)] = issue.size() - static_cast<std::size_t>(begin);
        for (int i = begin; i < end; ++i) {
            issue.push_back({code_.instructions[static_cast<std::size_t>(i)].address, {}, {}, {}});
        }
    }
    void access(int warp, const AccessEvent& e) override {
        auto& issued = warps_[static_cast<std::size_t>(warp)].at(first_[static_cast<std::size_t>(warp)] +
                                                                 static_cast<std::size_t>(e.instruction));
        add(issued, e.active, e.address,
            e.space == MemorySpace::shared  ? "shared"
            : e.space == MemorySpace::local ? "local"
            : e.array < 0                   ? "unknown"
                                            : launch_.arrays.at(static_cast<std::size_t>(e.array)).name);
        if (code_.instructions[static_cast<std::size_t>(e.instruction)].access_kind ==
            AccessKind::async_copy) {
            add(issued, e.active, e.shared_address, "shared");
        }
    }
    std::vector<WarpIssue> take() { return std::move(warps_); }

private:
    static void add(Issued& issued, std::uint32_t active, std::array<std::int64_t, 32> address,
                    const std::string& array) {
        for (unsigned lane = 0; lane < 32; ++lane) {
            address[lane] = ((active >> lane) & 1U) != 0 ? address[lane] : 0;
        }
        issued.active.push_back(active);
        issued.address.push_back(address);
        issued.array.push_back(array);
    }
    const StaticCode& code_;
    const LaunchContext& launch_;
    std::vector<WarpIssue> warps_;
    std::vector<std::size_t> first_;
};

}  // namespace

const std::vector<Node>& body_of(const KernelProgram& program, const Dim3& block) {
    const auto inside = [](std::int64_t at, std::int64_t begin, std::int64_t end) {
        return begin <= at && at < end;
    };
    for (const auto& variant : program.variants) {
        const auto& b = variant.blocks;
        if (inside(block.x, b.begin.x, b.end.x) && inside(block.y, b.begin.y, b.end.y) &&
            inside(block.z, b.begin.z, b.end.z)) {
            return variant.body;
        }
    }
    return program.body;
}

std::vector<WarpIssue> expand(const KernelProgram& program, const Dim3& block) {
    Expander expander(block, static_cast<int>((program.block.count() + 31) / 32));
    expander.walk(body_of(program, block), 0);
    return std::move(expander.warps_);
}

std::vector<WarpIssue> execute(BlockSource& source, const LaunchContext& launch, const Dim3& block) {
    Recorder recorder(source.code(), launch);
    source.run_block(block, recorder);
    return recorder.take();
}

std::string difference(const KernelProgram& program, BlockSource& source, const LaunchContext& launch,
                       const Dim3& block) {
    const auto folded = expand(program, block);
    const auto real = execute(source, launch, block);
    const auto place = fmt::format("block ({},{},{})", block.x, block.y, block.z);
    for (std::size_t w = 0; w < real.size(); ++w) {
        if (folded.at(w).size() != real[w].size()) {
            return fmt::format("{} warp {}: {} instructions instead of {}", place, w, folded[w].size(),
                               real[w].size());
        }
        for (std::size_t i = 0; i < real[w].size(); ++i) {
            if (!(folded[w][i] == real[w][i])) {
                return fmt::format(
                    "{} warp {} instruction {}: 0x{:x} instead of 0x{:x}, or other lanes or "
                    "addresses",
                    place, w, i, folded[w][i].instruction_address, real[w][i].instruction_address);
            }
        }
    }
    return "";
}

std::string difference_in_all_blocks(const KernelProgram& program, BlockSource& source,
                                     const LaunchContext& launch) {
    for (std::int64_t z = 0; z < launch.grid.z; ++z) {
        for (std::int64_t y = 0; y < launch.grid.y; ++y) {
            for (std::int64_t x = 0; x < launch.grid.x; ++x) {
                const auto text = difference(program, source, launch, {x, y, z});
                if (!text.empty()) {
                    return text;
                }
            }
        }
    }
    return "";
}
