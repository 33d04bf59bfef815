#include "tools/cli/job_progress.h"

#include <fmt/format.h>

#include <filesystem>

namespace gpumodel::cli {

JobProgress::JobProgress(const std::string& path, const OutputOptions& output) : line_(output) {
    std::error_code fault;
    const auto size = std::filesystem::file_size(path, fault);
    file_bytes_ = fault ? 0 : static_cast<double>(size);
}

void JobProgress::row(std::int64_t bytes_read) {
    ++rows_;
    if (!line_.due()) {
        return;
    }
    const double seconds = line_.seconds();
    auto text = fmt::format("{} rows in {:.0f} s", rows_, seconds);
    if (file_bytes_ > 0 && bytes_read > 0) {
        const double part = static_cast<double>(bytes_read) / file_bytes_;
        text += fmt::format(", {:.0f} %, about {:.0f} s left", 100 * part, seconds * (1 - part) / part);
    }
    line_.draw(text);
}

}  // namespace gpumodel::cli
