#include <sstream>

#include "base/diagnostics.h"
#include "traces/trace/accelsim/accelsim_reader.h"
#include "traces/trace/native/program_reader.h"
#include "traces/trace/trace_file.h"

namespace gpumodel {

namespace {

std::int64_t touch_site(const AccessSite& site, const Segment& segment, Coord at) {
    std::int64_t sum = 0;
    for (const int thread : {segment.thread_begin, segment.thread_end - 1}) {
        at.thread = thread;
        for (const int word : {0, site.words - 1}) {
            sum ^= site.is_active(at, word) ? site.address(at, word) : 0;
        }
    }
    return sum;
}

std::int64_t touch(const std::vector<Node>& nodes, Coord at, std::size_t depth) {
    std::int64_t sum = 0;
    for (const auto& node : nodes) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            at.loop.at(depth) = loop->trips > 0 ? loop->trips - 1 : 0;
            sum ^= touch(loop->body, at, depth + 1);
            continue;
        }
        for (const auto& segment : std::get<Interval>(node).segments) {
            for (const auto& site : segment.sites) {
                sum ^= touch_site(site, segment, at);
            }
        }
    }
    return sum;
}

template <typename Reader>
void read_and_touch(const Reader& reader) {
    try {
        const TraceFile trace = reader();
        const auto& grid = trace.program.grid;
        static_cast<void>(touch(trace.program.body, {grid.x - 1, grid.y - 1, grid.z - 1, {}, 0}, 0));
    } catch (const InputError&) {
        // A refused file is a correct answer.
    }
}

}  // namespace

// Mutations of a whole file end at a checksum. So the same bytes are also taken as documents without packing.
int fuzz_trace_file(const std::uint8_t* data, std::size_t size) {
    const std::string bytes(data, data + size);
    read_and_touch([&] {
        std::istringstream in(bytes);
        return read_trace(in, "fuzz");
    });
    read_and_touch([&] {
        std::stringbuf documents(bytes);
        return read_program(documents, "fuzz");
    });
    return 0;
}

namespace {

class Ignore : public WarpSink {
public:
    void straight(int /*warp*/, int /*begin*/, int /*end*/, std::uint32_t /*active*/) override {}
    void access(int /*warp*/, const AccessEvent& /*event*/) override {}
};

}  // namespace

int fuzz_accelsim(const std::uint8_t* data, std::size_t size) {
    const std::string text(data, data + size);
    try {
        const auto trace = open_accelsim_text(text, "fuzz", {{0x7f4100000000, 4096}}, {true});
        Ignore sink;
        trace->run_block({0, 0, 0}, sink);
        static_cast<void>(fold_program(*trace, trace->launch(), {2, 1000, 4}));
    } catch (const InputError&) {
        // A refused trace is a correct answer.
    }
    return 0;
}

}  // namespace gpumodel
