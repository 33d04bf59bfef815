#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "base/parse.h"
#include "base/units.h"
#include "traces/emulate/textures/texture.h"
#include "validate/recording/recording.h"

namespace gpumodel {

namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

constexpr int known_schema = 1;
constexpr std::int64_t largest = std::int64_t{1} << 48;

// The fields of one object; what is wrong with them joins the faults.
class Fields {
public:
    Fields(const Json& object, std::string path, int line, std::vector<Diagnostic>& faults,
           std::string prefix = "")
        : object_(object), path_(std::move(path)), line_(line), faults_(faults), prefix_(std::move(prefix)) {}

    void fault(const std::string& key, const std::string& what) const {
        faults_.push_back({path_, line_, 0, prefix_ + key, what});
    }

    [[nodiscard]] const Json* find(const std::string& key) const {
        const auto at = object_.find(key);
        return at == object_.end() || at->is_null() ? nullptr : &*at;
    }

    [[nodiscard]] std::optional<std::int64_t> optional_number(const std::string& key, std::int64_t lowest,
                                                              std::int64_t highest) const {
        const auto* value = find(key);
        return value == nullptr ? std::nullopt : whole(*value, key, lowest, highest);
    }

    [[nodiscard]] std::int64_t number(const std::string& key, std::int64_t lowest,
                                      std::int64_t highest) const {
        const auto* value = find(key);
        if (value == nullptr) {
            fault(key, fmt::format("is missing: a whole number from {} to {}", lowest, highest));
            return lowest;
        }
        return whole(*value, key, lowest, highest).value_or(lowest);
    }

    [[nodiscard]] std::string text(const std::string& key, bool required) const {
        const auto* value = find(key);
        if (value != nullptr && value->is_string()) {
            return value->get<std::string>();
        }
        if (value != nullptr || required) {
            fault(key, value == nullptr ? "is missing: a text" : "is no text");
        }
        return "";
    }

    // False where it is missing.
    [[nodiscard]] bool flag(const std::string& key) const {
        const auto* value = find(key);
        if (value != nullptr && !value->is_boolean()) {
            fault(key, "is neither true nor false");
            return false;
        }
        return value != nullptr && value->get<bool>();
    }

    [[nodiscard]] const Json& list(const std::string& key, bool required) const {
        static const Json none = Json::array();
        const auto* value = find(key);
        if (value != nullptr && value->is_array()) {
            return *value;
        }
        if (value != nullptr || required) {
            fault(key, value == nullptr ? "is missing: a list" : "is no list");
        }
        return none;
    }

    [[nodiscard]] std::optional<double> time(const Json& value, const std::string& key) const {
        const double most = 1e9;
        if (value.is_number() && value.get<double>() > 0 && value.get<double>() <= most) {
            return value.get<double>();
        }
        fault(key, fmt::format("is no time in microseconds above 0 and up to {}", most));
        return std::nullopt;
    }

    [[nodiscard]] Dim3 dimensions(const std::string& key, const Dim3& most) const {
        const auto& values = list(key, true);
        if (find(key) == nullptr || !find(key)->is_array()) {
            return {1, 1, 1};
        }
        if (values.size() != 3) {
            fault(key, "has not three numbers: [X, Y, Z]");
            return {1, 1, 1};
        }
        return {whole(values[0], key + "[0]", 1, most.x).value_or(1),
                whole(values[1], key + "[1]", 1, most.y).value_or(1),
                whole(values[2], key + "[2]", 1, most.z).value_or(1)};
    }

    [[nodiscard]] std::optional<std::int64_t> whole(const Json& value, const std::string& key,
                                                    std::int64_t lowest, std::int64_t highest) const {
        // above what is signed, a number would come out negative
        const bool fits =
            value.is_number_integer() &&
            (!value.is_number_unsigned() ||
             value.get<std::uint64_t>() <= std::uint64_t{std::numeric_limits<std::int64_t>::max()});
        if (fits && value.get<std::int64_t>() >= lowest && value.get<std::int64_t>() <= highest) {
            return value.get<std::int64_t>();
        }
        fault(key, fmt::format("is no whole number from {} to {}", lowest, highest));
        return std::nullopt;
    }

private:
    const Json& object_;
    std::string path_;
    int line_;
    std::vector<Diagnostic>& faults_;
    std::string prefix_;
};

// A name below the recording's folder, and nothing else.
bool is_inside(const std::string& name, std::string_view below) {
    return name.starts_with(below) && name.find("..") == std::string::npos && name.size() > below.size();
}

class Reader {
public:
    explicit Reader(std::string folder) : folder_(std::move(folder)) {}

