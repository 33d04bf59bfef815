#include "traces/sass/reader/sass_reader.h"

#include <algorithm>
#include <map>

#include "base/diagnostics.h"
#include "base/files/byte_stream.h"
#include "traces/sass/opcodes/opcode_table.h"
#include "traces/sass/reader/constant_dump.h"
#include "traces/sass/reader/control_word.h"
#include "traces/sass/reader/instruction_line.h"
#include "traces/sass/reader/listing_arch.h"
#include "traces/sass/reader/text_scan.h"
#include "traces/sass/reader/undisassembled.h"

namespace gpumodel {

namespace {

constexpr std::size_t most_faults = 100;
constexpr std::uint64_t volta_instruction_bytes = 16;

// What a text without functions is instead, and what to do with it; "" if that does not show.
std::string likeness(std::string_view text) {
    const auto has = [&](std::string_view part) { return text.find(part) != std::string_view::npos; };
    if (text.starts_with("\x7f"
                         "ELF") ||
        text.starts_with("\x50\xed\x55\xba") || text.starts_with("\xb1\x43\x62\x46")) {
        return "; this is a compiled file: cuobjdump -sass -elf FILE > FILE.sass";
    }
    if (has(".target sm_") && has(".version ")) {
        return "; this is PTX: ptxas -arch=sm_XX FILE -o FILE.cubin, then cuobjdump -sass -elf FILE.cubin";
    }
    if (has(".section\t.text.") || has(".headerflags")) {
        return "; this is by nvdisasm, which does not name its functions so: cuobjdump -sass -elf";
    }
    if (has("__global__")) {
        return "; this is CUDA source: --cu compiles it, or nvcc -cubin, then cuobjdump -sass -elf";
    }
    return has("64bit elf:") ? "; this is of cuobjdump -elf alone: add -sass" : "";
}

class Reader {
public:
    explicit Reader(const std::string& file) { module_.file = file; }

