#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "traces/trace/native/access_probe.h"
#include "traces/trace/native/documents.h"
#include "traces/trace/native/program_fields.h"
#include "traces/trace/trace_file.h"

namespace gpumodel {

namespace {

using nlohmann::json;

class ProgramWriter {
public:
    ProgramWriter(std::ostream& out, const TraceFile& trace, const std::string& name)
        : out_(out), trace_(trace), program_(trace.program), name_(name), documents_(name) {}

    void write() {
        launch();
        if (program_.variants.empty()) {
            body({{{0, 0, 0}, program_.grid}, program_.body});
        }
        for (const auto& variant : program_.variants) {
            body(variant);
        }
        if (instructions_ > max_trace_instructions) {
            faults_.push_back({name_, 0, 0, "",
                               fmt::format("{} instructions in all segments, at most {} are allowed",
                                           instructions_, max_trace_instructions)});
        }
        if (!faults_.empty()) {
            throw InputError(InputErrorKind::invalid_input, std::move(faults_));
        }
        documents_.write({{"end", json::object()}});
        documents_.finish(out_);
    }

private:
    void launch() {
        auto document = json::object();
        FieldWriter fields(document);
        launch_fields(fields, trace_);
        document["mnemonics"] = program_.mnemonics.names();
        document["has_variants"] = !program_.variants.empty();
        documents_.write({{"launch", std::move(document)}});
    }

    void body(const BlockVariant& variant) {
        const auto& box = variant.blocks;
        domain_ = AccessDomain{};
        domain_.first = {box.begin.x, box.begin.y, box.begin.z};
        domain_.extent = {box.end.x - box.begin.x, box.end.y - box.begin.y, box.end.z - box.begin.z};
        auto document = json::object();
        FieldWriter fields(document);
        fields.object("begin", box.begin, [](auto& f, auto& dim) { dim_fields(f, dim, {}, {}); });
        fields.object("end", box.end, [](auto& f, auto& dim) { dim_fields(f, dim, {}, {}); });
        if (variant.executed != Dim3{0, 0, 0}) {
            fields.object("executed", variant.executed,
                          [](auto& f, auto& dim) { dim_fields(f, dim, {}, {}); });
        }
        document["nodes"] = list(variant.body);
        documents_.write({{"body", std::move(document)}});
    }

    json list(const std::vector<Node>& nodes) {
        auto items = json::array();
        for (const auto& node : nodes) {
            items.push_back(std::visit([this](const auto& value) { return one(value); }, node));
        }
        return items;
    }

    json one(const Loop& loop) {
        auto object = json::object();
        FieldWriter fields(object);
        loop_fields(fields, loop);
        const auto level = static_cast<std::size_t>(domain_.dimensions);
        domain_.extent.at(level) = std::max<std::int64_t>(1, loop.trips);
        ++domain_.dimensions;
        object["nodes"] = list(loop.body);
        --domain_.dimensions;
        domain_.extent[level] = 0;
        return {{"loop", std::move(object)}};
    }

    json one(const Interval& interval) {
        auto object = json::object();
        FieldWriter fields(object);
        interval_fields(fields, interval);
        auto& segments = object["segments"] = json::array();
        for (const auto& item : interval.segments) {
            segments.push_back(segment(item));
        }
        return {{"interval", std::move(object)}};
    }

    json segment(const Segment& item) {
        auto object = json::object();
        FieldWriter fields(object);
        segment_fields(fields, item, program_.block.count());
        if (!item.code.empty()) {
            object["code"] = code(item.code.all());
        }
        domain_.thread_begin = item.thread_begin;
        domain_.thread_end = item.thread_end;
        auto& sites = object["sites"] = json::array();
        for (const auto& access : item.sites) {
            sites.push_back(site(access, item));
        }
        return object;
    }

    // What bodies refer to by number stands before them; equal entries are written once.
    std::size_t pooled(const char* kind, json entry) {
        json document{{kind, std::move(entry)}};
        auto& known = pools_[kind];
        const auto [found, added] = known.try_emplace(json::to_cbor(document), known.size());
        if (added) {
            documents_.write(document);
        }
        return found->second;
    }

    std::size_t code(const std::vector<Instruction>& instructions) {
        instructions_ += instructions.size();
        auto document = json::object();
        FieldWriter(document).list("instructions", instructions, instruction_fields);
        return pooled("code", std::move(document));
    }

    json site(const AccessSite& access, const Segment& owner) {
        auto object = json::object();
        FieldWriter fields(object);
        site_fields(fields, access);
        std::string reason;
        addresses(object, access, reason);
        const auto& lanes = access.active;
        if (lanes && reason.empty()) {
            object["lanes"] = predicate([&lanes](const Coord& at, int) { return lanes(at); }, 1, reason);
        }
        if (access.word_active && reason.empty()) {
            object["word_lanes"] = predicate(access.word_active, access.words, reason);
        }
        if (!reason.empty()) {
            faults_.push_back({name_, 0, 0, fmt::format("{}: {}", owner.name, access.name), reason});
        }
        return object;
    }

    void addresses(json& object, const AccessSite& access, std::string& reason) {
        const auto table = probe_addresses(access, domain_, reason);
        if (!table) {
            return;
        }
        const auto dimensions = static_cast<std::size_t>(domain_.dimensions);
        object["periods"] =
            std::vector<int>(table->periods.begin() + 3, table->periods.begin() + domain_.dimensions);
        object["base"] = values(*table->base);
        auto& strides = object["strides"] = json::array();
        for (std::size_t d = 0; d < dimensions; ++d) {
            const auto& stride = table->strides[d];
            strides.push_back(stride.table ? json{{"table", values(*stride.table)}} : json(stride.uniform));
        }
    }

    json predicate(const std::function<bool(const Coord&, int)>& active, int words, std::string& reason) {
        const auto table = probe_predicate(active, words, domain_, reason);
        if (!table) {
            return {};
        }
        auto ranges = json::array(), bits = json::array();
        for (int d = 0; d < domain_.dimensions; ++d) {
            ranges.push_back(table->starts[static_cast<std::size_t>(d)]);
        }
        for (const auto& entry : table->bits) {
            bits.push_back(pooled("bits", json::binary({entry->begin(), entry->end()})));
        }
        return {{"starts", std::move(ranges)}, {"bits", std::move(bits)}};
    }

    // Differences of neighbours: most tables are a few strides, which the packing then finds.
    std::size_t values(const std::vector<std::int64_t>& list) {
        auto entry = json::array();
        std::uint64_t last = 0;
        for (const auto value : list) {
            entry.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(value) - last));
            last = static_cast<std::uint64_t>(value);
        }
        return pooled("table", std::move(entry));
    }

    std::ostream& out_;
    const TraceFile& trace_;
    const KernelProgram& program_;
    const std::string& name_;
    DocumentWriter documents_;
    std::map<std::string, std::map<std::vector<std::uint8_t>, std::size_t>> pools_;
    AccessDomain domain_;
    std::uint64_t instructions_ = 0;
    std::vector<Diagnostic> faults_;
};

}  // namespace

void write_trace(std::ostream& out, const TraceFile& trace, const std::string& name) {
    ProgramWriter(out, trace, name).write();
}

}  // namespace gpumodel
