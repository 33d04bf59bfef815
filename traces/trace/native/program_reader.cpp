#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <istream>

#include "base/diagnostics.h"
#include "traces/trace/native/body_reader.h"
#include "traces/trace/native/section_file.h"
#include "traces/trace/trace_file.h"

namespace gpumodel {

namespace {

// CUDA programming guide, technical specifications per compute capability.
constexpr std::int64_t max_grid_x = INT32_MAX;
constexpr std::int64_t max_grid_yz = 65535;
constexpr std::uint64_t max_mnemonics = 8192;  // compiled kernels name a few hundred
constexpr std::uint64_t max_list = 1 << 20;
constexpr std::int64_t max_bytes = std::int64_t{1} << 48;  // GPU virtual addresses have fewer bits

class ProgramReader {
public:
    ProgramReader(std::istream& in, const std::string& name) : sections_(in, name) {}

    TraceFile read() {
        bool has_variants = false;
        section("LNCH", [&](ByteReader& in) { has_variants = launch(in); });
        section("MNEM", [&](ByteReader& in) { mnemonics(in); });
        auto next = sections_.next();
        for (; next.tag == "CODE" || next.tag == "TABL"; next = sections_.next()) {
            parse(next, [&](ByteReader& in) {
                next.tag == "CODE" ? read_code(in, trace_.program.mnemonics.names().size(), pools_.code)
                                   : read_tables(in, pools_);
            });
        }
        for (; next.tag == "BODY"; next = sections_.next()) {
            parse(next, [&](ByteReader& in) { bodies_.push_back(read_body(in, trace_.program, pools_)); });
        }
        expect(next, "END ");
        parse(next, [&](ByteReader& in) { end(in); });
        sections_.expect_end();
        place_bodies(has_variants, next.offset);
        return std::move(trace_);
    }

private:
    template <typename Parser>
    void section(const std::string& tag, const Parser& parser) {
        const auto found = sections_.next();
        expect(found, tag);
        parse(found, parser);
    }

    void expect(const FileSection& found, const std::string& tag) const {
        if (found.tag != tag) {
            sections_.fail(found.offset, fmt::format("section '{}', expected '{}'", found.tag, tag));
        }
    }

    template <typename Parser>
    void parse(const FileSection& found, const Parser& parser) {
        ByteReader in(found.content);
        try {
            parser(in);
            in.expect_end();
        } catch (const ByteFault& fault) {
            sections_.fail(found.offset, fmt::format("section '{}', byte {} of its content: {}", found.tag,
                                                     fault.offset, fault.message));
        }
    }

    bool launch(ByteReader& in) {
        auto& program = trace_.program;
        trace_.arch = in.text();
        trace_.source = in.text();
        program.kernel = in.text();
        program.params = in.text();
        program.m = in.integer_in(0, max_bytes, "M");
        program.n = in.integer_in(0, max_bytes, "N");
        program.k = in.integer_in(0, max_bytes, "K");
        program.grid.x = in.integer_in(1, max_grid_x, "grid x");
        program.grid.y = in.integer_in(1, max_grid_yz, "grid y");
        program.grid.z = in.integer_in(1, max_grid_yz, "grid z");
        program.block.x = in.integer_in(1, max_block_threads, "block x");
        program.block.y = in.integer_in(1, max_block_threads, "block y");
        program.block.z = in.integer_in(1, max_block_threads, "block z");
        if (program.block.count() > max_block_threads) {
            in.fail(fmt::format("{} threads per block, at most {} are allowed", program.block.count(),
                                max_block_threads));
        }
        resources(in);
        for (auto left = in.count(max_list, "number of arrays"); left > 0; --left) {
            ArrayUse array;
            array.name = in.text();
            array.bytes = in.integer_in(0, max_bytes, "bytes of an array");
            array.read = in.flag();
            array.written = in.flag();
            program.arrays.push_back(std::move(array));
        }
        program.accumulators = static_cast<int>(in.integer_in(0, INT32_MAX, "accumulators"));
        program.c_is_read = in.flag();
        program.flops = not_negative(in);
        program.effective_bytes = not_negative(in);
        for (auto left = in.count(max_list, "number of notes"); left > 0; --left) {
            program.notes.push_back(in.text());
        }
        return in.flag();
    }

