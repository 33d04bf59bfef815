#include "traces/trace/accelsim/accelsim_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <iterator>

#include "base/diagnostics.h"
#include "base/files/byte_stream.h"
#include "base/note.h"
#include "traces/trace/accelsim/accelsim_header.h"
#include "traces/trace/accelsim/accelsim_text.h"

namespace gpumodel {

namespace {

constexpr std::int64_t first_array = 0x7f4100000000;  // where CUDA's allocations lie on Linux
constexpr std::int64_t array_step = std::int64_t{1} << 30;
constexpr std::int64_t shared_base = 0x7f3f00000000;
constexpr std::int64_t local_base = 0x7f3f80000000;
constexpr double max_lines = 1e10;  // half a terabyte of text
constexpr std::size_t buffered = 1 << 16;

int warps_of(const KernelProgram& program) {
    return static_cast<int>((program.block.count() + 31) / 32);
}

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
    throw InputError(InputErrorKind::invalid_input, {{path, 0, 0, "", what}});
}

class Writer {
public:
    Writer(const TraceFile& trace, const std::string& path, int version)
        : program_(trace.program),
          version_(version),
          kepler_(version < 50),
          texts_(program_, kepler_),
          sink_(path) {
        auto next = first_array;
        for (const auto& array : program_.arrays) {
            bases_.push_back(next);
            next += (array.bytes + array_step) / array_step * array_step;
        }
    }

    AccelSimWritten write() {
        header();
        const auto& grid = program_.grid;
        for (Dim3 id{0, 0, 0}; id.z < grid.z; ++id.z) {
            for (id.y = 0; id.y < grid.y; ++id.y) {
                for (id.x = 0; id.x < grid.x; ++id.x) {
                    block(id);
                }
            }
        }
        flush();
        sink_.finish();
        if (dropped_ > 0) {
            written_.notes.push_back(
                noted(NoteId::trace_changed,
                      fmt::format("{} TEXDEPBAR left out: Accel-Sim does not know it", dropped_)));
        }
        if (added_ > 0) {
            written_.notes.push_back(noted(
                NoteId::trace_changed, fmt::format("{} EXIT added at the end of warps without one", added_)));
        }
        return std::move(written_);
    }

    [[nodiscard]] const std::vector<std::int64_t>& bases() const { return bases_; }

private:
    template <typename... Args>
    void print(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    }

    void flush() {
        sink_.write(text_);
        text_.clear();
    }

    void header() {
        const auto& use = program_.resources;
        print("-kernel name = {}\n-kernel id = 1\n", program_.kernel.empty() ? "kernel" : program_.kernel);
        print("-grid dim = ({},{},{})\n", program_.grid.x, program_.grid.y, program_.grid.z);
        print("-block dim = ({},{},{})\n", program_.block.x, program_.block.y, program_.block.z);
        print("-shmem = {}\n-nregs = {}\n", use.static_shared_bytes + use.dynamic_shared_bytes,
              use.registers_per_thread);
        print("-binary version = {}\n-cuda stream id = 0\n", version_);
        print("-shmem base_addr = 0x{:016x}\n-local mem base_addr = 0x{:016x}\n", shared_base, local_base);
        print("-nvbit version = none\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n");
        print(
            "#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width "
            "[adrrescompress?] [mem_addresses] immediate\n\n");
    }

    void block(const Dim3& id) {
        print("\n#BEGIN_TB\n\nthread block = {},{},{}\n", id.x, id.y, id.z);
        const auto& body = body_of(program_, id);
        for (int warp = 0; warp < warps_of(program_); ++warp) {
            plan(body, warp);
            print("\nwarp = {}\ninsts = {}\n", warp, lines_);
            written_.warp_instructions += lines_;
            walk_warp(body, id, warp, [&](const IssuedInstruction& issued) {
                line(issued, warp);
                return true;
            });
            if (open_ != 0) {
                print("{}{:08x} 0 EXIT 0 0 0 \n", texts_.exit_head(), open_);
            }
        }
        print("\n#END_TB\n");
    }

    // Number of lines of the warp, the segment in which each of its lanes ends, and the lanes that no EXIT
    // ends.
    void plan(const std::vector<Node>& body, int warp) {
        last_.fill(nullptr);
        double lines = 0;
        plan(body, warp, 1, lines);
        open_ = 0;
        for (std::size_t lane = 0; lane < last_.size(); ++lane) {
            const bool exists = warp * 32 + static_cast<int>(lane) < program_.block.count();
            const bool ends = last_.at(lane) != nullptr && !last_.at(lane)->code.empty() &&
                              texts_.of(*last_.at(lane)).back().exit;
            open_ |= exists && !ends ? 1U << lane : 0;
        }
        added_ += open_ != 0 ? 1 : 0;
        lines_ = static_cast<std::int64_t>(lines) + (open_ != 0 ? 1 : 0);
    }

    void plan(const std::vector<Node>& nodes, int warp, double trips, double& lines) {
        for (const auto& node : nodes) {
            if (const auto* loop = std::get_if<Loop>(&node)) {
                plan(loop->body, warp, trips * static_cast<double>(loop->trips), lines);
                continue;
            }
            for (const auto& segment : std::get<Interval>(node).segments) {
                const auto lanes = lanes_of(segment, warp);
                if (lanes == 0 || trips == 0) {
                    continue;
                }
                for (const auto& text : texts_.of(segment)) {
                    lines += text.dropped ? 0 : trips;
                }
                for (std::size_t lane = 0; lane < last_.size(); ++lane) {
                    last_.at(lane) = (lanes >> lane & 1) != 0 ? &segment : last_.at(lane);
                }
            }
        }
    }