    Recording read() {
        Recording recording;
        recording.folder = folder_;
        read_manifest(recording);
        const auto path = folder_ + "/launches.jsonl";
        std::ifstream in(path);
        if (!in && expected_ > 0) {
            faults_.push_back({path, 0, 0, "", "cannot read this file"});
        }
        int line = 0;
        for (std::string text; std::getline(in, text);) {
            ++line;
            const auto object = Json::parse(text, nullptr, false);
            if (object.is_discarded() || !object.is_object()) {
                faults_.push_back({path, line, 0, "", "is no json object: cut off?"});
                continue;
            }
            recording.launches.push_back(launch_of_line(Fields(object, path, line, faults_), line));
        }
        if (in.eof() && line != expected_) {
            faults_.push_back(
                {path, 0, 0, "", fmt::format("has {} launches, recording.json says {}", line, expected_)});
        }
        if (!faults_.empty()) {
            throw InputError(InputErrorKind::invalid_input, std::move(faults_));
        }
        return recording;
    }

private:
    void read_manifest(Recording& recording) {
        const auto path = folder_ + "/recording.json";
        std::ifstream in(path);
        if (!in) {
            throw InputError(InputErrorKind::usage,
                             {{"", 0, 0, "--recording",
                               fmt::format("{} is no recording: it has no recording.json", cite(folder_))}});
        }
        const auto object = Json::parse(in, nullptr, false);
        if (object.is_discarded() || !object.is_object()) {
            throw InputError(InputErrorKind::invalid_input, {{path, 0, 0, "", "is no json object"}});
        }
        const Fields fields(object, path, 0, faults_);
        const auto schema = fields.number("schema_version", 1, largest);
        if (schema != known_schema) {
            fields.fault("schema_version", fmt::format("{} is not known here: {}", schema, known_schema));
        }
        expected_ = fields.number("launches", 0, largest);
        recording.not_recorded = fields.optional_number("not_recorded", 0, largest).value_or(0);
    }

    // "" where the name is not one, with a fault.
    std::string file_of(const Fields& fields, const std::string& key, const std::string& name,
                        std::string_view below, std::optional<std::int64_t> bytes) {
        const auto path = folder_ + '/' + name;
        std::error_code error;
        if (!is_inside(name, below)) {
            fields.fault(key, fmt::format("{} is no file in {}", cite(name), below));
            return "";
        }
        const auto there = fs::file_size(path, error);
        if (error) {
            fields.fault(key, fmt::format("{} is missing from the recording", cite(name)));
            return "";
        }
        if (bytes && static_cast<std::int64_t>(there) != *bytes) {
            fields.fault(key, fmt::format("{} has {} bytes instead of {}", cite(name), there, *bytes));
        }
        return path;
    }

    RecordedLaunch launch_of_line(const Fields& fields, int line) {
        RecordedLaunch launch;
        launch.line = line;
        launch.number = fields.number("launch", 0, largest);
        launch.kernel = fields.text("kernel", true);
        launch.name = fields.text("name", false);
        if (const auto* device = fields.find("device"); device != nullptr && !device->is_object()) {
            fields.fault("device", "is no json object");
        } else if (device != nullptr) {
            const Fields of_device(*device, folder_ + "/launches.jsonl", line, faults_, "device.");
            launch.device = of_device.text("name", false);
            launch.generation = of_device.text("generation", false);
        }
        if (const auto image = fields.text("image", false); !image.empty()) {
            // the listing stands for the image where only that was kept
            std::error_code ignored;
            const bool listed =
                is_inside(image, "images/") && (fs::exists(folder_ + '/' + image + ".sass", ignored) ||
                                                fs::exists(folder_ + '/' + image + ".sass.gz", ignored));
            launch.image =
                listed ? folder_ + '/' + image : file_of(fields, "image", image, "images/", std::nullopt);
        }
        add_shape(fields, launch);
        add_parameters(fields, launch);
        add_allocations(fields, line, launch);
        add_variables(fields, line, launch);
        add_textures(fields, line, launch);
        add_times(fields, launch);
        for (const auto& note : fields.list("notes", false)) {
            if (note.is_string()) {
                launch.notes.push_back(note.get<std::string>());
            }
        }
        return launch;
    }

