#include "tools/predict/predict_jobs.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <optional>
#include <utility>

#include "base/csv_table.h"
#include "base/json_text.h"
#include "base/parse.h"
#include "base/printable.h"
#include "tools/cli/in_order.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/notes.h"
#include "tools/cli/output_stream.h"
#include "tools/cli/progress.h"
#include "tools/cli/streams.h"
#include "tools/views/prediction/prediction_json.h"
#include "tools/views/prediction/prediction_notes.h"
#include "tools/views/prediction/shared_rows.h"

namespace gpumodel::cli {
namespace {

using Json = nlohmann::ordered_json;

std::optional<std::int64_t> dimension(const CsvField& field, const std::string& name,
                                      std::vector<std::string>& faults) {
    if (field.text.empty()) {
        return std::nullopt;
    }
    const auto value = parse_number<std::int64_t>(field.text);
    if (!value) {
        faults.push_back(fmt::format("{}: '{}' is not a whole number", name, field.text));
    }
    return value;
}

// "BM=128;BN=64"; empty parts are left out.
std::vector<std::string> pairs_of(const std::string& params) {
    std::vector<std::string> pairs;
    for (const auto part : split(params, ';')) {
        if (!part.empty()) {
            pairs.emplace_back(part);
        }
    }
    return pairs;
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

std::string text_row(const Prediction& p) {
    const auto launch =
        fmt::format("{:<20} {:<58} {:>6} {:>6} {:>6}  {:<8}  ", p.kernel, p.params, p.m, p.n, p.k, p.model);
    if (!is_predicted(p.status)) {
        return launch + fmt::format("{}: {}\n", to_string(p.status), p.reason);
    }
    return launch + fmt::format("{:>10} {:>9.0f} GFLOP/s  {}\n", human_time(p.time_seconds),
                                p.flops_per_second() / 1e9, bottleneck_names(p));
}

// What a row adds to the output; json items have commas between.
std::string formatted(const std::vector<Prediction>& models, Format format) {
    std::string text;
    for (const auto& p : models) {
        switch (format) {
            case Format::csv:
                text += csv_row(p);
                break;
            case Format::json:
                text += (text.empty() ? "" : ",") + json_list_item(prediction_json(p));
                break;
            case Format::text:
                text += text_row(p);
                break;
        }
    }
    return text;
}

struct ReadRow {
    CsvRow row;
    std::int64_t bytes_read = 0;
};

struct FinishedRow {
    std::string text;
    std::int64_t bytes_read = 0;
};

std::string opening(Format format, const ReportMetadata& metadata) {
    return format == Format::csv    ? csv_header()
           : format == Format::json ? json_list_opening(predictions_head(metadata), "predictions")
                                    : "";
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
        job.params = parse_params(pairs_of(fields[columns.params].text), "params");
        return predict_launch(lower_job(job, arch, settings.resources), arch, settings);
    } catch (const InputError& error) {
        return faulty(joined_diagnostics(error));
    }
}

int run_jobs_file(const std::string& path, const ArchSpec& arch, PredictSettings settings,
                  const OutputOptions& output, int threads, const ReportMetadata& metadata) {
    settings.detail = output.format == Format::json ? Detail::report : Detail::figures;
    const InterruptGuard interrupts(OnInterrupt::finish);
    InterruptibleInput standard_input;
    std::istream piped(&standard_input);
    CsvSource source(path, "--jobs", &piped);
    auto& reader = source.reader();
    const auto at =
        require_columns(reader.file(), reader.header(), {"kernel", "params", "M", "N", "K"}, false);
    const JobColumns columns{at[0], at[1], at[2], at[3], at[4]};

    OutputStream sink(output);
    std::error_code unknown;  // standard input, a pipe
    const auto file_bytes = static_cast<double>(std::filesystem::file_size(path, unknown));
    Progress progress("rows", 0, output);
    const auto read = [&]() -> std::optional<ReadRow> {
        auto row = interrupted() || !sink.good() ? std::nullopt : reader.next();
        if (!row || interrupted()) {  // an interrupted read may have cut the row
            return std::nullopt;
        }
        return ReadRow{std::move(*row), reader.bytes_read()};
    };
    const auto run = [&](const ReadRow& job) {
        const auto models = predict_row(job.row, columns, arch, settings);
        for (const auto& p : models) {
            count_notes(notes_of(p));
        }
        return FinishedRow{formatted(models, output.format), job.bytes_read};
    };
    const auto write = [&](const FinishedRow& done) {
        sink.write((output.format == Format::json && progress.done() > 0 ? "," : "") + done.text);
        progress.add(1, unknown ? 0 : static_cast<double>(done.bytes_read) / file_bytes);
    };
    sink.write(opening(output.format, metadata));
    run_in_order<ReadRow, FinishedRow>(threads, read, run, write);
    progress.clear();
    const bool stopped = interrupted();
    if (output.format == Format::json) {
        const auto tail = stopped ? Json{{"interrupted", true}} : Json::object();
        sink.write(json_list_closing(progress.done() > 0, tail));
    }
    if (stopped) {
        err() << fmt::format("gpumodel: interrupted after {} rows\n", progress.done());
    }
    return stopped ? exit_interrupted : exit_ok;
}

}  // namespace gpumodel::cli
