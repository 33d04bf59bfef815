#include "traces/emulate/instruction_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "traces/emulate/translate/translator.h"
#include "traces/sass/opcodes/opcode_table.h"

namespace gpumodel {

namespace {

// Without the mnemonic in front; what differs by constant or register only is one reason.
std::string reason_of(const std::string& problem, const std::string& mnemonic) {
    auto reason = problem.starts_with(mnemonic + " ") ? problem.substr(mnemonic.size() + 1) : problem;
    for (const auto* cut : {" calls code outside this entry", " operand that is not emulated"}) {
        if (const auto at = reason.find(cut); at != std::string::npos && cut[1] == 'o') {
            reason.resize(at + std::string_view(cut).size());
        }
    }
    return reason;
}

InstructionForm form_of(const SassInstruction& in, emulate::Translator& translator, int index) {
    InstructionForm form{in.opcode, in.mnemonic(), InstructionSupport::executed, ""};
    if (!in.effect) {
        const auto known = refusal_of(in.opcode);
        form.support = InstructionSupport::refused;
        form.reason = known.empty() ? "is not known" : std::string(known);
        return form;
    }
    const auto problem = translator.translate(index).problem;
    if (!problem.empty()) {
        form.support = InstructionSupport::priced;
        form.reason = reason_of(problem, form.mnemonic);
    }
    return form;
}

struct Entry {
    std::set<std::string> mnemonics, functions;
};

// "A, B, C and 12 more".
std::string some_of(const std::set<std::string>& names) {
    constexpr std::size_t shown = 3;
    std::string text;
    std::size_t n = 0;
    for (const auto& name : names) {
        if (n++ == shown) {
            return fmt::format("{} and {} more", text, names.size() - shown);
        }
        text += fmt::format("{}`{}`", text.empty() ? "" : ", ", name);
    }
    return text;
}

using Entries = std::map<std::pair<std::string, std::string>, Entry>;  // by opcode and reason

std::string table_of(const Entries& entries) {
    std::string text = "| opcode | forms | why | for example | emitted by |\n|---|---:|---|---|---|\n";
    for (const auto& [key, entry] : entries) {
        text += fmt::format("| {} | {} | {} | {} | {} |\n", key.first, entry.mnemonics.size(), key.second,
                            some_of(entry.mnemonics), some_of(entry.functions));
    }
    return text;
}

// By mnemonic. A form is executed if it is with all kinds of operands in the listing.
std::map<std::string, InstructionForm> forms_of(const SassFunction& function) {
    std::map<std::string, InstructionForm> forms;
    for (auto& form : instruction_forms(function)) {
        auto& kept = forms.try_emplace(form.mnemonic, form).first->second;
        if (form.support > kept.support) {
            kept = form;
        }
    }
    return forms;
}

}  // namespace

std::vector<InstructionForm> instruction_forms(const SassFunction& function) {
    const emulate::ConstantBank bank(emulate::architecture_number(function.arch), {}, {}, {});
    emulate::Translator translator(function, bank);
    std::vector<InstructionForm> forms;
    for (std::size_t i = 0; i < function.instructions.size(); ++i) {
        forms.push_back(form_of(function.instructions[i], translator, static_cast<int>(i)));
    }
    return forms;
}

std::string instruction_set_document(const std::vector<const SassFunction*>& functions) {
    std::string counts =
        "| function, generation | forms | executed | priced | refused |\n|---|---:|---:|---:|---:|\n";
    Entries priced, refused;
    for (const auto* function : functions) {
        auto name = fmt::format("{}, {}", function->name, function->arch);
        std::replace(name.begin(), name.end(), '_', ' ');
        name.replace(name.rfind("sm "), 3, "sm_");
        const auto forms = forms_of(*function);
        std::array<int, 3> count{};
        for (const auto& [mnemonic, form] : forms) {
            ++count[static_cast<std::size_t>(form.support)];
            if (form.support != InstructionSupport::executed) {
                auto& list = form.support == InstructionSupport::priced ? priced : refused;
                auto& entry = list[{form.opcode, form.reason}];
                entry.mnemonics.insert(mnemonic);
                entry.functions.insert(name);
            }
        }
        counts +=
            fmt::format("| {} | {} | {} | {} | {} |\n", name, forms.size(), count[0], count[1], count[2]);
    }
    return "*Executed*: results are computed where paths or addresses need them. *Priced*: decoded and "
           "timed; a "
           "launch whose path or\naddresses need such a result is refused by name. *Refused*: not decoded; "
           "with "
           "`--allow-unknown` stepped over, unless a path\nor an address needs a result, and the prediction "
           "is "
           "`partial` and names it.\n\n" +
           counts + "\n## Priced\n" + table_of(priced) + "\n## Refused\n" + table_of(refused);
}

}  // namespace gpumodel
