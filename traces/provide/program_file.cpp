#include "traces/provide/program_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <tuple>

#include "base/diagnostics.h"
#include "base/files/byte_stream.h"
#include "base/hash.h"
#include "traces/sass/reader/sass_reader.h"

namespace gpumodel {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "gpumodel programs 1";
constexpr int control_shift = 41;  // of the high half: above are stall, barriers and reuse (control_word.h)
constexpr std::uint64_t opcode_bits = (std::uint64_t{1} << control_shift) - 1;
constexpr std::size_t low_planes = 8, high_planes = 6, index_planes = 3, control_planes = 3;

std::string checksum(std::string_view bytes) {
    return fmt::format("{:016x}", fnv1a<std::uint64_t>(bytes));
}

void add_planes(const std::vector<std::uint64_t>& values, std::size_t planes, std::string& bytes) {
    for (std::size_t plane = 0; plane < planes; ++plane) {
        for (const auto value : values) {
            bytes += static_cast<char>((value >> (8 * plane)) & 0xff);
        }
    }
}

// Takes `planes` planes of `count` bytes off the front.
std::vector<std::uint64_t> take_planes(std::string_view& bytes, std::size_t count, std::size_t planes) {
    std::vector<std::uint64_t> values(count);
    for (std::size_t plane = 0; plane < planes; ++plane) {
        for (std::size_t i = 0; i < count; ++i) {
            values[i] |= std::uint64_t{static_cast<unsigned char>(bytes[plane * count + i])} << (8 * plane);
        }
    }
    bytes.remove_prefix(count * planes);
    return values;
}

std::uint64_t zigzag(std::int64_t value) {
    return value >= 0 ? static_cast<std::uint64_t>(value) << 1
                      : (static_cast<std::uint64_t>(-value) << 1) - 1;
}

std::int64_t unzigzag(std::uint64_t value) {
    const auto half = static_cast<std::int64_t>((value + 1) >> 1);
    return (value & 1) != 0 ? -half : half;
}

class Dictionary {
public:
    std::size_t index(const ListedWord& word) {
        const std::tuple key{word.text, word.low, word.high & opcode_bits};
        const auto [found, added] = index_.try_emplace(key, index_.size());
        if (added) {
            texts_ += word.text + '\n';
            low_.push_back(word.low);
            high_.push_back(word.high & opcode_bits);
        }
        return found->second;
    }
    [[nodiscard]] std::size_t size() const { return low_.size(); }
    [[nodiscard]] std::string bytes() const {
        auto all = texts_;
        add_planes(low_, low_planes, all);
        add_planes(high_, high_planes, all);
        return all;
    }

private:
    std::map<std::tuple<std::string, std::uint64_t, std::uint64_t>, std::size_t> index_;
    std::string texts_;
    std::vector<std::uint64_t> low_, high_;
};

std::string entry_bytes(const std::vector<ListedWord>& words, Dictionary& dictionary) {
    std::vector<std::uint64_t> distances, control;
    std::int64_t expected = 0;
    for (const auto& word : words) {
        const auto index = static_cast<std::int64_t>(dictionary.index(word));
        distances.push_back(zigzag(index - expected));
        control.push_back(word.high >> control_shift);
        expected = index + 1;
    }
    std::string bytes;
    add_planes(distances, index_planes, bytes);
    add_planes(control, control_planes, bytes);
    return bytes;
}

struct Part {
    std::size_t at = 0, bytes = 0, words = 0;
    std::string checksum;
};

Json part_json(std::string_view bytes, std::size_t words) {
    return {{"words", words}, {"bytes", bytes.size()}, {"checksum", checksum(bytes)}};
}

SassConstantBanks constants_of(const Json& entry) {
    SassConstantBanks banks;
    const auto stored = entry.value("constants", Json::object());
    for (const auto& [bank, words] : stored.items()) {
        SassConstants constants;
        constants.bank = std::stoi(bank);
        for (const auto& word : words) {
            constants.words.push_back(word.is_null() ? std::nullopt
                                                     : std::optional(word.get<std::uint32_t>()));
        }
        banks.list.push_back(std::make_shared<const SassConstants>(std::move(constants)));
    }
    return banks;
}

}  // namespace

