#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "base/diagnostics.h"
#include "traces/trace/native/access_probe.h"
#include "traces/trace/native/body_reader.h"
#include "traces/trace/native/instruction_bytes.h"
#include "traces/trace/native/section_pool.h"
#include "traces/trace/trace_file.h"

namespace gpumodel {

namespace {

class ProgramWriter {
public:
    ProgramWriter(std::ostream& out, const TraceFile& trace, const std::string& name)
        : trace_(trace), program_(trace.program), name_(name), sections_(out, name) {}

    void write() {
        launch();
        mnemonics();
        std::vector<std::string> bodies;
        if (program_.variants.empty()) {
            bodies.push_back(body({{0, 0, 0}, program_.grid}, program_.body));
        }
        for (const auto& variant : program_.variants) {
            bodies.push_back(body(variant.blocks, variant.body));
        }
        if (instructions_ > max_trace_instructions) {
            faults_.push_back({name_, 0, 0, "",
                               fmt::format("{} instructions in all segments, at most {} are allowed",
                                           instructions_, max_trace_instructions)});
        }
        if (!faults_.empty()) {
            throw InputError(InputErrorKind::invalid_input, std::move(faults_));
        }
        code_.flush();
        tables_.flush();
        for (const auto& bytes : bodies) {
            sections_.write("BODY", bytes);
        }
        end(bodies.size());
    }

private:
    void launch() {
        ByteWriter out;
        out.text(trace_.arch);
        out.text(trace_.source);
        out.text(program_.kernel);
        out.text(program_.params);
        for (const auto value : {program_.m, program_.n, program_.k}) {
            out.integer(value);
        }
        dim(out, program_.grid);
        dim(out, program_.block);
        resources(out);
        out.number(program_.arrays.size());
        for (const auto& array : program_.arrays) {
            out.text(array.name);
            out.integer(array.bytes);
            out.flag(array.read);
            out.flag(array.written);
        }
        out.integer(program_.accumulators);
        out.flag(program_.c_is_read);
        out.real(program_.flops);
        out.real(program_.effective_bytes);
        out.number(program_.notes.size());
        for (const auto& note : program_.notes) {
            out.text(note);
        }
        out.flag(!program_.variants.empty());
        sections_.write("LNCH", out.bytes());
    }

    static void dim(ByteWriter& out, const Dim3& value) {
        out.integer(value.x);
        out.integer(value.y);
        out.integer(value.z);
    }

    void resources(ByteWriter& out) const {
        const auto& use = program_.resources;
        out.integer(use.threads);
        out.integer(use.registers_per_thread);
        out.flag(use.registers_estimated);
        out.text(use.registers_source);
        out.integer(use.static_shared_bytes);
        out.integer(use.dynamic_shared_bytes);
        out.integer(use.barriers);
    }

    void mnemonics() {
        ByteWriter out;
        out.number(program_.mnemonics.names().size());
        for (const auto& text : program_.mnemonics.names()) {
            out.text(text);
        }
        sections_.write("MNEM", out.bytes());
    }

    std::string body(const BlockBox& box, const std::vector<Node>& nodes) {
        domain_ = AccessDomain{};
        domain_.first = {box.begin.x, box.begin.y, box.begin.z};
        domain_.extent = {box.end.x - box.begin.x, box.end.y - box.begin.y, box.end.z - box.begin.z};
        ByteWriter out;
        dim(out, box.begin);
        dim(out, box.end);
        list(out, nodes);
        return out.take();
    }

    void list(ByteWriter& out, const std::vector<Node>& nodes) {
        out.number(nodes.size());
        for (const auto& node : nodes) {
            out.flag(std::holds_alternative<Loop>(node));
            std::visit([&](const auto& value) { one(out, value); }, node);
        }
    }

    void one(ByteWriter& out, const Loop& loop) {
        out.text(loop.name);
        out.integer(loop.trips);
        out.integer(loop.unroll);
        const auto level = static_cast<std::size_t>(domain_.dimensions);
        domain_.extent.at(level) = std::max<std::int64_t>(1, loop.trips);
        ++domain_.dimensions;
        list(out, loop.body);
        --domain_.dimensions;
        domain_.extent[level] = 0;
    }

    void one(ByteWriter& out, const Interval& interval) {
        out.flag(interval.barrier_after);
        out.flag(interval.warp_barrier_after);
        out.number(interval.segments.size());
        for (const auto& item : interval.segments) {
            segment(out, item);
        }
    }

