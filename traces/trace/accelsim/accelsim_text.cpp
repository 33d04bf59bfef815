#include "traces/trace/accelsim/accelsim_text.h"

#include <fmt/format.h>

#include <bit>
#include <iterator>

#include "traces/trace/native/program_fields.h"

namespace gpumodel {

namespace {

constexpr std::size_t most_sources = 4;    // Accel-Sim stops at more
constexpr std::uint32_t kepler_group = 7;  // instructions per control word

void collect(const std::vector<Node>& nodes, std::vector<const Segment*>& list) {
    for (const auto& node : nodes) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            collect(loop->body, list);
            continue;
        }
        for (const auto& segment : std::get<Interval>(node).segments) {
            list.push_back(&segment);
        }
    }
}

// What makes an instruction the same one in all segments: everything but its site.
std::string identity(Instruction instruction) {
    instruction.site = instruction.word = 0;
    auto object = nlohmann::json::object();
    FieldWriter fields(object);
    instruction_fields(fields, instruction);
    std::string bytes;
    nlohmann::json::to_cbor(object, bytes);
    return bytes;
}

std::string identity(const Segment& segment) {
    std::string bytes;
    for (const auto& instruction : segment.code) {
        bytes += identity(instruction);
    }
    return bytes;
}

std::string registers(const Instruction& instruction, const std::string& mnemonic) {
    std::vector<int> sources;
    for (std::size_t i = 0; i < instruction.source_count && sources.size() < most_sources; ++i) {
        if (instruction.sources[i].kind == RegisterKind::vector) {
            sources.push_back(instruction.sources[i].index);
        }
    }
    // The first source of a memory instruction is its address; without a register it is RZ.
    const bool store = instruction.access_kind == AccessKind::store;
    if (instruction.access_bytes > 0 && sources.size() < (store ? 2U : 1U)) {
        sources.insert(sources.begin(), 255);
    }
    std::string text = "0";
    for (std::size_t i = 0; i < instruction.result_count; ++i) {
        if (instruction.results[i].kind == RegisterKind::vector) {
            text = fmt::format("1 R{}", instruction.results[i].index);
            break;
        }
    }
    fmt::format_to(std::back_inserter(text), " {} {}", mnemonic, sources.size());
    for (const int source : sources) {
        fmt::format_to(std::back_inserter(text), " R{}", source);
    }
    return text;
}

AccelSimText text_of(const Instruction& instruction, std::uint32_t pc, const MnemonicTable& mnemonics) {
    const auto& mnemonic = mnemonics.name(instruction.mnemonic);
    AccelSimText text;
    text.dropped = mnemonic == "TEXDEPBAR";
    text.exit = mnemonic == "EXIT" || mnemonic.starts_with("EXIT.");
    text.head = fmt::format("{:04x} ", pc);
    text.tail = fmt::format(" {} {}", registers(instruction, mnemonic), instruction.access_bytes);
    return text;
}

}  // namespace

// True if addresses differ within every segment's code and name the same instruction everywhere.
bool AccelSimTexts::own_addresses(Numbering& pcs) const {
    std::map<std::uint32_t, std::string> known;
    for (const auto& body : bodies_) {
        for (const auto* segment : body) {
            std::uint32_t last = 0;
            for (std::size_t i = 0; i < segment->code.size(); ++i) {
                const auto& instruction = segment->code[i];
                const auto [found, added] = known.try_emplace(instruction.address);
                if (added) {
                    found->second = identity(instruction);
                } else if (found->second != identity(instruction)) {
                    return false;
                }
                if (i > 0 && instruction.address == last) {
                    return false;
                }
                last = instruction.address;
                pcs[segment].push_back(instruction.address);
            }
        }
    }
    return true;
}

// New PCs; equal code at the same place of several bodies keeps one. Returns the PC behind the last.
std::uint32_t AccelSimTexts::number(Numbering& pcs, bool kepler) const {
    const auto pc = [kepler](std::uint32_t n) { return kepler ? 8 * (n + n / kepler_group + 1) : 16 * n; };
    std::map<std::pair<std::string, int>, std::uint32_t> first;
    std::uint32_t next = 0;
    pcs.clear();
    for (const auto& body : bodies_) {
        std::map<std::string, int> times;
        for (const auto* segment : body) {
            auto bytes = identity(*segment);
            const int time = times[bytes]++;
            const auto [found, added] = first.try_emplace({std::move(bytes), time}, next);
            next += added ? static_cast<std::uint32_t>(segment->code.size()) : 0;
            auto& list = pcs[segment];
            for (std::uint32_t i = 0; i < segment->code.size(); ++i) {
                list.push_back(pc(found->second + i));
            }
        }
    }
    return pc(next);
}

AccelSimTexts::AccelSimTexts(const KernelProgram& program, bool kepler) {
    const auto add = [&](const std::vector<Node>& nodes) { collect(nodes, bodies_.emplace_back()); };
    if (program.variants.empty()) {
        add(program.body);
    }
    for (const auto& variant : program.variants) {
        add(variant.body);
    }
    Numbering pcs;
    std::uint32_t end = 0;
    if (own_addresses(pcs)) {
        for (const auto& [segment, list] : pcs) {
            for (const auto pc : list) {
                end = std::max(end, pc + (kepler ? 8 : 16));
            }
        }
    } else {
        end = number(pcs, kepler);
    }
    for (const auto& body : bodies_) {
        for (const auto* segment : body) {
            auto& texts = texts_[segment];
            for (std::size_t i = texts.size(); i < segment->code.size(); ++i) {
                texts.push_back(text_of(segment->code[i], pcs.at(segment)[i], program.mnemonics));
            }
        }
    }
    exit_head_ = fmt::format("{:04x} ", end);
}

void append_addresses(std::string& text, std::uint32_t mask, const std::array<std::int64_t, 32>& address) {
    const auto out = std::back_inserter(text);
    if (mask == 0) {
        text += " 1 0x0 0";
        return;
    }
    const auto first = static_cast<std::size_t>(std::countr_zero(mask));
    const auto run = static_cast<std::size_t>(std::countr_one(mask >> first));
    bool even = run == static_cast<std::size_t>(std::popcount(mask)) && run > 1;
    for (std::size_t lane = first + 2; even && lane < first + run; ++lane) {
        even = address[lane] - address[lane - 1] == address[first + 1] - address[first];
    }
    if (even && std::abs(address[first + 1] - address[first]) <= INT32_MAX) {
        fmt::format_to(out, " 1 0x{:x} {}", address[first], address[first + 1] - address[first]);
        return;
    }
    fmt::format_to(out, " 2 0x{:x}", address[first]);
    for (auto last = first, lane = first + 1; lane < 32; ++lane) {
        if ((mask >> lane & 1) != 0) {
            fmt::format_to(out, " {}", address[lane] - address[last]);
            last = lane;
        }
    }
}

}  // namespace gpumodel