    static double not_negative(ByteReader& in) {
        const double value = in.real();
        if (value < 0) {
            in.fail("a negative count");
        }
        return value;
    }

    void resources(ByteReader& in) {
        auto& use = trace_.program.resources;
        use.threads = static_cast<int>(in.integer_in(0, max_block_threads, "threads per block"));
        if (use.threads != trace_.program.block.count()) {
            in.fail(fmt::format("{} threads per block do not make a block of {}", use.threads,
                                trace_.program.block.count()));
        }
        use.registers_per_thread = static_cast<int>(in.integer_in(0, 4096, "registers per thread"));
        use.registers_estimated = in.flag();
        use.registers_source = in.text();
        use.static_shared_bytes = in.integer_in(0, INT32_MAX, "static shared bytes");
        use.dynamic_shared_bytes = in.integer_in(0, INT32_MAX, "dynamic shared bytes");
        use.barriers = static_cast<int>(in.integer_in(0, 64, "barriers"));
    }

    void mnemonics(ByteReader& in) {
        const auto count = in.count(max_mnemonics, "number of mnemonics");
        for (std::uint64_t i = 0; i < count; ++i) {
            if (trace_.program.mnemonics.intern(in.text()) != i) {
                in.fail("a mnemonic stands twice in the table");
            }
        }
    }

    void end(ByteReader& in) {
        const auto check = [&](std::size_t have, std::string_view what) {
            if (const auto count = in.number(); count != have) {
                in.fail(fmt::format("{} {} stated, {} found", count, what, have));
            }
        };
        check(pools_.code.size(), "instructions");
        check(pools_.tables.size(), "tables");
        check(bodies_.size(), "bodies");
    }

    void place_bodies(bool has_variants, std::uint64_t offset) {
        if (bodies_.empty()) {
            sections_.fail(offset, "no body");
        }
        auto& program = trace_.program;
        if (!has_variants && bodies_.size() != 1) {
            sections_.fail(offset, "several bodies, but no variants");
        }
        check_partition(offset);
        const auto most = std::max_element(bodies_.begin(), bodies_.end(), [](const auto& a, const auto& b) {
            return a.blocks.count() < b.blocks.count();
        });
        program.body = most->body;
        if (has_variants) {
            program.variants = std::move(bodies_);
        }
    }

    // Boxes of the grid whose sizes add up to it and that do not overlap.
    void check_partition(std::uint64_t offset) const {
        std::vector<const BlockBox*> boxes;
        double blocks = 0;
        for (const auto& variant : bodies_) {
            boxes.push_back(&variant.blocks);
            blocks += static_cast<double>(variant.blocks.count());
        }
        bool apart = blocks == static_cast<double>(trace_.program.grid.count());
        constexpr std::size_t pairs_checked = 4096;  // boxes; more would take seconds
        for (std::size_t i = 0; apart && boxes.size() <= pairs_checked && i < boxes.size(); ++i) {
            for (std::size_t j = 0; apart && j < i; ++j) {
                apart = !overlap(*boxes[i], *boxes[j]);
            }
        }
        if (!apart) {
            sections_.fail(offset, "the bodies' boxes do not partition the grid");
        }
    }

    static bool overlap(const BlockBox& a, const BlockBox& b) {
        return a.begin.x < b.end.x && b.begin.x < a.end.x && a.begin.y < b.end.y && b.begin.y < a.end.y &&
               a.begin.z < b.end.z && b.begin.z < a.end.z;
    }

    SectionReader sections_;
    TraceFile trace_;
    TracePools pools_;
    std::vector<BlockVariant> bodies_;
};

}  // namespace

TraceFile read_trace(std::istream& in, const std::string& name) {
    return ProgramReader(in, name).read();
}

}  // namespace gpumodel
