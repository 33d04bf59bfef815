// One launch: what is known of it, its data, its time, and the line that says all that.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <nlohmann/json.hpp>

#include "base/demangle.h"
#include "validate/recorder/preload/driver.h"
#include "validate/recorder/preload/launch_request.h"
#include "validate/recorder/preload/launch_timer.h"
#include "validate/recorder/preload/recorded_memory.h"
#include "validate/recorder/preload/settings.h"
#include "validate/recorder/preload/textures.h"

namespace gpumodel::recorder {

namespace {

using Json = nlohmann::ordered_json;

// One per process; launches of several threads are recorded one after the other.
struct Recorder {
    Settings settings = settings_of_environment();
    RecordingFiles files{settings.folder};
    std::mutex mutex;
    std::int64_t seen = 0, recorded = 0;
    bool said_full = false;
};

// Never destroyed: programs launch kernels from their own destructors.
Recorder& recorder() {
    static auto* const instance = new Recorder;  // NOLINT: see above
    return *instance;
}

std::string hexadecimal(std::uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

std::string hex_text(const std::vector<std::uint8_t>& bytes) {
    constexpr const char* digits = "0123456789abcdef";
    std::string text;
    for (const auto byte : bytes) {
        text += digits[byte >> 4U];
        text += digits[byte & 15U];
    }
    return text;
}

bool is_captured(CUstream stream) {
    int status = 0;
    return call_driver("cuStreamIsCapturing", stream, &status) != success || status != 0;
}

Json attribute(const KnownKernel& kernel, int which) {
    int value = 0;
    return kernel.function != nullptr &&
                   call_driver("cuFuncGetAttribute", &value, which, kernel.function) == success
               ? Json(value)
               : Json();
}

// Of the context's GPU, in every line: a program may use several.
Json device_fields() {
    Json fields;
    CUdevice device = 0;
    int version = 0, major = 0, minor = 0;
    char name[256] = "";
    if (call_driver("cuCtxGetDevice", &device) != success) {
        return fields;
    }
    if (call_driver("cuDeviceGetName", &name[0], static_cast<int>(sizeof name), device) == success) {
        fields["name"] = name;
    }
    if (call_driver("cuDeviceGetAttribute", &major, device_capability_major, device) == success &&
        call_driver("cuDeviceGetAttribute", &minor, device_capability_minor, device) == success) {
        fields["generation"] = "sm_" + std::to_string(10 * major + minor);
    }
    if (call_driver("cuDriverGetVersion", &version) == success) {
        fields["driver"] = version;
    }
    return fields;
}

void add_code(Recorder& to, const KnownKernel& kernel, Json& line, Json& notes) {
    line["kernel"] = kernel.name;
    line["name"] = readable_entry(kernel.name);
    line["image"] = nullptr;
    const auto code = kernel.code && !kernel.code->bytes.empty() ? kernel.code : program_with(kernel.name);
    if (!code) {
        notes.push_back("the code of this kernel was not seen when it was loaded");
        return;
    }
    const auto file = to.files.add_image(code->image());
    if (!file.empty()) {
        line["image"] = file;
    }
    if (code->kind == CodeKind::program) {
        notes.push_back("the code was not seen when it was loaded: it is taken from the program's file");
    }
    if (code->kind == CodeKind::ptx) {
        notes.push_back("the code is PTX, which the driver compiled: no machine code is recorded");
    }
}

void add_shape(const LaunchRequest& request, const KnownKernel& kernel, Json& line) {
    line["grid"] = request.grid;
    line["block"] = request.block;
    line["cluster"] = request.cluster;
    line["cooperative"] = request.cooperative;
    line["dynamic_shared_bytes"] = request.dynamic_shared_bytes;
    line["static_shared_bytes"] = attribute(kernel, attribute_shared_bytes);
    line["registers"] = attribute(kernel, attribute_registers);
    line["local_bytes"] = attribute(kernel, attribute_local_bytes);
    line["code_version"] = attribute(kernel, attribute_binary_version);
}

void add_parameters(const ParameterBytes& parameters, Json& line, Json& notes) {
    line["parameters"] = Json::array();
    for (const auto& place : parameters.places) {
        line["parameters"].push_back({{"offset", place.offset}, {"bytes", place.bytes}});
    }
    line["parameter_bytes"] = hex_text(parameters.bytes);
    if (!parameters.fault.empty()) {
        notes.push_back(parameters.fault);
    }
}

void add_allocations(Recorder& to, const std::vector<Allocation>& allocations, Json& line, Json& notes) {
    line["allocations"] = Json::array();
    for (const auto& a : allocations) {
        Json entry{{"address", hexadecimal(a.address)},
                   {"bytes", a.bytes},
                   {"recorded_bytes", a.head.size()},
                   {"contents", nullptr}};
        const auto file = a.fault.empty() ? to.files.add_data(a.head) : "";
        if (!file.empty()) {
            entry["contents"] = file;
        }
        if (!a.fault.empty()) {
            notes.push_back(hexadecimal(a.address) + ": " + a.fault);
        } else if (file.empty()) {
            notes.push_back(hexadecimal(a.address) + ": its contents could not be written");
        } else if (!a.whole()) {
            notes.push_back(hexadecimal(a.address) + ": the first " + std::to_string(a.head.size()) + " of " +
                            std::to_string(a.bytes) + " bytes are recorded");
        }
        line["allocations"].push_back(std::move(entry));
    }
}

// "data/HASH.bin" or "zeros", null where there is nothing.
Json contents_of(Recorder& to, const std::vector<std::uint8_t>& bytes) {
    const auto file = bytes.empty() ? "" : to.files.add_data(bytes);
    return file.empty() ? Json() : Json(file);
}

void add_variables(Recorder& to, const KnownKernel& kernel, Json& line, Json& notes) {
    if (!kernel.code) {
        return;  // nor were they
    }
    line["variables"] = Json::array();
    for (const auto& variable : LoadedCodes::instance().variables_of(kernel)) {
        std::vector<std::uint8_t> bytes(
            std::min<std::size_t>(variable.bytes, static_cast<std::size_t>(to.settings.cap)));
        if (call_driver("cuMemcpyDtoH_v2", static_cast<void*>(bytes.data()), variable.address,
                        bytes.size()) != success) {
            bytes.clear();
        }
        auto contents = contents_of(to, bytes);
        if (contents.is_null()) {
            notes.push_back("the variable " + variable.name + " could not be recorded");
        }
        line["variables"].push_back({{"name", variable.name},
                                     {"bytes", variable.bytes},
                                     {"recorded_bytes", bytes.size()},
                                     {"contents", std::move(contents)}});
    }
}

void add_textures(Recorder& to, const ParameterBytes& parameters, Json& line, Json& notes) {
    line["textures"] = Json::array();
    for (const auto& texture : textures_of(parameters, static_cast<std::uint64_t>(to.settings.cap))) {
        if (!texture.fault.empty()) {
            notes.push_back("the texture or surface at byte " + std::to_string(texture.offset) +
                            " of the parameters: " + texture.fault);
        }
        if (!texture.text.empty()) {
            line["textures"].push_back({{"offset", texture.offset},
                                        {"surface", texture.surface},
                                        {"text", texture.text},
                                        {"bytes", texture.texels.size()},
                                        {"contents", contents_of(to, texture.texels)}});
        }
    }
}

// Whether the launch can be made again on what it found. Notes say why not.
bool may_replay(const Recorder& to, const std::vector<Allocation>& allocations, Json& notes) {
    if (to.settings.repeat == 0) {
        return false;
    }
    const bool whole =
        std::all_of(allocations.begin(), allocations.end(), [](const Allocation& a) { return a.whole(); });
    if (!whole) {
        notes.push_back("not replayed: not all that it may write is recorded whole");
    }
    return whole;
}

// The launch so often as is asked for; the last one leaves what the program's own left.
void add_replays(const Recorder& to, const LaunchRequest& request, Backup& backup, Json& line, Json& notes) {
    for (std::int64_t i = 0; i < to.settings.repeat && backup.complete(); ++i) {
        const auto time = timed_launch(request, [&] { backup.restore(request.stream); });
        if (time.status == success && time.microseconds >= 0 && time.held) {
            line["replays_us"].push_back(time.microseconds);
        }
    }
    if (!backup.complete()) {
        notes.push_back("not replayed: its data could not be kept on the GPU");
    }
}

enum class Choice : unsigned char { record, pass };

Choice chosen(Recorder& to, const KnownKernel& kernel) {
    const auto& filter = to.settings.filter;
    if (!filter.empty() && kernel.name.find(filter) == std::string::npos &&
        readable_entry(kernel.name).find(filter) == std::string::npos) {
        return Choice::pass;
    }
    if (++to.seen <= to.settings.skip) {
        return Choice::pass;
    }
    if (to.recorded >= to.settings.most_launches) {
        if (!to.said_full) {
            to.files.add_line("skipped.jsonl", {{"process", getpid()},
                                                {"kernel", kernel.name},
                                                {"why", "this and all further launches: --max-launches"}});
        }
        to.said_full = true;
        return Choice::pass;
    }
    return Choice::record;
}

CUresult recorded(Recorder& to, const LaunchRequest& request, const KnownKernel& kernel) {
    Json line{{"launch", to.recorded++}, {"process", getpid()}};
    Json notes = Json::array();
    line["device"] = device_fields();
    add_code(to, kernel, line, notes);
    add_shape(request, kernel, line);
    const auto parameters = parameters_of(request, kernel);
    add_parameters(parameters, line, notes);
    // nothing that may still write this memory runs on while it is read
    call_driver("cuCtxSynchronize");
    const auto allocations = allocations_of(parameters, static_cast<std::uint64_t>(to.settings.cap));
    add_allocations(to, allocations, line, notes);
    add_variables(to, kernel, line, notes);
    add_textures(to, parameters, line, notes);
    const bool replays = may_replay(to, allocations, notes);
    const auto time = timed_launch(request);
    line["time_us"] = time.microseconds < 0 ? Json() : Json(time.microseconds);
    if (time.microseconds >= 0 && !time.held) {
        notes.push_back(
            "the stream could not be held: the time may hold the way from the program to the GPU");
    }
    line["replays_us"] = Json::array();
    if (time.status == success && time.microseconds >= 0) {
        if (replays) {
            Backup backup(allocations);
            for (std::size_t i = 0; i < allocations.size(); ++i) {
                line["allocations"][i]["restored"] = backup.restores(allocations[i].address);
            }
            add_replays(to, request, backup, line, notes);
        }
    } else {
        notes.push_back("the launch failed: error " + std::to_string(time.status));
    }
    line["notes"] = std::move(notes);
    to.files.add_line("launches.jsonl", line);
    return time.status;
}

}  // namespace

CUresult record_launch(const LaunchRequest& request) {
    auto& to = recorder();
    if (to.settings.folder.empty()) {
        return request.launch();
    }
    const std::lock_guard lock(to.mutex);
    const auto kernel = LoadedCodes::instance().find(request.function);
    if (chosen(to, kernel) == Choice::pass) {
        return request.launch();
    }
    if (is_captured(request.stream)) {
        to.files.add_line("skipped.jsonl", {{"process", getpid()},
                                            {"kernel", kernel.name},
                                            {"why", "it goes into a graph, whose launches are not seen"}});
        return request.launch();
    }
    return recorded(to, request, kernel);
}

}  // namespace gpumodel::recorder