    void segment(ByteWriter& out, const Segment& item) {
        out.text(item.name);
        out.integer(item.thread_begin);
        out.integer(item.thread_end);
        for (const double count : item.ops) {
            out.real(count);
        }
        for (const double count : item.lane_ops) {
            out.real(count);
        }
        out.real(item.shared_barrier_operations);
        out.real(item.dependency.serial_global_loads);
        out.real(item.dependency.serial_shared_loads);
        out.real(item.dependency.ilp);
        out.real(item.dependency.prefetched_global_loads);
        out.integer(item.product.r);
        out.integer(item.product.s);
        out.integer(item.product.steps);
        out.flag(item.product.a_along_k);
        ByteWriter code;
        for (const auto& instruction : item.code) {
            write_instruction(code, instruction);
        }
        instructions_ += item.code.size();
        out.number(item.code.size());
        out.number(item.code.empty() ? 0 : code_.add(code.take(), item.code.size()));
        domain_.thread_begin = item.thread_begin;
        domain_.thread_end = item.thread_end;
        out.number(item.sites.size());
        for (const auto& access : item.sites) {
            site(out, access, item);
        }
    }

    void site(ByteWriter& out, const AccessSite& access, const Segment& owner) {
        out.text(access.name);
        out.text(access.array);
        out.u8(static_cast<unsigned>(access.space));
        out.u8(static_cast<unsigned>(access.kind));
        out.u8(static_cast<unsigned>(access.role));
        out.integer(access.words);
        out.integer(access.vector_words);
        out.integer(access.sub_word_bytes);
        out.integer(access.stage_id);
        out.flag(access.read_only);
        out.flag(access.thread_private);
        std::string reason;
        addresses(out, access, reason);
        const auto& lanes = access.active;
        predicate(out,
                  lanes ? [&lanes](const Coord& at, int) { return lanes(at); }
                        : std::function<bool(const Coord&, int)>(),
                  1, reason);
        predicate(out, access.word_active, access.words, reason);
        if (!reason.empty()) {
            faults_.push_back({name_, 0, 0, fmt::format("{}: {}", owner.name, access.name), reason});
        }
    }

    void addresses(ByteWriter& out, const AccessSite& access, std::string& reason) {
        const auto table = probe_addresses(access, domain_, reason);
        if (!table) {
            return;
        }
        for (int d = 3; d < domain_.dimensions; ++d) {
            out.integer(table->periods[static_cast<std::size_t>(d)]);
        }
        out.number(values(*table->base));
        for (int d = 0; d < domain_.dimensions; ++d) {
            const auto& stride = table->strides[static_cast<std::size_t>(d)];
            out.flag(stride.table != nullptr);
            if (stride.table) {
                out.number(values(*stride.table));
            } else {
                out.integer(stride.uniform);
            }
        }
    }

    void predicate(ByteWriter& out, const std::function<bool(const Coord&, int)>& active, int words,
                   std::string& reason) {
        out.flag(static_cast<bool>(active));
        if (!active || !reason.empty()) {
            return;
        }
        const auto table = probe_predicate(active, words, domain_, reason);
        if (!table) {
            return;
        }
        for (int d = 0; d < domain_.dimensions; ++d) {
            const auto& starts = table->starts[static_cast<std::size_t>(d)];
            out.number(starts.size());
            for (std::size_t i = 1; i < starts.size(); ++i) {
                out.integer(starts[i] - starts[i - 1]);
            }
        }
        for (const auto& bits : table->bits) {
            ByteWriter entry;
            entry.u8('b');
            entry.number(bits->size());
            entry.raw(*bits);
            out.number(tables_.add(entry.take(), 1));
        }
    }

    // Differences of neighbours: most tables are a few strides, which deflate then finds.
    std::uint64_t values(const std::vector<std::int64_t>& list) {
        ByteWriter entry;
        entry.u8('i');
        entry.number(list.size());
        std::uint64_t last = 0;
        for (const auto value : list) {
            entry.integer(static_cast<std::int64_t>(static_cast<std::uint64_t>(value) - last));
            last = static_cast<std::uint64_t>(value);
        }
        return tables_.add(entry.take(), 1);
    }

    void end(std::size_t bodies) {
        ByteWriter out;
        out.number(code_.size());
        out.number(tables_.size());
        out.number(bodies);
        sections_.write("END ", out.bytes());
    }

    const TraceFile& trace_;
    const KernelProgram& program_;
    const std::string& name_;
    SectionWriter sections_;
    SectionPool code_{sections_, "CODE"};
    SectionPool tables_{sections_, "TABL"};
    AccessDomain domain_;
    std::uint64_t instructions_ = 0;
    std::vector<Diagnostic> faults_;
};

}  // namespace

void write_trace(std::ostream& out, const TraceFile& trace, const std::string& name) {
    ProgramWriter(out, trace, name).write();
}

}  // namespace gpumodel