    static void add_shape(const Fields& fields, RecordedLaunch& launch) {
        // CUDA programming guide, technical specifications per compute capability
        launch.grid = fields.dimensions("grid", {2147483647, 65535, 65535});
        launch.block = fields.dimensions("block", {1024, 1024, 64});
        launch.cluster =
            fields.find("cluster") == nullptr ? Dim3{1, 1, 1} : fields.dimensions("cluster", {16, 16, 16});
        launch.cooperative = fields.flag("cooperative");
        constexpr std::int64_t most_shared = 1 << 20, most_registers = 255;
        launch.dynamic_shared_bytes = fields.number("dynamic_shared_bytes", 0, most_shared);
        launch.static_shared_bytes = fields.optional_number("static_shared_bytes", 0, most_shared);
        launch.registers = fields.optional_number("registers", 0, most_registers);
    }

    static void add_parameters(const Fields& fields, RecordedLaunch& launch) {
        const auto digits = fields.text("parameter_bytes", true);
        const bool whole = digits.size() % 2 == 0;
        for (std::size_t i = 0; whole && i < digits.size(); i += 2) {
            const auto byte = parse_number<unsigned>(std::string_view(digits).substr(i, 2), 16);
            if (!byte) {
                break;
            }
            launch.parameter_bytes.push_back(static_cast<std::uint8_t>(*byte));
        }
        // 32764 bytes since CUDA 12.1
        constexpr std::size_t most = 1 << 16;
        if (2 * launch.parameter_bytes.size() != digits.size() || launch.parameter_bytes.size() > most) {
            fields.fault("parameter_bytes", "is no text of pairs of hexadecimal digits, at most 65536");
        }
        const auto end = static_cast<std::int64_t>(launch.parameter_bytes.size());
        std::size_t i = 0;
        for (const auto& entry : fields.list("parameters", false)) {
            const auto key = fmt::format("parameters[{}]", i++);
            const auto* offset = entry.is_object() && entry.contains("offset") ? &entry["offset"] : nullptr;
            const auto* bytes = entry.is_object() && entry.contains("bytes") ? &entry["bytes"] : nullptr;
            if (offset == nullptr || bytes == nullptr) {
                fields.fault(key, "has not both offset and bytes");
                continue;
            }
            const auto from = fields.whole(*offset, key + ".offset", 0, end);
            const auto size = fields.whole(*bytes, key + ".bytes", 1, end - from.value_or(0));
            launch.parameters.push_back({from.value_or(0), size.value_or(1)});
        }
    }

