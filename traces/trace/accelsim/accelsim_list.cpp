#include <fmt/format.h>

#include <filesystem>

#include "base/diagnostics.h"
#include "base/parse.h"
#include "traces/trace/accelsim/accelsim_limits.h"
#include "traces/trace/accelsim/accelsim_reader.h"
#include "traces/trace/accelsim/line_reader.h"

namespace gpumodel {

namespace {

class ListReader {
public:
    explicit ListReader(std::string path) : path_(std::move(path)) {}

    AccelSimList read(ByteSource& bytes) {
        LineReader lines(bytes, 0);
        for (std::string_view line; faults_.size() < most_faults && lines.next(line);) {
            number_ = lines.number();
            while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) {
                line.remove_suffix(1);
            }
            if (line.starts_with("MemcpyHtoD")) {
                allocation(line);
            } else if (line.starts_with("kernel")) {
                kernel(line);
            }
        }
        if (list_.kernels.empty() && faults_.empty()) {
            number_ = 0;
            fault(0, "", "no kernel in the list");
        }
        if (!faults_.empty()) {
            throw InputError(InputErrorKind::invalid_input, std::move(faults_));
        }
        return std::move(list_);
    }

private:
    void fault(std::size_t column, const std::string& key, const std::string& message) {
        faults_.push_back({path_, number_, static_cast<int>(column), key, message});
    }

    bool number(std::string_view text, int base, std::int64_t& value) {
        value = parse_number<std::int64_t>(text, base).value_or(-1);
        return value >= 0 && value <= max_address;
    }

    void allocation(std::string_view line) {
        const auto first = line.find(',');
        const auto second = first == std::string_view::npos ? first : line.find(',', first + 1);
        if (second == std::string_view::npos || line.find(',', second + 1) != std::string_view::npos) {
            fault(1, "MemcpyHtoD", "expected MemcpyHtoD,0x<address>,<bytes>");
            return;
        }
        auto address = line.substr(first + 1, second - first - 1);
        AccelSimAllocation item;
        if (!address.starts_with("0x") || !number(address.substr(2), 16, item.address)) {
            fault(first + 2, "MemcpyHtoD", fmt::format("'{}' is no address 0x... below 2^52", address));
        } else if (!number(line.substr(second + 1), 10, item.bytes)) {
            fault(second + 2, "MemcpyHtoD",
                  fmt::format("'{}' is no number of bytes", line.substr(second + 1)));
        } else {
            list_.allocations.push_back(item);
        }
    }

    void kernel(std::string_view line) {
        if (!line.ends_with(".traceg") && !line.ends_with(".traceg.xz")) {
            fault(1, "kernel", fmt::format("'{}' ends neither in .traceg nor in .traceg.xz", line));
            return;
        }
        list_.kernels.push_back((std::filesystem::path(path_).parent_path() / line).string());
        list_.allocations_before.push_back(list_.allocations.size());
    }

    std::string path_;
    int number_ = 0;
    AccelSimList list_;
    std::vector<Diagnostic> faults_;
};

TraceFile folded(const std::string& path, const std::vector<AccelSimAllocation>& allocations,
                 const AccelSimOptions& options, const FoldOptions& fold) {
    const auto trace = open_accelsim(path, allocations, options);
    TraceFile file{trace->arch(), std::filesystem::path(path).filename().string(),
                   fold_program(*trace, trace->launch(), fold)};
    auto& notes = file.program.notes;
    notes.insert(notes.end(), trace->notes().begin(), trace->notes().end());
    return file;
}

}  // namespace

AccelSimList read_accelsim_list(const std::string& path) {
    ByteSource bytes(path);
    return ListReader(path).read(bytes);
}

TraceFile program_from_accelsim(const std::string& path, std::optional<int> kernel,
                                const AccelSimOptions& options, const FoldOptions& fold) {
    if (path.ends_with(".traceg") || path.ends_with(".traceg.xz")) {
        return folded(path, {}, options, fold);
    }
    const auto list = read_accelsim_list(path);
    const auto count = static_cast<int>(list.kernels.size());
    if (kernel ? *kernel < 1 || *kernel > count : count > 1) {
        throw InputError(
            InputErrorKind::usage,
            {{path, 0, 0, "--kernel-number",
              fmt::format("the list has {} kernels, one of 1 to {} must be chosen", count, count)}});
    }
    const auto index = static_cast<std::size_t>(kernel.value_or(1) - 1);
    const auto begin = list.allocations.begin();
    return folded(list.kernels[index],
                  {begin, begin + static_cast<std::ptrdiff_t>(list.allocations_before[index])}, options,
                  fold);
}

}  // namespace gpumodel
