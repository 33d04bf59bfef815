#include "tools/launch/code_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "base/diagnostics.h"
#include "tools/toolkit/compile_cuda.h"
#include "traces/sass/reader/sass_reader.h"
#include "traces/sass/reader/source_lines.h"

namespace gpumodel::cli {
namespace {

InputError unusable(const std::string& file, const std::string& key, const std::string& what) {
    return {InputErrorKind::invalid_input, {{file, 0, 0, key, what}}};
}

// ELF, and the two numbers that fatbins begin with.
bool is_compiled_file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::string start(4, '\0');
    in.read(start.data(), 4);
    return start ==
               "\x7f"
               "ELF" ||
           start == "\x50\xed\x55\xba" || start == "\xb1\x43\x62\x46";
}

std::vector<std::string> split_words(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> words;
    for (std::string word; in >> word;) {
        words.push_back(word);
    }
    return words;
}

// Only the generation's functions where there are several generations.
void keep_generation(const std::string& generation, SassModule& module) {
    const auto fits = [&generation](const SassFunction& f) { return f.arch == generation; };
    if (std::any_of(module.functions.begin(), module.functions.end(), fits)) {
        std::erase_if(module.functions, [&fits](const SassFunction& f) { return !fits(f); });
    }
}

ReadCode disassembled(const std::string& disassembler, const std::string& compiled, const std::string& name,
                      const std::string& generation) {
    auto code = disassemble(disassembler, compiled, generation, true);
    ReadCode result{read_sass(code.listing, name), std::move(code.resources), name};
    keep_generation(generation, result.module);
    add_source_lines(code.source_lines, result.module);
    return result;
}

ReadCode read_compiled(const CodeFile& code, const std::string& generation) {
    const auto& search = find_toolkits(code.cuda);
    if (search.disassembler.empty()) {
        throw unusable(
            code.file, "--sass",
            fmt::format("is a compiled file, and no cuobjdump was found to read it; where there is "
                        "one: cuobjdump -sass -elf {} > {}.sass; {}",
                        code.file, code.file, search_words(search)));
    }
    return disassembled(search.disassembler, code.file, code.file, generation);
}

ReadCode compile(const CodeFile& code, const std::string& generation) {
    if (!std::ifstream(code.cu)) {
        throw InputError(InputErrorKind::usage, {{code.cu, 0, 0, "--cu", "cannot read this file"}});
    }
    const auto& search = find_toolkits(code.cuda);
    const auto* toolkit = toolkit_for(search, generation);
    if (toolkit == nullptr) {
        throw unusable(
            "", "--cu",
            fmt::format("needs a CUDA toolkit that knows {}: {}", generation, search_words(search)));
    }
    const WorkFolder work;
    const auto cubin = work.file("code.cubin");
    auto flags = split_words(code.nvcc_flags);
    flags.emplace_back("-Wno-deprecated-gpu-targets");
    auto reported = compile_cuda(*toolkit, code.cu, generation, flags, cubin);
    auto result = disassembled(toolkit->disassembler, cubin, code.cu, generation);
    result.resources = std::move(reported);
    result.made_by = fmt::format("{} by CUDA {} for {}", code.cu, toolkit->version, generation);
    return result;
}

}  // namespace

const ResourceEntry* ReadCode::resources_of(const SassFunction& function) const {
    const auto found = std::find_if(resources.begin(), resources.end(), [&function](const ResourceEntry& e) {
        return e.entry == function.name && (e.target.empty() || e.target == function.arch);
    });
    return found == resources.end() ? nullptr : &*found;
}

ReadCode read_code(const CodeFile& code, const std::string& generation) {
    if (!code.cu.empty()) {
        return compile(code, generation);
    }
    return is_compiled_file(code.file) ? read_compiled(code, generation)
                                       : ReadCode{read_sass_file(code.file), {}, ""};
}

}  // namespace gpumodel::cli