    SassModule read(std::string_view text) {
        text_ = text;
        while (!text.empty() && faults_.size() < most_faults) {
            const auto end = std::min(text.find('\n'), text.size());
            ++line_;
            read_line(text.substr(0, end));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        end_function();
        if (module_.functions.empty() && faults_.empty()) {
            line_ = 0;
            fault(0, "listing",
                  "no function found; expected the output of cuobjdump -sass" + likeness(text_));
        }
        if (!faults_.empty()) {
            throw InputError(InputErrorKind::invalid_input, std::move(faults_));
        }
        for (std::size_t i = 0; i < module_.functions.size(); ++i) {
            constants_.assign(module_.functions[i], image_of_function_[i]);
        }
        return std::move(module_);
    }

private:
    void fault(int column, std::string key, std::string message) {
        faults_.push_back({module_.file, line_, column, std::move(key), std::move(message)});
        if (faults_.size() == most_faults) {
            faults_.push_back({module_.file, line_, 0, "listing", "too many faults; reading stopped here"});
        }
    }

    void add_faults(std::vector<LineFault> list) {
        for (auto& bad : list) {
            fault(bad.column, std::move(bad.key), std::move(bad.message));
        }
    }

    void read_line(std::string_view line) {
        const auto text = trim(line);
        if (ConstantDumps::begins_image(text) || ConstantDumps::begins_bank(text)) {
            end_function();
        }
        if (text.starts_with("Function :")) {
            begin_function(std::string(trim(text.substr(std::string_view("Function :").size()))));
        } else if (text.starts_with("code for ") || text.starts_with("arch =")) {
            arch_ = arch_in(text);
            images_[arch_] += text.starts_with("code for ") ? 1 : 0;
        } else if (text.starts_with("....")) {
            end_function();
        } else if (!in_function_) {
            add_faults(constants_.read_line(text));
        } else if (!text.empty() && !text.starts_with(".")) {
            read_code_line(line);
        }
        // Other lines between functions are the fat binary's description; directives and labels
        // (.headerflags, .L_x_1:) say nothing that the code does not.
    }

    void begin_function(std::string name) {
        end_function();
        const auto isa = isa_of(arch_);
        if (name.empty()) {
            fault(1, "function", "a function without a name");
        }
        if (!isa && arch_ != refused_arch_) {
            refused_arch_ = arch_;
            fault(0, "arch",
                  arch_.empty()
                      ? "no 'code for sm_XX' before the first function"
                      : "'" + excerpt(arch_) + "' is not read; allowed: sm_35, sm_37, sm_50 and later");
        }
        in_function_ = isa.has_value();
        function_ = {};
        function_.name = std::move(name);
        function_.arch = arch_;
        function_.isa = isa.value_or(SassIsa::volta);
        function_.line = line_;
        control_word_.reset();
        new_control_word_ = false;
        group_ = 0;
    }

    void read_code_line(std::string_view line) {
        if (looks_like_encoding(line)) {
            read_encoding(line);
            return;
        }
        require_second_word();
        std::vector<LineFault> line_faults;
        auto parsed = parse_instruction_line(line, line_faults);
        add_faults(std::move(line_faults));
        if (!parsed) {
            damaged_ = true;
            return;
        }
        check_address(parsed->instruction);
        damaged_ = false;
        gap_ = false;
        add_instruction(std::move(*parsed));
    }

    void check_address(const SassInstruction& instruction) {
        if (function_.instructions.empty()) {
            return;
        }
        const auto last = function_.instructions.back().address;
        if (instruction.address <= last) {
            fault(1, "address", "addresses do not ascend");
        } else if (function_.isa == SassIsa::volta && !damaged_ && !gap_ &&
                   instruction.address != last + volta_instruction_bytes) {
            fault(1, "address", "instructions are missing before this address");
        }
    }

    void add_instruction(InstructionLine parsed) {
        auto& instruction = parsed.instruction;
        instruction.line = line_;
        instruction.encoding[0] = parsed.encoding.value_or(0);
        if (function_.isa == SassIsa::volta) {
            second_word_due_ = parsed.encoding.has_value();
            if (parsed.encoding_follows) {
                fault(instruction.column, "instruction", "expected ';' after the instruction");
            }
        } else if (parsed.encoding || (parsed.encoding_follows && control_word_)) {
            set_group_control(instruction);
            second_word_due_ = parsed.encoding_follows;
        }
        apply_opcode(instruction, function_.isa);
        function_.instructions.push_back(std::move(instruction));
    }

    // The word that governs an instruction is that of its own 64 bytes; the position follows from the
    // address, so that a damaged line does not shift the codes behind it. Behind the last EXIT padding may
    // stand in a control word's place: its group has none.
    void set_group_control(SassInstruction& instruction) {
        const auto group_bytes = control_group_bytes(function_.isa);
        const auto position = instruction.address % group_bytes / control_word_bytes;
        const auto group = instruction.address / group_bytes;
        if (position == 0) {
            control_word_.reset();
            group_ = group;
            return;
        }
        if (new_control_word_) {
            new_control_word_ = false;
            group_ = group;
        }
        if (group != group_) {
            fault(1, "encoding",
                  function_.isa == SassIsa::kepler ? "no control word before this group of seven"
                                                   : "no control word before this group of three");
        } else if (control_word_) {
            const auto control = function_.isa == SassIsa::kepler ? &kepler_control : &maxwell_control;
            instruction.control = control(*control_word_, static_cast<int>(position) - 1);
        }
    }

    void read_encoding(std::string_view line) {
        const auto word = parse_encoding_line(line);
        const int column = static_cast<int>(line.find("/*")) + 1;
        if (!word) {
            fault(column, "encoding", "expected /* 0x and 16 hexadecimal digits */");
        } else if (function_.isa == SassIsa::volta) {
            read_volta_word(*word);
        } else if (second_word_due_) {
            function_.instructions.back().encoding[0] = *word;
            second_word_due_ = false;
        } else {
            read_control_word(*word, column);
        }
    }

    void read_control_word(std::uint64_t word, int column) {
        if (function_.isa == SassIsa::kepler && !is_kepler_control_word(word)) {
            fault(column, "encoding", "not a control word: bits 58-63 must be 2, bits 0-1 must be 0");
        } else if (function_.isa == SassIsa::maxwell && !is_maxwell_control_word(word)) {
            fault(column, "encoding", "not a control word: bit 63 must be 0");
        }
        control_word_ = word;
        new_control_word_ = true;
    }

    // The second half of the last instruction, or half of one without text. Behind a damaged line the word is
    // that line's second half: one fault is enough.
    void read_volta_word(std::uint64_t word) {
        if (second_word_due_) {
            auto& instruction = function_.instructions.back();
            instruction.encoding[1] = word;
            instruction.control = volta_control(word);
            second_word_due_ = false;
        } else if (first_word_) {
            auto instruction = decode_undisassembled({*first_word_, word});
            first_word_.reset();
            const auto& code = function_.instructions;
            instruction.address = code.empty() ? 0 : code.back().address + volta_instruction_bytes;
            instruction.line = line_;
            instruction.control = volta_control(word);
            apply_opcode(instruction, function_.isa);
            function_.instructions.push_back(std::move(instruction));
        } else if (damaged_) {
            damaged_ = false;
            gap_ = true;
        } else {
            first_word_ = word;
        }
    }

    void require_second_word() {
        if (second_word_due_ || first_word_) {
            fault(1, "encoding",
                  function_.isa == SassIsa::volta
                      ? "the instruction before lacks the second half of its encoding"
                      : "the instruction before lacks its encoding");
            second_word_due_ = false;
            first_word_.reset();
        }
    }

    void check_targets() {
        for (const auto& instruction : function_.instructions) {
            const auto* target = branch_target(instruction);
            // calls may leave the function, branches may not
            if (target == nullptr || instruction.opcode == "CALL" || instruction.opcode == "CAL" ||
                instruction.opcode == "JCAL" || instruction.opcode == "JMP") {
                continue;
            }
            if (target->value < 0 || !function_.index_at(static_cast<std::uint64_t>(target->value))) {
                faults_.push_back({module_.file, instruction.line, target->column, "target",
                                   "no instruction at this address in the function"});
                if (faults_.size() >= most_faults) {
                    return;
                }
            }
        }
    }

    void end_function() {
        if (!in_function_) {
            return;
        }
        require_second_word();
        if (faults_.empty()) {  // with lines missing, targets would be missing too
            check_targets();
        }
        if (function_.instructions.empty() && faults_.empty()) {
            fault(0, "function", "'" + excerpt(function_.name) + "' has no instructions");
        }
        module_.functions.push_back(std::move(function_));
        image_of_function_.push_back(std::max(images_[module_.functions.back().arch] - 1, 0));
        in_function_ = false;
        damaged_ = false;
        gap_ = false;
    }

    SassModule module_;
    std::string_view text_;
    std::vector<Diagnostic> faults_;
    ConstantDumps constants_;
    std::map<std::string, int> images_;  // "code for" lines so far, by architecture
    std::vector<int> image_of_function_;
    SassFunction function_;
    std::string arch_;
    std::string refused_arch_ = "none yet";
    bool in_function_ = false;
    bool second_word_due_ = false;
    std::optional<std::uint64_t> first_word_;  // of an instruction without text
    bool damaged_ = false;                     // the last instruction line was faulty
    bool gap_ = false;                         // ... and its second half has been passed
    std::optional<std::uint64_t> control_word_;
    bool new_control_word_ = false;  // no instruction of its group has been seen yet
    std::uint64_t group_ = 0;
    int line_ = 0;
};

}  // namespace

SassModule read_sass(std::string_view text, const std::string& file) {
    return Reader(file).read(text);
}

SassModule read_sass_file(const std::string& path) {
    return read_sass(read_bytes(path), path);
}

}  // namespace gpumodel
