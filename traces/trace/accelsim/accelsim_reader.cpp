#include "traces/trace/accelsim/accelsim_reader.h"

#include <fmt/format.h>

#include <bit>
#include <unordered_map>

#include "base/note.h"
#include "traces/trace/accelsim/accelsim_block.h"
#include "traces/trace/accelsim/accelsim_code.h"
#include "traces/trace/accelsim/accelsim_header.h"
#include "traces/trace/accelsim/accelsim_limits.h"
#include "traces/trace/accelsim/accelsim_memory.h"
#include "traces/trace/accelsim/line_reader.h"
#include "traces/trace/warp_runs.h"

namespace gpumodel {

namespace {

struct StoredBlock {
    std::string packed;
    int first_line = 0;  // of its #BEGIN_TB
};

class Reader : public AccelSimTrace, private AccelSimBlockHandler {
public:
    Reader(ByteSource& bytes, std::string name, const std::vector<AccelSimAllocation>& allocations,
           const AccelSimOptions& options)
        : name_(std::move(name)), header_reader_(name_) {
        LineReader lines(bytes, 0);
        try {
            read(lines, allocations);
        } catch (const DamagedBytes& damage) {
            fault(lines.number(), "", damage.what());
        }
        finish(lines.number(), options);
    }

    const StaticCode& code() const override { return code_.code; }
    const LaunchContext& launch() const override { return launch_; }
    const std::string& arch() const override { return arch_; }
    const AccelSimTotals& totals() const override { return totals_; }
    const std::vector<std::string>& notes() const override { return code_.notes; }

    void run_block(const Dim3& id, WarpSink& sink) override {
        const auto found = blocks_.find(index_of(id));
        if (found == blocks_.end()) {
            throw InputError(InputErrorKind::invalid_input,
                             {{name_, 0, 0, "thread block",
                               fmt::format("{},{},{} is not in the trace", id.x, id.y, id.z)}});
        }
        ByteSource bytes(found->second.packed, Packing::zstd);
        LineReader lines(bytes, found->second.first_line);
        WarpRuns runs(sink, launch_.block.count());
        sink_ = &runs;
        AccelSimBlockParser parser(*table_, *this, name_, launch_.grid, launch_.block.count(), faults_);
        parser.begin(lines.number());
        for (std::string_view line; lines.next(line);) {
            parser.line(line, lines.number());
        }
        runs.flush();
        sink_ = nullptr;
    }

private:
    void fault(int number, const std::string& key, const std::string& message) {
        faults_.push_back({name_, number, 0, key, message});
    }

    [[nodiscard]] std::int64_t index_of(const Dim3& id) const {
        return (id.z * launch_.grid.y + id.y) * launch_.grid.x + id.x;
    }

    void read(LineReader& lines, const std::vector<AccelSimAllocation>& allocations) {
        std::string_view line;
        read_header(lines, line, allocations);
        if (table_) {
            read_blocks(lines, line);
        } else if (faults_.size() < most_faults) {
            fault(lines.number(), "header", "the file ends in the header");
        }
    }

    // Up to the line that begins with '#', which stays in `line`.
    void read_header(LineReader& lines, std::string_view& line,
                     const std::vector<AccelSimAllocation>& allocations) {
        while (faults_.size() < most_faults && lines.next(line)) {
            if (line.starts_with('#')) {
                start(lines.number(), allocations);
                return;
            }
            if (line.starts_with('-')) {
                header_reader_.line(line, lines.number(), faults_);
            } else if (!blank(line)) {
                fault(lines.number(), "header", "expected '-key = value' or the line '#traces format'");
            }
        }
    }

    void read_blocks(LineReader& lines, std::string_view line) {
        AccelSimBlockParser parser(*table_, *this, name_, launch_.grid, launch_.block.count(), faults_);
        std::string text;
        bool inside = line.starts_with("#BEGIN_TB");
        int first_line = lines.number();
        while (faults_.size() < most_faults && lines.next(line)) {
            totals_.text_bytes += static_cast<std::int64_t>(line.size()) + 1;
            if (lines.cut()) {
                fault(lines.number(), "", fmt::format("a line of more than {} bytes", LineReader::longest));
            } else if (!inside && line.starts_with("#BEGIN_TB")) {
                inside = true;
                first_line = lines.number();
                parser.begin(first_line);
            } else if (inside && line.starts_with("#END_TB")) {
                inside = false;
                parser.end(lines.number());
                store({packed(text, Packing::zstd), first_line});
                text.clear();
            } else if (inside) {
                text.append(line).push_back('\n');
                parser.line(line, lines.number());
            } else if (!line.starts_with('#') && !blank(line)) {
                fault(lines.number(), "", "expected #BEGIN_TB");
            }
        }
        if (inside && faults_.size() < most_faults) {
            fault(lines.number(), "", "the file ends in the middle of a thread block");
        }
    }

    static bool blank(std::string_view line) {
        return line.find_first_not_of(" \t\r") == std::string_view::npos;
    }

