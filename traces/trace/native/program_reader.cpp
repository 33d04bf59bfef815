#include "traces/trace/native/program_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <istream>
#include <streambuf>

#include "traces/trace/native/body_reader.h"
#include "traces/trace/native/documents.h"
#include "traces/trace/native/program_fields.h"

namespace gpumodel {

namespace {

using nlohmann::json;

constexpr std::size_t max_mnemonics = 8192;  // compiled kernels name a few hundred

class ProgramReader {
public:
    ProgramReader(std::streambuf& bytes, const std::string& name) : documents_(bytes, name) {}

    TraceFile read() {
        try {
            for (auto document = documents_.next(); one(document); document = documents_.next()) {
            }
            documents_.expect_end();
            place_bodies();
        } catch (const FieldFault& fault) {
            documents_.fail(fault.path, fault.message);
        }
        return std::move(trace_);
    }

private:
    // A document has one field, whose key says what it is. False for the last one.
    bool one(const json& document) {
        if (!document.is_object() || document.size() != 1) {
            throw FieldFault{"", "a document that is no object of one field"};
        }
        const auto& kind = document.begin().key();
        const auto& value = document.begin().value();
        if (!has_launch_ && kind != "launch") {
            throw FieldFault{kind, "stands before the launch"};
        }
        if (kind == "launch" && !has_launch_) {
            launch(value);
        } else if (kind == "code") {
            read_code(value, trace_.program.mnemonics.names().size(), pools_);
        } else if (kind == "table") {
            read_table(value, pools_);
        } else if (kind == "bits") {
            read_bits(value, pools_);
        } else if (kind == "body") {
            bodies_.push_back(read_body(value, trace_.program, pools_));
        } else if (kind != "end") {
            throw FieldFault{kind, "is not known here"};
        }
        return kind != "end";
    }

    void launch(const json& value) {
        FieldReader fields(value, "launch");
        launch_fields(fields, trace_);
        auto& program = trace_.program;
        const auto threads = program.block.count();
        if (threads > max_block_threads || threads != program.resources.threads) {
            fields.fail("block",
                        fmt::format("{} threads, at most {} and those of the resources ({}) are allowed",
                                    threads, max_block_threads, program.resources.threads));
        }
        std::vector<std::string> names;
        fields.texts("mnemonics", names);
        for (const auto& text : names) {
            if (program.mnemonics.intern(text) + std::size_t{1} != program.mnemonics.names().size() ||
                program.mnemonics.names().size() > max_mnemonics) {
                fields.fail("mnemonics", fmt::format("'{}' stands there twice, or more than {} names", text,
                                                     max_mnemonics));
            }
        }
        fields.flag("has_variants", has_variants_);
        fields.expect_all_read();
        has_launch_ = true;
    }

    void place_bodies() {
        if (bodies_.empty() || (!has_variants_ && bodies_.size() != 1)) {
            throw FieldFault{"body", fmt::format("{} of them", bodies_.size())};
        }
        check_partition();
        const auto most = std::max_element(bodies_.begin(), bodies_.end(), [](const auto& a, const auto& b) {
            return a.blocks.count() < b.blocks.count();
        });
        auto& program = trace_.program;
        program.body = most->body;
        if (has_variants_) {
            program.variants = std::move(bodies_);
        }
    }

    // Boxes of the grid whose sizes add up to it and that do not overlap.
    void check_partition() const {
        double blocks = 0;
        for (const auto& variant : bodies_) {
            blocks += static_cast<double>(variant.blocks.count());
        }
        bool apart = blocks == static_cast<double>(trace_.program.grid.count());
        constexpr std::size_t pairs_checked = 4096;  // boxes; more would take seconds
        for (std::size_t i = 0; apart && bodies_.size() <= pairs_checked && i < bodies_.size(); ++i) {
            for (std::size_t j = 0; apart && j < i; ++j) {
                apart = !overlap(bodies_[i].blocks, bodies_[j].blocks);
            }
        }
        if (!apart) {
            throw FieldFault{"body", "the bodies' boxes do not partition the grid"};
        }
    }

    static bool overlap(const BlockBox& a, const BlockBox& b) {
        return a.begin.x < b.end.x && b.begin.x < a.end.x && a.begin.y < b.end.y && b.begin.y < a.end.y &&
               a.begin.z < b.end.z && b.begin.z < a.end.z;
    }

    DocumentReader documents_;
    TraceFile trace_;
    TracePools pools_;
    std::vector<BlockVariant> bodies_;
    bool has_launch_ = false;
    bool has_variants_ = false;
};

}  // namespace

TraceFile read_program(std::streambuf& documents, const std::string& name) {
    return ProgramReader(documents, name).read();
}

TraceFile read_trace(std::istream& in, const std::string& name) {
    const auto documents = unpack_documents(in, name);
    return read_program(*documents, name);
}

}  // namespace gpumodel