    // An EXIT that others follow was not taken by their lanes.
    [[nodiscard]] std::uint32_t exit_lanes(const IssuedInstruction& issued) const {
        std::uint32_t mask = 0;
        const bool last = issued.index + 1 == issued.segment->code.size();
        for (std::size_t lane = 0; last && lane < last_.size(); ++lane) {
            mask |= last_.at(lane) == issued.segment ? 1U << lane : 0;
        }
        return mask & issued.lanes;
    }

    void line(const IssuedInstruction& issued, int warp) {
        const auto& text = texts_.of(*issued.segment)[issued.index];
        if (text.dropped) {
            ++dropped_;
            return;
        }
        const auto& instruction = issued.segment->code[issued.index];
        const bool memory = instruction.access_bytes > 0 && instruction.site >= 0;
        const auto mask = text.exit ? exit_lanes(issued) : active_lanes(issued, warp, address_);
        text_ += text.head;
        hex8(mask);
        text_ += text.tail;
        if (memory) {
            place(issued.segment->sites[static_cast<std::size_t>(instruction.site)], mask);
            append_addresses(text_, mask, address_);
        } else if (instruction.access_bytes > 0) {
            append_addresses(text_, 0, address_);
        }
        text_ += " 0 \n";
        if (text_.size() > buffered) {
            flush();
        }
    }

    void hex8(std::uint32_t value) {
        constexpr std::string_view digits = "0123456789abcdef";
        for (int shift = 28; shift >= 0; shift -= 4) {
            text_ += digits[value >> shift & 15];
        }
    }

    // Offsets in an array -> device addresses.
    void place(const AccessSite& site, std::uint32_t mask) {
        std::int64_t base = 0;
        if (site.space == MemorySpace::local || site.thread_private) {
            base = local_base;
        } else if (site.space == MemorySpace::global) {
            for (std::size_t i = 0; i < bases_.size(); ++i) {
                base = program_.arrays[i].name == site.array ? bases_[i] : base;
            }
        }
        for (std::size_t lane = 0; lane < address_.size(); ++lane) {
            address_[lane] += (mask >> lane & 1) != 0 ? base : 0;
        }
    }

    const KernelProgram& program_;
    int version_;
    bool kepler_;
    AccelSimTexts texts_;
    FileSink sink_;
    std::vector<std::int64_t> bases_;
    AccelSimWritten written_;
    std::string text_;
    std::array<std::int64_t, 32> address_{};
    std::array<const Segment*, 32> last_{};
    std::uint32_t open_ = 0;
    std::int64_t lines_ = 0, dropped_ = 0, added_ = 0;
};

int version_of(const TraceFile& trace, const std::string& path, std::vector<std::string>& notes) {
    int version = 0;
    const std::string_view arch = trace.arch;
    if (arch.starts_with("sm_")) {
        std::from_chars(arch.data() + 3, arch.data() + arch.size(), version);
    }
    if (!accelsim_isa(version)) {
        refuse(path,
               fmt::format(
                   "the trace is of architecture '{}'; what can be written: sm_35, sm_37, sm_50 and later",
                   arch));
    }
    // Accel-Sim's tables of opcodes: 35, 60, 61, 70, 75, 80, 86; it stops at others. Maxwell's instruction
    // set is Pascal's.
    constexpr std::array known_versions = {35, 60, 61, 70, 75, 80, 86};
    const auto* above = std::upper_bound(known_versions.begin(), known_versions.end(), version);
    const int known = version >= 50 && version < 60 ? 60 : *std::prev(above);
    if (known != version) {
        notes.push_back(noted(
            NoteId::trace_changed,
            fmt::format("written as binary version {}: Accel-Sim has no opcodes of sm_{}", known, version)));
    }
    return known;
}

void check_size(const KernelProgram& program, const std::string& path) {
    double lines = 0;
    const auto add = [&](const std::vector<Node>& body, std::int64_t blocks) {
        for (int warp = 0; warp < warps_of(program); ++warp) {
            lines += count_instructions(body, warp) * static_cast<double>(blocks);
        }
    };
    if (program.variants.empty()) {
        add(program.body, program.grid.count());
    }
    for (const auto& variant : program.variants) {
        add(variant.body, variant.blocks.count());
    }
    if (lines == 0) {
        refuse(path, "the program has no instructions");
    }
    if (lines > max_lines) {
        refuse(path, fmt::format("{:.3g} warp instructions, at most {:.0e} are written", lines, max_lines));
    }
}

void write_list(const std::string& path, const KernelProgram& program,
                const std::vector<std::int64_t>& bases) {
    FileSink sink(path);
    for (std::size_t i = 0; i < bases.size(); ++i) {
        sink.write(fmt::format("MemcpyHtoD,0x{:016x},{}\n", bases[i], program.arrays[i].bytes));
    }
    sink.write("kernel-1.traceg.xz\n");
    sink.finish();
}

}  // namespace

AccelSimWritten write_accelsim(const TraceFile& trace, const std::string& path) {
    const bool kernel_only = path.ends_with(".traceg") || path.ends_with(".traceg.xz");
    const auto file =
        kernel_only ? path : (std::filesystem::path(path).parent_path() / "kernel-1.traceg.xz").string();
    std::vector<std::string> notes;
    const int version = version_of(trace, path, notes);
    check_size(trace.program, path);
    Writer writer(trace, file, version);
    auto written = writer.write();
    written.files.push_back(file);
    if (!kernel_only) {
        write_list(path, trace.program, writer.bases());
        written.files.push_back(path);
    }
    written.notes.insert(written.notes.begin(), notes.begin(), notes.end());
    return written;
}

}  // namespace gpumodel