PackedKernel with_constants(PackedKernel kernel, const SassFunction& function) {
    std::set<int> read;
    for (const auto& instruction : function.instructions) {
        for (const auto& operand : instruction.operands) {
            if (operand.kind == OperandKind::constant && operand.bank > 0) {
                read.insert(operand.bank);
            }
        }
    }
    for (const auto& bank : function.constants.list) {
        if (read.erase(bank->bank) > 0) {
            kernel.constants.list.push_back(bank);
        }
    }
    if (!read.empty()) {
        throw InputError(InputErrorKind::invalid_input,
                         {{"", 0, 0, kernel.function.name,
                           fmt::format("reads c[{:#x}], which the listing does not have", *read.begin())}});
    }
    return kernel;
}

std::string program_file(const std::vector<PackedKernel>& kernels, const std::string& made_by, int level) {
    Dictionary dictionary;
    Json entries = Json::array();
    std::string blobs;
    for (const auto& kernel : kernels) {
        // higher levels gain nothing on a few KB, and set up tables of 100 MB each time
        const auto blob =
            packed(entry_bytes(kernel.function.words, dictionary), Packing::zstd, std::min(level, 9));
        auto entry = part_json(blob, kernel.function.words.size());
        entry["name"] = kernel.function.name;
        entry["registers"] = kernel.registers_per_thread;
        entry["shared"] = kernel.static_shared_bytes;
        entry["local"] = kernel.local_bytes;
        for (const auto& bank : kernel.constants.list) {
            Json words = Json::array();
            for (const auto& word : bank->words) {
                words.push_back(word ? Json(*word) : Json(nullptr));
            }
            entry["constants"][std::to_string(bank->bank)] = std::move(words);
        }
        entries.push_back(std::move(entry));
        blobs += blob;
    }
    const auto words = packed(dictionary.bytes(), Packing::zstd, level);
    const Json head{{"format", format_name},
                    {"generation", kernels.empty() ? "" : kernels.front().function.arch},
                    {"made_by", made_by},
                    {"dictionary", part_json(words, dictionary.size())},
                    {"entries", entries}};
    const auto text = head.dump();
    return checksum(text) + ' ' + text + '\n' + words + blobs;
}

struct ProgramFileReader::File {
    std::string path, generation, made_by, bytes;
    Part dictionary;
    struct Entry {
        Part part;
        int registers = 0;
        std::int64_t shared = 0, local = 0;
        SassConstantBanks constants;
    };
    std::map<std::string, Entry> entries;
    mutable std::once_flag once;
    mutable std::vector<ListedWord> words;  // the dictionary

    [[noreturn]] void damaged(const std::string& what) const {
        throw InputError(InputErrorKind::invalid_input,
                         {{path, 0, 0, "", "is damaged: " + what + "; make or install it again"}});
    }

    // The part's bytes, checked and unpacked.
    [[nodiscard]] std::string unpacked(const Part& part, const std::string& name) const {
        const auto stored = std::string_view(bytes).substr(part.at, part.bytes);
        if (checksum(stored) != part.checksum) {
            damaged("the checksum of " + name + " does not fit");
        }
        try {
            ByteSource source(stored, Packing::zstd);
            std::string all(1 << 16, '\0');
            std::size_t size = 0;
            while (const auto got = source.read(all.data() + size, all.size() - size)) {
                size += got;
                all.resize(size == all.size() ? 2 * size : all.size());
            }
            all.resize(size);
            return all;
        } catch (const DamagedBytes& fault) {
            damaged(name + ": " + fault.what());
        }
    }

