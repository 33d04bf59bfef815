#include "validate/calibrate/calibrated_spec.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "arch_specs/document/spec_document.h"
#include "arch_specs/document/spec_search.h"
#include "arch_specs/loader.h"
#include "base/printable.h"
#include "validate/calibrate/calibrate.h"

namespace gpumodel {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> parts_of(const std::string& key) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= key.size();) {
        const auto dot = std::min(key.find('.', at), key.size());
        parts.push_back(key.substr(at, dot - at));
        at = dot + 1;
    }
    return parts;
}

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : safe_to_print(text)) {
        if (c == '"' || c == '\\') {
            out += '\\';
        }
        out += c;
    }
    return out + "\"";
}

// A folder of its own, removed with its owner.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::random_device random;
        path_ = fs::temp_directory_path() / fmt::format("gpumodel-{:08x}{:08x}", random(), random());
        fs::create_directory(path_);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    [[nodiscard]] const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

}  // namespace

std::string spec_text(const std::string& name, const std::string& base,
                      const std::vector<SpecValue>& values) {
    std::string text =
        fmt::format("schema_version: {}\nname: {}\ninherits: {}\n", spec_schema_version, name, base);
    std::vector<std::string> open;
    for (const auto& value : values) {
        const auto parts = parts_of(value.field->key);
        std::size_t common = 0;
        while (common < open.size() && common + 1 < parts.size() && open[common] == parts[common]) {
            ++common;
        }
        open.resize(common);
        for (; open.size() + 1 < parts.size(); open.push_back(parts[open.size()])) {
            text += fmt::format("{:{}}{}:\n", "", 2 * open.size(), parts[open.size()]);
        }
        text += fmt::format("{:{}}{}: {{value: {}, source: {}}}\n", "", 2 * open.size(), parts.back(),
                            print_value(*value.field, value.value), quoted(value.source));
    }
    return text;
}

std::string error_text(const Field& field, double standard_error) {
    const KeyRange any{0, std::max(standard_error * 2, 1e300)};
    Field fraction = field;
    fraction.whole = false;
    return print_quantity(rounded(standard_error, standard_error, fraction, any), field.dimension);
}

std::string calibrated_source(const Field& field, double standard_error, const std::string& origin) {
    return fmt::format("calibrated, +- {}: {}", error_text(field, standard_error), origin);
}

std::vector<Diagnostic> check_spec_path(const std::string& path, const std::string& base) {
    const fs::path file(path);
    const auto name = file.stem().string();
    constexpr std::size_t longest_name = 64;  // as spec files allow
    if (file.extension() != ".yaml") {
        return {{"", 0, 0, "--out", fmt::format("{} does not end in .yaml", cite(path))}};
    }
    if (name.empty() || name.size() > longest_name ||
        name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") !=
            std::string::npos) {
        return {{"", 0, 0, "--out",
                 fmt::format("{} is no name of a spec: up to 64 letters, digits, '_' or '-'", cite(name))}};
    }
    if (name == base) {
        return {{"", 0, 0, "--out", fmt::format("{} is the base's own name; choose another", cite(name))}};
    }
    return {};
}

std::vector<Diagnostic> check_spec_text(const std::string& text, const std::string& path) {
    const TemporaryFolder folder;
    const auto copy = (folder.path() / fs::path(path).filename()).string();
    std::ofstream(copy, std::ios::binary) << text;
    auto faults = check_arch(copy, directories_around(path, default_spec_path()));
    for (auto& fault : faults) {
        fault.file = fault.file == copy ? path : fault.file;
    }
    return faults;
}

}  // namespace gpumodel