    void add_allocations(const Fields& fields, int line, RecordedLaunch& launch) {
        const auto path = folder_ + "/launches.jsonl";
        std::size_t i = 0;
        for (const auto& entry : fields.list("allocations", true)) {
            const auto key = fmt::format("allocations[{}]", i++);
            if (!entry.is_object()) {
                fields.fault(key, "is no object");
                continue;
            }
            const Fields of_entry(entry, path, line, faults_, key + '.');
            RecordedAllocation allocation;
            const auto address = of_entry.text("address", true);
            const auto value = address.starts_with("0x")
                                   ? parse_number<std::uint64_t>(std::string_view(address).substr(2), 16)
                                   : std::nullopt;
            if (!value && !address.empty()) {
                of_entry.fault("address", "is no hexadecimal number 0x...");
            }
            allocation.address = value.value_or(0);
            // the emulator's allocations lie 2^40 bytes apart
            allocation.bytes = of_entry.number("bytes", 1, std::int64_t{1} << 38);
            allocation.recorded_bytes = of_entry.number("recorded_bytes", 0, allocation.bytes);
            allocation.restored = of_entry.flag("restored");
            const auto contents = of_entry.text("contents", false);
            allocation.zeros = contents == "zeros";
            if (!contents.empty() && !allocation.zeros) {
                allocation.file = file_of(of_entry, "contents", contents, "data/", allocation.recorded_bytes);
            }
            const bool overlaps =
                !launch.allocations.empty() &&
                allocation.address < launch.allocations.back().address +
                                         static_cast<std::uint64_t>(launch.allocations.back().bytes);
            if (overlaps) {
                of_entry.fault("address", "is not behind the allocation before it");
            }
            launch.allocations.push_back(std::move(allocation));
        }
    }

    // "zeros", a file of so many bytes, or nothing.
    template <class Recorded>
    void set_contents(const Fields& entry, std::int64_t bytes, Recorded& recorded) {
        const auto contents = entry.text("contents", false);
        recorded.zeros = contents == "zeros";
        if (!contents.empty() && !recorded.zeros) {
            recorded.file = file_of(entry, "contents", contents, "data/", bytes);
        }
    }

    // visit(fields of the entry) of each object of a list that may be missing.
    template <class Visit>
    void for_each_entry(const Fields& fields, const char* list, int line, const Visit& visit) {
        std::size_t i = 0;
        for (const auto& entry : fields.list(list, false)) {
            const auto key = fmt::format("{}[{}]", list, i++);
            if (entry.is_object()) {
                visit(Fields(entry, folder_ + "/launches.jsonl", line, faults_, key + '.'));
            } else {
                fields.fault(key, "is no object");
            }
        }
    }

    void add_variables(const Fields& fields, int line, RecordedLaunch& launch) {
        if (fields.find("variables") == nullptr) {
            return;
        }
        launch.variables.emplace();
        for_each_entry(fields, "variables", line, [&](const Fields& entry) {
            RecordedVariable variable;
            variable.name = entry.text("name", true);
            variable.recorded_bytes = entry.number("recorded_bytes", 0, std::int64_t{1} << 38);
            set_contents(entry, variable.recorded_bytes, variable);
            launch.variables->push_back(std::move(variable));
        });
    }

    void add_textures(const Fields& fields, int line, RecordedLaunch& launch) {
        const auto end = static_cast<std::int64_t>(launch.parameter_bytes.size());
        for_each_entry(fields, "textures", line, [&](const Fields& entry) {
            RecordedTexture texture;
            texture.offset = entry.number("offset", 0, std::max<std::int64_t>(0, end - 8));
            texture.surface = entry.flag("surface");
            texture.text = entry.text("text", true);
            texture.bytes = entry.number("bytes", 0, std::int64_t{1} << 38);
            set_contents(entry, texture.bytes, texture);
            const auto read = read_texture(texture.text, texture.surface);
            if (!read.fault.empty() || !read.contents.empty()) {
                entry.fault("text", read.fault.empty() ? "has contents" : read.fault);
            } else if (texture.bytes != 0 && texture.bytes != read.texture.bytes()) {
                entry.fault("bytes", fmt::format("are {}, but the texture's are {}", texture.bytes,
                                                 read.texture.bytes()));
            }
            launch.textures.push_back(std::move(texture));
        });
    }

    static void add_times(const Fields& fields, RecordedLaunch& launch) {
        if (const auto* time = fields.find("time_us")) {
            launch.first_us = fields.time(*time, "time_us");
        }
        for (const auto& replay : fields.list("replays_us", false)) {
            if (const auto time = fields.time(replay, "replays_us")) {
                launch.replays_us.push_back(*time);
            }
        }
    }

    std::string folder_;
    std::int64_t expected_ = 0;
    std::vector<Diagnostic> faults_;
};

}  // namespace

Recording read_recording(const std::string& folder) {
    return Reader(folder).read();
}

}  // namespace gpumodel
