#include "traces/kernel/resource_log/resource_log.h"

#include <fmt/format.h>

#include <optional>
#include <sstream>
#include <utility>

#include "base/diagnostics.h"
#include "base/files/file_text.h"
#include "traces/kernel/resource_log/resource_log_line.h"

namespace gpumodel {

namespace {

// Puts lines together to entries: an entry line opens one, its usage line closes it.
class LogReader {
public:
    explicit LogReader(std::string path) : path_(std::move(path)) {}

    std::vector<ResourceEntry> read() {
        auto log = read_text(path_);
        if (!log.fault.empty()) {
            fault(0, log.fault);
        } else {
            std::istringstream file(std::move(log.text));
            for (std::string line; std::getline(file, line);) {
                ++line_number_;
                std::visit([this](const auto& parsed) { take(parsed); }, parse_log_line(line));
            }
            abandon_entry();
        }
        if (entries_.empty() && faults_.empty()) {
            line_number_ = 0;
            fault(0, "no entry found; expected the output of `nvcc -Xptxas -v` or `cuobjdump -res-usage`");
        }
        if (!faults_.empty()) {
            throw InputError(InputErrorKind::invalid_input, std::move(faults_));
        }
        return std::move(entries_);
    }

private:
    void take(const OtherLine& /*line*/) {}

    void take(const LogLineFault& line) {
        fault(line.column, line.message);
        // What belongs to a faulty line is not reported a second time.
        open_.reset();
        orphan_expected_ = true;
    }

    void take(const EntryLine& line) { open(line.name, line.target, line.column); }
    void take(const FunctionLine& line) { open(line.name, arch_, line.column); }
    void take(const ArchLine& line) { arch_ = line.target; }
    void take(const PropertiesLine& line) { properties_of_ = line.name; }

    // ptxas prints the spills of device functions too; only those of the open entry count.
    void take(const SpillLine& line) {
        if (open_ && open_->entry == properties_of_) {
            open_->stack_bytes = line.stack_bytes;
            open_->spill_store_bytes = line.store_bytes;
            open_->spill_load_bytes = line.load_bytes;
        }
    }

    void take(const UsageLine& line) {
        const bool orphan_expected = std::exchange(orphan_expected_, false);
        if (!open_) {
            if (!orphan_expected) {
                fault(line.column, "registers without the name of an entry before them");
            }
            return;
        }
        ResourceEntry entry = *std::exchange(open_, std::nullopt);
        entry.registers = line.registers;
        entry.barriers = line.barriers;
        entry.shared_bytes = line.shared_bytes;
        entry.stack_bytes += line.stack_bytes;
        entry.line = line_number_;
        entries_.push_back(std::move(entry));
    }

    void open(const std::string& name, const std::string& target, int column) {
        abandon_entry();
        orphan_expected_ = false;
        if (name.empty()) {
            fault(column, "empty entry name");
            orphan_expected_ = true;
            return;
        }
        open_ = ResourceEntry{.entry = name, .target = target, .line = line_number_};
        open_column_ = column;
    }

    // An entry that never got its registers is a fault, reported where it was opened.
    void abandon_entry() {
        if (open_) {
            faults_.push_back({path_, open_->line, open_column_, "",
                               fmt::format("no registers follow for entry `{}`", open_->entry)});
            open_.reset();
        }
    }

    void fault(int column, const std::string& message) {
        faults_.push_back({path_, line_number_, column, "", message});
    }

    std::string path_;
    int line_number_ = 0;
    std::optional<ResourceEntry> open_;
    int open_column_ = 0;
    bool orphan_expected_ = false;  // the next usage line may lack its entry: that was reported already
    std::string properties_of_;
    std::string arch_;
    std::vector<ResourceEntry> entries_;
    std::vector<Diagnostic> faults_;
};

}  // namespace

std::vector<ResourceEntry> read_resource_log(const std::string& path) {
    return LogReader(path).read();
}

}  // namespace gpumodel