    // The header is complete.
    void start(int number, const std::vector<AccelSimAllocation>& allocations) {
        header_ = header_reader_.finish(number, faults_);
        arch_ = header_.arch();
        isa_ = accelsim_isa(header_.binary_version).value_or(SassIsa::volta);
        launch_.kernel = header_.kernel;
        launch_.grid = header_.grid;
        launch_.block = header_.block;
        auto& use = launch_.resources;
        use.threads = static_cast<int>(header_.block.count());
        use.registers_per_thread = header_.registers;
        use.registers_estimated = false;
        use.registers_source = name_;
        use.static_shared_bytes = header_.shared_bytes;
        launch_.ldg_is_read_only = isa_ == SassIsa::kepler;
        table_ = std::make_unique<AccelSimTable>(header_.layout);
        memory_ = std::make_unique<AccelSimMemory>(header_, allocations);
    }

    void store(StoredBlock&& stored) {
        const int line = stored.first_line;
        if (block_ >= 0 && !blocks_.try_emplace(block_, std::move(stored)).second) {
            fault(line, "thread block", "stands twice in the file");
        }
        block_ = -1;
    }

    void finish(int number, const AccelSimOptions& options) {
        if (table_ && faults_.size() < most_faults) {
            launch_.arrays = memory_->arrays();
            code_ = accelsim_code(table_->instructions(), isa_, options.allow_unknown, name_, faults_);
            const auto blocks = static_cast<std::int64_t>(blocks_.size());
            if (faults_.empty() && blocks != launch_.grid.count()) {
                fault(number, "thread block", missing(launch_.grid.count() - blocks));
            }
            note_barriers();
        }
        if (!faults_.empty()) {
            if (faults_.size() >= most_faults) {
                faults_.resize(most_faults);
                fault(number, "", "too many faults; reading stopped here");
            }
            throw InputError(InputErrorKind::invalid_input, std::move(faults_));
        }
    }

    [[nodiscard]] std::string missing(std::int64_t count) const {
        std::int64_t first = 0;
        while (blocks_.contains(first)) {
            ++first;
        }
        const auto& grid = launch_.grid;
        return fmt::format("{} of the grid's {} blocks are missing, the first is {},{},{}", count,
                           grid.count(), first % grid.x, first / grid.x % grid.y, first / grid.x / grid.y);
    }

    void note_barriers() {
        launch_.resources.barriers = 0;
        for (const auto& instruction : code_.code.instructions) {
            if (instruction.op == OpClass::barrier) {
                launch_.resources.barriers = 1;
            }
            if (instruction.access_kind == AccessKind::async_copy && code_.notes.empty()) {
                code_.notes.push_back(noted(
                    NoteId::async_copies,
                    "the trace does not say where asynchronous copies write in shared memory: taken as free "
                    "of "
                    "bank conflicts"));
            }
        }
    }

    void block(const Dim3& id) override {
        if (sink_ == nullptr) {
            block_ = index_of(id);
        }
    }

    void warp(int id) override {
        if (sink_ != nullptr) {
            sink_->begin(id);
        }
    }

    [[nodiscard]] SassSpace space_of(int instruction) {
        for (auto i = spaces_.size(); i < table_->instructions().size(); ++i) {
            spaces_.push_back(accelsim_space(table_->instructions()[i], isa_));
        }
        return spaces_[static_cast<std::size_t>(instruction)];
    }

    void instruction(const AccelSimLine& line) override {
        const auto space = space_of(line.instruction);
        if (sink_ == nullptr) {
            ++totals_.warp_instructions;
            totals_.thread_instructions += std::popcount(line.mask);
            if (space != SassSpace::none) {
                memory_->touch(line, space);
            }
            return;
        }
        const int rank = code_.rank[static_cast<std::size_t>(line.instruction)];
        if (space == SassSpace::none) {
            sink_->issue(rank, line.mask);
            return;
        }
        event_.instruction = rank;
        memory_->resolve(line, space, event_);
        const auto& item = code_.code.instructions[static_cast<std::size_t>(rank)];
        if (item.access_kind == AccessKind::async_copy) {
            for (std::size_t lane = 0; lane < 32; ++lane) {
                event_.shared_address[lane] = static_cast<std::int64_t>(lane) * item.access_bytes;
            }
        }
        sink_->access(event_, line.mask);
    }

    std::string name_;
    std::vector<Diagnostic> faults_;
    AccelSimHeaderReader header_reader_;
    AccelSimHeader header_;
    std::string arch_;
    SassIsa isa_ = SassIsa::volta;
    LaunchContext launch_;
    std::unique_ptr<AccelSimTable> table_;
    std::unique_ptr<AccelSimMemory> memory_;
    std::vector<SassSpace> spaces_;
    AccelSimTotals totals_;
    AccelSimCode code_;
    std::unordered_map<std::int64_t, StoredBlock> blocks_;
    std::int64_t block_ = -1;
    WarpRuns* sink_ = nullptr;
    AccessEvent event_;
};

}  // namespace

std::unique_ptr<AccelSimTrace> open_accelsim(const std::string& path,
                                             const std::vector<AccelSimAllocation>& allocations,
                                             const AccelSimOptions& options) {
    ByteSource bytes(path);
    return std::make_unique<Reader>(bytes, path, allocations, options);
}

std::unique_ptr<AccelSimTrace> open_accelsim_text(const std::string& text, const std::string& name,
                                                  const std::vector<AccelSimAllocation>& allocations,
                                                  const AccelSimOptions& options) {
    ByteSource bytes(text, Packing::none);
    return std::make_unique<Reader>(bytes, name, allocations, options);
}

}  // namespace gpumodel
