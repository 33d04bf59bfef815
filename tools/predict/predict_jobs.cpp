#include "tools/predict/predict_jobs.h"

#include <fmt/format.h>

#include <charconv>
#include <iostream>
#include <optional>
#include <utility>

#include "base/csv_table.h"
#include "base/printable.h"
#include "tools/cli/in_order.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/job_progress.h"
#include "tools/cli/output_stream.h"

namespace gpumodel::cli {
namespace {

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

std::string text_row(const std::vector<Prediction>& models) {
    std::string text;
    for (const auto& p : models) {
        text += fmt::format("{:<20} {:<58} {:>6} {:>6} {:>6}  {:<8}  ", p.kernel, p.params, p.m, p.n, p.k,
                            p.model);
        if (p.status != Status::ok) {
            text += fmt::format("{}: {}\n", to_string(p.status), p.reason);
            continue;
        }
        text += fmt::format(
            "{:>10} {:>9.0f} GFLOP/s  {}\n", human_time(p.time_seconds), p.flops_per_second() / 1e9,
            p.bottlenecks.empty() ? "unknown" : fmt::format("{}", fmt::join(p.bottlenecks, "+")));
    }
    return text;
}

// What a row adds to the output; json items begin with their separator.
std::string formatted(const std::vector<Prediction>& models, Format format, bool first) {
    std::string text;
    for (const auto& p : models) {
        if (format == Format::csv) {
            text += csv_row(p);
        } else if (format == Format::json) {
            text += json_item(p, first);
            first = false;
        }
    }
    return format == Format::text ? text_row(models) : text;
}

struct ReadRow {
    CsvRow row;
    bool first = false;
    std::int64_t bytes_read = 0;
};

struct FinishedRow {
    std::string text;
    std::int64_t bytes_read = 0;
};

std::string opening(Format format, const ReportMetadata& metadata) {
    return format == Format::csv ? csv_header() : format == Format::json ? json_head(metadata) : "";
}

}  // namespace

std::vector<Prediction> predict_row(const CsvRow& row, const JobColumns& columns, const ArchSpec& arch,
                                    const PredictSettings& settings) {
    const auto& fields = row.fields;
    const auto faulty = [&](const std::string& reason) {
        return for_each_model(error_row(fields, columns, arch, reason), settings.models);
    };
    if (!row.fault.empty()) {
        return faulty(row.fault);
    }
    std::vector<std::string> faults;
    PredictionJob job;
    job.kernel = fields[columns.kernel].text;
    job.m = dimension(fields[columns.m], "M", faults);
    job.n = dimension(fields[columns.n], "N", faults);
    job.k = dimension(fields[columns.k], "K", faults);
    if (!faults.empty()) {
        return faulty(fmt::format("{}", fmt::join(faults, "; ")));
    }
    try {
        job.params = parse_params(split(fields[columns.params].text, ';'), "params");
        return predict_launch(lower_job(job, arch, settings.resources), arch, settings);
    } catch (const InputError& error) {
        return faulty(joined_diagnostics(error));
    }
}

int run_jobs_file(const std::string& path, const ArchSpec& arch, const PredictSettings& settings,
                  const OutputOptions& output, int threads, const ReportMetadata& metadata) {
    const InterruptGuard interrupts(OnInterrupt::finish);
    InterruptibleInput standard_input;
    std::istream piped(&standard_input);
    CsvSource source(path, "--jobs", &piped);
    auto& reader = source.reader();
    const auto at =
        require_columns(reader.file(), reader.header(), {"kernel", "params", "M", "N", "K"}, false);
    const JobColumns columns{at[0], at[1], at[2], at[3], at[4]};

    OutputStream sink(output);
    JobProgress progress(path, output);
    bool first = true;
    const auto read = [&]() -> std::optional<ReadRow> {
        auto row = interrupted() || !sink.good() ? std::nullopt : reader.next();
        if (!row || interrupted()) {  // an interrupted read may have cut the row
            return std::nullopt;
        }
        return ReadRow{std::move(*row), std::exchange(first, false), reader.bytes_read()};
    };
    const auto run = [&](const ReadRow& job) {
        return FinishedRow{formatted(predict_row(job.row, columns, arch, settings), output.format, job.first),
                           job.bytes_read};
    };
    const auto write = [&](const FinishedRow& done) {
        sink.write(done.text);
        progress.row(done.bytes_read);
    };
    sink.write(opening(output.format, metadata));
    run_in_order<ReadRow, FinishedRow>(threads, read, run, write);
    progress.clear();
    const bool stopped = interrupted();
    if (output.format == Format::json) {
        sink.write(json_tail(progress.rows() > 0, stopped));
    }
    if (stopped) {
        std::cerr << fmt::format("gpumodel: interrupted after {} rows\n", progress.rows());
    }
    return stopped ? exit_interrupted : exit_ok;
}

}  // namespace gpumodel::cli
