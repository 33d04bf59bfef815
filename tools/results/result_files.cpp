#include "tools/results/result_files.h"

#include <fmt/format.h>

#include <sstream>

#include "base/files/file_text.h"
#include "base/process.h"
#include "tools/results/csv_results.h"
#include "tools/results/json_results.h"

namespace gpumodel::cli {
namespace {

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
    throw InputError(InputErrorKind::usage, {{path, 0, 0, "", what}});
}

std::string content_of(const std::string& path) {
    auto read = path == "-" ? read_text(standard_input_stream()) : read_text(path);
    if (!read.fault.empty()) {
        refuse(path, read.fault);
    }
    return std::move(read.text);
}

}  // namespace

ResultFile read_results(const std::string& path) {
    ResultFile file;
    file.path = path == "-" ? "standard input" : path;
    const auto content = content_of(path);
    const auto first = content.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) {
        refuse(file.path, "file is empty");
    }
    if (content[first] == '{') {
        read_json_results(content, file);
    } else {
        std::istringstream in(content);
        CsvReader reader(in, file.path);
        ResultReader rows(reader, ReadCounters::yes);
        while (auto launch = rows.next()) {
            file.launches.push_back(std::move(*launch));
        }
        rows.throw_if_faulty();
    }
    if (file.launches.empty()) {
        refuse(file.path, "no predictions in this file");
    }
    return file;
}

}  // namespace gpumodel::cli
