#include "tools/predict_jobs.h"

#include <fmt/format.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>

#include <charconv>
#include <fstream>
#include <iostream>
#include <memory>

#include "arch_specs/printable.h"
#include "validate/csv_table.h"

namespace gpumodel::cli {
namespace {

constexpr std::size_t chunk_rows = 256;  // rows computed before they are written out

struct JobColumns {
    std::size_t kernel, params, m, n, k;
};

std::optional<std::int64_t> dimension(const CsvField& field, const std::string& name,
                                      std::vector<std::string>& faults) {
    if (field.text.empty()) {
        return std::nullopt;
    }
    std::int64_t value = 0;
    const char* end = field.text.data() + field.text.size();
    const auto result = std::from_chars(field.text.data(), end, value);
    if (result.ec != std::errc() || result.ptr != end) {
        faults.push_back(fmt::format("{}: '{}' is not a whole number", name, field.text));
        return std::nullopt;
    }
    return value;
}

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const auto end = std::min(text.find(separator, begin), text.size());
        if (end > begin) {
            parts.push_back(text.substr(begin, end - begin));
        }
        begin = end + 1;
    }
    return parts;
}

std::string joined(const InputError& error) {
    std::vector<std::string> lines;
    for (auto diagnostic : error.diagnostics()) {
        diagnostic.file.clear();  // the row itself says where
        lines.push_back(to_string(diagnostic));
    }
    return fmt::format("{}", fmt::join(lines, "; "));
}

Prediction error_row(const std::vector<CsvField>& row, const JobColumns& columns, const ArchSpec& arch,
                     const std::string& reason) {
    Prediction p;
    p.status = Status::error;
    p.reason = reason;
    p.arch = arch.name;
    p.kernel = valid_utf8(row[columns.kernel].text);
    p.params = valid_utf8(row[columns.params].text);
    std::vector<std::string> ignored;
    p.m = dimension(row[columns.m], "M", ignored).value_or(0);
    p.n = dimension(row[columns.n], "N", ignored).value_or(0);
    p.k = dimension(row[columns.k], "K", ignored).value_or(0);
    return p;
}

Prediction run_row(const std::vector<CsvField>& row, const JobColumns& columns, const ArchSpec& arch,
                   const JobSettings& settings) {
    std::vector<std::string> faults;
    PredictionJob job;
    job.kernel = row[columns.kernel].text;
    job.m = dimension(row[columns.m], "M", faults);
    job.n = dimension(row[columns.n], "N", faults);
    job.k = dimension(row[columns.k], "K", faults);
    if (!faults.empty()) {
        return error_row(row, columns, arch, fmt::format("{}", fmt::join(faults, "; ")));
    }
    try {
        job.params = parse_params(split(row[columns.params].text, ';'), "params");
        return run_job(job, arch, settings);
    } catch (const InputError& error) {
        return error_row(row, columns, arch, joined(error));
    }
}

std::string text_row(const Prediction& p) {
    const auto what = fmt::format("{:<20} {:<58} {:>6} {:>6} {:>6}", p.kernel, p.params, p.m, p.n, p.k);
    if (p.status != Status::ok) {
        return fmt::format("{}  {}: {}\n", what, to_string(p.status), p.reason);
    }
    return fmt::format("{}  {:>10} {:>9.0f} GFLOP/s  {}\n", what, human_time(p.time_seconds),
                       p.flops_per_second() / 1e9,
                       p.bottlenecks.empty() ? "unknown" : fmt::format("{}", fmt::join(p.bottlenecks, "+")));
}

class Sink {
public:
    explicit Sink(const OutputOptions& output) : path_(output.out), stream_(&std::cout) {
        if (!path_.empty()) {
            file_.open(path_, std::ios::binary);
            stream_ = &file_;
            require_sound_file();
        }
    }
    void write(const std::string& text) {
        *stream_ << text << std::flush;
        require_sound_file();
    }

private:
    // Faults of standard output are main's to report.
    void require_sound_file() const {
        if (!path_.empty() && !file_) {
            throw InputError(InputErrorKind::usage, {{path_, 0, 0, "--out", "cannot write this file"}});
        }
    }

    std::string path_;
    std::ofstream file_;
    std::ostream* stream_;
};

}  // namespace

int run_jobs_file(const std::string& path, const ArchSpec& arch, const JobSettings& settings,
                  const OutputOptions& output, int threads, const ReportMetadata& metadata) {
    const auto table = read_csv(path);
    const auto at = require_columns(table, {"kernel", "params", "M", "N", "K"}, false);
    const JobColumns columns{at[0], at[1], at[2], at[3], at[4]};
    const auto workers = threads > 0 ? static_cast<std::size_t>(threads)
                                     : static_cast<std::size_t>(oneapi::tbb::info::default_concurrency());
    const oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism, workers);

    Sink sink(output);
    if (output.format == Format::csv) {
        sink.write(csv_header());
    }
    std::vector<Prediction> all;  // json is one document; the other formats stream
    for (std::size_t begin = 0; begin < table.rows.size(); begin += chunk_rows) {
        const std::size_t end = std::min(begin + chunk_rows, table.rows.size());
        std::vector<Prediction> done(end - begin);
        oneapi::tbb::parallel_for(begin, end, [&](std::size_t i) {
            done[i - begin] = table.row_faults[i].empty()
                                  ? run_row(table.rows[i], columns, arch, settings)
                                  : error_row(table.rows[i], columns, arch, table.row_faults[i]);
        });
        for (auto& p : done) {
            if (output.format == Format::json) {
                all.push_back(std::move(p));
            } else {
                sink.write(output.format == Format::csv ? csv_row(p) : text_row(p));
            }
        }
    }
    if (output.format == Format::json) {
        sink.write(json_report(all, metadata));
    }
    return exit_ok;
}

}  // namespace gpumodel::cli
