#include <algorithm>
#include <cctype>
#include <cstring>

#include "traces/sass/opcodes/texture_operands.h"
#include "validate/recording/recording.h"

namespace gpumodel {

namespace {

using Type = KernelArgument::Type;

std::vector<RecordedParameter> parameters_of(const RecordedLaunch& launch, const SassFunction& function) {
    if (!launch.parameters.empty() || !function.resources) {
        return launch.parameters;
    }
    std::vector<RecordedParameter> list;
    for (const auto& parameter : function.resources->parameters) {
        list.push_back({parameter.offset, parameter.bytes});
    }
    return list;
}

// Little endian; bytes beyond the end count as 0.
std::uint64_t word_at(const std::vector<std::uint8_t>& bytes, std::int64_t offset, std::int64_t count) {
    std::uint64_t value = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(offset + i);
        value |= at < bytes.size() ? std::uint64_t{bytes[at]} << (8 * static_cast<unsigned>(i)) : 0;
    }
    return value;
}

template <class Recorded>
std::shared_ptr<const GivenData> data_of(const Recorded& recorded, std::int64_t bytes) {
    if (recorded.zeros) {
        return given_rule("zeros", bytes).data;
    }
    return recorded.file.empty() ? nullptr : given_file(recorded.file);
}

bool uses_textures(const SassFunction& function) {
    return std::any_of(function.instructions.begin(), function.instructions.end(), [](const auto& in) {
        return is_texture(in) || in.opcode.starts_with("SULD") || in.opcode.starts_with("SUST") ||
               in.opcode.starts_with("SUATOM") || in.opcode.starts_with("SURED");
    });
}

class Arguments {
public:
    Arguments(const RecordedLaunch& launch, bool has_textures)
        : launch_(launch), has_textures_(has_textures), first_(launch.allocations.size()) {}

    void add(std::int64_t offset, std::int64_t bytes) {
        const auto value = word_at(launch_.parameter_bytes, offset, bytes);
        KernelArgument argument;
        argument.offset = offset;
        argument.name = "arg" + std::to_string(result.list.size());
        argument.type = bytes == 8 ? Type::int64 : Type::int32;
        argument.integer = static_cast<std::int64_t>(value);
        if (const auto into = bytes == 8 ? allocation_at(value) : launch_.allocations.size();
            into < launch_.allocations.size()) {
            point(argument, into, value);
        } else if (const auto* texture = bytes == 8 ? texture_at(offset) : nullptr) {
            set_texture(argument, *texture);
        }
        result.list.push_back(std::move(argument));
        result.bytes = offset + bytes;
    }

    // nullptr: none, or no more than a number.
    [[nodiscard]] const RecordedTexture* texture_at(std::int64_t offset) const {
        const auto found = std::find_if(launch_.textures.begin(), launch_.textures.end(),
                                        [offset](const auto& t) { return t.offset == offset; });
        return has_textures_ && found != launch_.textures.end() ? &*found : nullptr;
    }

    // Counted from 0; their number where the address is in none.
    [[nodiscard]] std::size_t allocation_at(std::uint64_t address) const {
        const auto found =
            std::find_if(launch_.allocations.begin(), launch_.allocations.end(), [&](const auto& a) {
                return address >= a.address && address - a.address < static_cast<std::uint64_t>(a.bytes);
            });
        return static_cast<std::size_t>(found - launch_.allocations.begin());
    }

    KernelArguments result;

private:
    static void set_texture(KernelArgument& argument, const RecordedTexture& recorded) {
        argument.type = Type::texture;
        argument.integer = 0;
        argument.texture =
            std::make_shared<const Texture>(read_texture(recorded.text, recorded.surface).texture);
        argument.allocation_bytes = argument.texture->bytes();
        argument.data = data_of(recorded, recorded.bytes);
    }

    void point(KernelArgument& argument, std::size_t into, std::uint64_t address) {
        const auto& allocation = launch_.allocations[into];
        argument.type = Type::pointer;
        argument.integer = 0;
        argument.begins_at = static_cast<std::int64_t>(address - allocation.address);
        argument.allocation_of = first_[into];
        argument.allocation_bytes = allocation.bytes;
        argument.address = static_cast<std::int64_t>(allocation.address);
        if (!first_[into]) {
            first_[into] = result.list.size();
            argument.data = data_of(allocation, allocation.recorded_bytes);
        }
    }

    const RecordedLaunch& launch_;
    bool has_textures_;
    std::vector<std::optional<std::size_t>> first_;  // argument that owns each allocation
};

KernelArguments arguments_of(const RecordedLaunch& launch, const SassFunction& function) {
    Arguments arguments(launch, uses_textures(function));
    const auto parameters = parameters_of(launch, function);
    const auto end = static_cast<std::int64_t>(launch.parameter_bytes.size());
    constexpr std::int64_t half = 4, word = 8;
    for (std::int64_t offset = 0; offset < end;) {
        const auto at = std::find_if(parameters.begin(), parameters.end(),
                                     [&](const RecordedParameter& p) { return p.offset == offset; });
        const bool is_word = at != parameters.end() && at->bytes == word;
        const bool may_point = offset % word == 0 && offset + word <= end;
        const bool points = may_point && arguments.allocation_at(word_at(launch.parameter_bytes, offset,
                                                                         word)) < launch.allocations.size();
        const bool is_object = arguments.texture_at(offset) != nullptr;
        const auto bytes = is_word || points || is_object ? word : half;
        arguments.add(offset, bytes);
        offset += bytes;
    }
    return std::move(arguments.result);
}

std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words(1);
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) == 0) {
            words.emplace_back();
        } else {
            words.back() += static_cast<char>(std::tolower(byte));
        }
    }
    return words;
}

}  // namespace

std::optional<double> RecordedLaunch::measured_us() const {
    if (replays_us.empty()) {
        return first_us;
    }
    auto sorted = replays_us;
    std::sort(sorted.begin(), sorted.end());
    const auto half = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

SassLaunch launch_of(const RecordedLaunch& launch, const SassFunction& function) {
    SassLaunch result;
    result.grid = launch.grid;
    result.block = launch.block;
    result.dynamic_shared_bytes = launch.dynamic_shared_bytes;
    result.arguments = arguments_of(launch, function);
    result.knows_constants = launch.variables.has_value();
    for (const auto& variable : launch.variables.value_or(std::vector<RecordedVariable>())) {
        if (auto data = data_of(variable, variable.recorded_bytes)) {
            result.variables.push_back({variable.name, std::move(data)});
        }
    }
    return result;
}

bool measured_on(const RecordedLaunch& launch, const std::string& product, const std::string& generation) {
    if (launch.generation != generation) {
        return false;
    }
    // "h200_sxm" and "NVIDIA H200", "k40" and "Tesla K40m"
    const auto segments = words_of(product);
    const auto numbered = std::find_if(segments.begin(), segments.end(), [](const std::string& s) {
        return s.find_first_of("0123456789") != std::string::npos;
    });
    const auto words = words_of(launch.device);
    return numbered != segments.end() && std::any_of(words.begin(), words.end(), [&](const std::string& w) {
               return w.starts_with(*numbered);
           });
}

}  // namespace gpumodel