    void read_head() {
        const auto end = bytes.find('\n');
        constexpr std::size_t digits = 17;  // checksum and a space
        const auto line = bytes.substr(0, std::min(end, bytes.size()));
        const bool whole =
            line.size() > digits && checksum(line.substr(digits)) + ' ' == line.substr(0, digits);
        const auto head = whole ? Json::parse(line.substr(digits), nullptr, false) : Json();
        if (!head.is_object() || head.value("format", "") != format_name) {
            damaged(fmt::format("it does not begin as a file of '{}'", format_name));
        }
        std::size_t at = end + 1;
        const auto part = [&](const Json& from) {
            Part read{at, from.at("bytes").get<std::size_t>(), from.at("words").get<std::size_t>(),
                      from.at("checksum").get<std::string>()};
            if (read.bytes > bytes.size() - at) {
                damaged("its end is missing");
            }
            at += read.bytes;
            return read;
        };
        try {
            generation = head.at("generation").get<std::string>();
            made_by = head.at("made_by").get<std::string>();
            dictionary = part(head.at("dictionary"));
            for (const auto& entry : head.at("entries")) {
                entries[entry.at("name").get<std::string>()] = {
                    part(entry), entry.at("registers").get<int>(), entry.at("shared").get<std::int64_t>(),
                    entry.at("local").get<std::int64_t>(), constants_of(entry)};
            }
        } catch (const Json::exception& fault) {
            damaged(fault.what());
        }
    }

    void read_dictionary() const {
        const auto all = unpacked(dictionary, "the dictionary");
        std::string_view rest = all;
        const auto count = dictionary.words;
        std::vector<ListedWord> list(count);
        for (auto& word : list) {
            const auto end = rest.find('\n');
            if (end == std::string_view::npos) {
                damaged("the dictionary is too short");
            }
            word.text = rest.substr(0, end);
            rest.remove_prefix(end + 1);
        }
        if (rest.size() != count * (low_planes + high_planes)) {
            damaged("the dictionary has another length than it says");
        }
        const auto low = take_planes(rest, count, low_planes);
        const auto high = take_planes(rest, count, high_planes);
        for (std::size_t i = 0; i < count; ++i) {
            list[i].low = low[i];
            list[i].high = high[i];
        }
        words = std::move(list);
    }

    [[nodiscard]] std::vector<ListedWord> words_of(const std::string& name, const Part& part) const {
        std::call_once(once, [this] { read_dictionary(); });
        const auto all = unpacked(part, name);
        std::string_view rest = all;
        if (rest.size() != part.words * (index_planes + control_planes)) {
            damaged(name + " has another length than it says");
        }
        const auto distances = take_planes(rest, part.words, index_planes);
        const auto control = take_planes(rest, part.words, control_planes);
        std::vector<ListedWord> list;
        list.reserve(part.words);
        std::int64_t expected = 0;
        for (std::size_t i = 0; i < part.words; ++i) {
            const auto index = expected + unzigzag(distances[i]);
            if (index < 0 || index >= static_cast<std::int64_t>(words.size())) {
                damaged(name + " names a word that the dictionary does not have");
            }
            list.push_back(words[static_cast<std::size_t>(index)]);
            list.back().high |= control[i] << control_shift;
            expected = index + 1;
        }
        return list;
    }
};

ProgramFileReader::ProgramFileReader(const std::string& path) : file_(std::make_unique<File>()) {
    file_->path = path;
    std::ifstream in(path, std::ios::binary);
    std::ostringstream all;
    all << in.rdbuf();
    if (!in) {
        throw InputError(InputErrorKind::usage, {{path, 0, 0, "", "cannot read this file"}});
    }
    file_->bytes = std::move(all).str();
    file_->read_head();
}

ProgramFileReader::~ProgramFileReader() = default;

std::vector<std::string> ProgramFileReader::names() const {
    std::vector<std::string> list;
    for (const auto& [name, entry] : file_->entries) {
        list.push_back(name);
    }
    return list;
}

bool ProgramFileReader::has(const std::string& name) const {
    return file_->entries.contains(name);
}

PackedKernel ProgramFileReader::packed(const std::string& name) const {
    const auto& entry = file_->entries.at(name);
    return {{name, file_->generation, file_->words_of(name, entry.part)},
            entry.registers,
            entry.shared,
            entry.local,
            entry.constants};
}

CompiledKernel ProgramFileReader::load(const std::string& name) const {
    const auto kernel = packed(name);
    auto module = read_sass(listing_text(kernel.function), file_->path + ":" + name);
    module.functions.front().constants = kernel.constants;
    return {std::move(module.functions.front()), kernel.registers_per_thread, kernel.static_shared_bytes,
            kernel.local_bytes, file_->made_by};
}

}  // namespace gpumodel
