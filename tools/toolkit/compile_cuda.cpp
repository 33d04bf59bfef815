#include "tools/toolkit/compile_cuda.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/diagnostics.h"
#include "base/parse.h"

namespace gpumodel::cli {
namespace {

constexpr std::size_t elf_abi_at = 8;     // ELF identification: ABI version
constexpr std::size_t elf_flags_at = 48;  // 64-bit ELF header: e_flags
constexpr char abi_of_cuda_13 = 8;

std::string trimmed_end(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) {
        text.pop_back();
    }
    return text;
}

// The older g++ that this machine has, newest first.
std::vector<std::string> other_host_compilers() {
    std::vector<std::string> list;
    for (int version = 14; version >= 5; --version) {
        const auto name = fmt::format("/usr/bin/g++-{}", version);
        std::error_code error;
        if (std::filesystem::exists(name, error)) {
            list.push_back(name);
        }
    }
    return list;
}

// As CUDA 11.8 writes it: ABI version 7, and the architecture twice in e_flags.
void set_older_header(std::string& elf, const std::string& arch) {
    const auto number =
        parse_number<int>(std::string_view(arch).substr(std::min<std::size_t>(3, arch.size())));
    if (elf.size() < elf_flags_at + 4 ||
        !elf.starts_with("\x7f"
                         "ELF") ||
        elf[elf_abi_at] != abi_of_cuda_13 || !number) {
        return;
    }
    elf[elf_abi_at] = 7;
    elf[elf_flags_at] = static_cast<char>(*number);
    elf[elf_flags_at + 1] = 5;
    elf[elf_flags_at + 2] = static_cast<char>(*number);
    elf[elf_flags_at + 3] = 0;
}

ProgramRun run_disassembler(const std::string& program, const std::vector<std::string>& options,
                            const std::string& file) {
    std::vector<std::string> words{program};
    words.insert(words.end(), options.begin(), options.end());
    words.push_back(file);
    return run_program(words, std::filesystem::path(program).parent_path().string());
}

std::vector<ResourceEntry> resources_in(const std::string& log) {
    if (log.find("Used ") == std::string::npos && log.find("REG:") == std::string::npos) {
        return {};
    }
    const WorkFolder work;
    const auto path = work.file("resources");
    write_file(path, log);
    return read_resource_log(path);
}

// Of a cubin that was compiled with -lineinfo, by the nvdisasm beside this cuobjdump; "" where it does not
// say.
std::string source_lines_of(const std::string& disassembler, const std::string& file) {
    const auto other = std::filesystem::path(disassembler).parent_path() / "nvdisasm";
    std::error_code error;
    if (!std::filesystem::exists(other, error) ||
        read_file(file).find(".nv_debug_line_sass") == std::string::npos) {
        return "";
    }
    auto run = run_disassembler(other.string(), {"-g", "-c"}, file);
    return run.exit_code == 0 ? std::move(run.out) : "";
}

// What a program said when it failed; one that had begun to print its result says it in the first lines.
std::string complaint_of(const ProgramRun& run) {
    constexpr std::size_t most = 300;
    const auto text = trimmed_end(run.err.empty() ? run.out : run.err);
    return text.size() <= most ? text : text.substr(0, text.find('\n', most / 2)).substr(0, most) + " ...";
}

}  // namespace

std::vector<ResourceEntry> compile_cuda(const CudaToolkit& toolkit, const std::string& file,
                                        const std::string& arch, const std::vector<std::string>& flags,
                                        const std::string& cubin) {
    std::vector<std::string> words{toolkit.nvcc, "-cubin", "-arch=" + arch, "-res-usage", "-o", cubin};
    words.insert(words.end(), flags.begin(), flags.end());
    words.push_back(file);
    const auto tools = std::filesystem::path(toolkit.nvcc).parent_path().string();
    auto run = run_program(words, tools);
    for (const auto& host : other_host_compilers()) {
        if (run.exit_code == 0 || (run.err + run.out).find("unsupported GNU version") == std::string::npos) {
            break;
        }
        auto with_host = words;
        with_host.insert(with_host.begin() + 1, {"-ccbin", host});
        run = run_program(with_host, tools);
    }
    if (run.exit_code != 0) {
        // line by line: what is printed of one diagnostic has no line ends
        std::vector<Diagnostic> lines;
        std::istringstream said(trimmed_end(run.err + run.out));
        for (std::string line; std::getline(said, line);) {
            lines.push_back({"", 0, 0, "", line});
        }
        lines.push_back(
            {"", 0, 0, "",
             fmt::format("nvcc of CUDA {} could not compile {} for {}", toolkit.version, file, arch)});
        throw InputError(InputErrorKind::invalid_input, std::move(lines));
    }
    return resources_in(run.err + run.out);
}

Disassembled disassemble(const std::string& disassembler, const std::string& file, const std::string& arch,
                         bool with_constants) {
    const WorkFolder work;
    auto options = std::vector<std::string>{"-sass"};
    if (with_constants) {
        options.emplace_back("-elf");
    }
    auto readable = file;
    auto run = run_disassembler(disassembler, options, file);
    if (run.exit_code != 0) {
        auto elf = read_file(file);
        set_older_header(elf, arch);
        readable = work.file("older.cubin");
        write_file(readable, elf);
        run = run_disassembler(disassembler, options, readable);
    }
    if (run.exit_code != 0) {
        throw InputError(InputErrorKind::invalid_input,
                         {{file, 0, 0, "", "cuobjdump: " + complaint_of(run)}});
    }
    Disassembled result{std::move(run.out), {}, source_lines_of(disassembler, readable)};
    const auto log = run_disassembler(disassembler, {"-res-usage"}, readable);
    if (log.exit_code == 0) {
        result.resources = resources_in(log.out);
    }
    return result;
}

}  // namespace gpumodel::cli
