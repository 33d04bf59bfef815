#include "tools/toolkit/compiled_programs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/diagnostics.h"
#include "base/hash.h"
#include "base/process.h"
#include "tools/cli/manners.h"
#include "tools/cli/notes.h"
#include "tools/cli/streams.h"
#include "tools/toolkit/compile_cuda.h"
#include "traces/provide/data_folder.h"
#include "traces/provide/kernel_entry.h"
#include "traces/provide/shipped_programs.h"
#include "traces/sass/reader/listing_arch.h"
#include "traces/sass/reader/sass_reader.h"

namespace gpumodel::cli {

namespace fs = std::filesystem;

namespace {

// As validate/listings compiles them; 20168: #pragma unroll 0, which leaves a loop to the compiler.
const std::vector<std::string> flags{"-std=c++17",     "-O3",  "-DNDEBUG", "-Wno-deprecated-gpu-targets",
                                     "-diag-suppress", "20168"};

// with_launch_bound first (see there).
constexpr std::array headers{"with_launch_bound", "simple",      "block_tile",    "vector_tile",
                             "sub_tile",          "warp_tile",   "double_buffer", "guide",
                             "mma_ring",          "wgmma_groups"};

// "compiling ..." on a terminal, gone with the object.
class Notice {
public:
    explicit Notice(const std::string& what) : shown_(shows_progress()) {
        if (shown_) {
            err() << fmt::format("\r\x1b[Kcompiling {}", what) << std::flush;
        }
    }
    ~Notice() {
        if (shown_) {
            err() << "\r\x1b[K" << std::flush;
        }
    }
    Notice(const Notice&) = delete;
    Notice& operator=(const Notice&) = delete;

private:
    bool shown_;
};

// What nvcc's -arch takes.
std::string code_target(const KernelInstance& instance) {
    const auto& only = instance.family.only_target;
    return only.empty() ? instance.generation : only;
}

}  // namespace

std::string instance_source(const KernelInstance& instance, const std::string& kernels) {
    std::string text;
    for (const auto* header : headers) {
        text += fmt::format("#include \"{}/{}.cuh\"\n", kernels, header);
    }
    return text + fmt::format("namespace gpumodel::kernels {{\ntemplate __global__ void {}<{}>({});\n}}\n",
                              instance.family.name,
                              fmt::join(template_arguments(instance.family, instance.params), ", "),
                              instance.family.signature);
}

CompiledPrograms::CompiledPrograms(std::string cuda_folder, MayCompile may, CodeCache cache)
    : cuda_folder_(std::move(cuda_folder)), may_(may), cache_(std::move(cache)) {}

std::shared_ptr<const CompiledKernel> CompiledPrograms::find(const KernelInstance& instance) const {
    if (instance.family.signature.empty()) {
        return nullptr;  // no kernel of its own
    }
    const auto name = instance.generation + ' ' + instance_key(instance.family, instance.params);
    Slot* slot = nullptr;
    {
        const std::lock_guard lock(mutex_);
        slot = &slots_[name];
    }
    std::call_once(slot->once, [&] { slot->kernel = make(instance); });
    return slot->kernel;
}

std::shared_ptr<const CompiledKernel> CompiledPrograms::make(const KernelInstance& instance) const {
    if (!isa_of(instance.generation)) {
        if (may_ != MayCompile::no) {
            pass_over(fmt::format(
                "code of {} can be compiled, but its listings are not read (those of sm_35, sm_37 "
                "and sm_50 on are)",
                instance.generation));
        }
        return nullptr;
    }
    if (!code_target(instance).starts_with(instance.generation)) {
        return nullptr;  // code for one other generation alone
    }
    const auto& search = find_toolkits(cuda_folder_);
    const auto* toolkit = toolkit_for(search, instance.generation);
    if (toolkit == nullptr) {
        if (!search.found.empty() || may_ == MayCompile::must) {
            pass_over(fmt::format("no compiler for {}: {}", instance.generation, search_words(search)));
        }
        return nullptr;
    }
    if (sources().empty()) {
        pass_over("the families' CUDA sources are not installed (share/gpumodel/kernels)");
        return nullptr;
    }
    const auto text = fmt::format("{}\n{}\n{}\n{} {} {}", sources(), toolkit->identity, toolkit->disassembler,
                                  fmt::join(flags, " "), instance.generation,
                                  instance_key(instance.family, instance.params));
    const auto key =
        fmt::format("{}_{}_{:016x}", instance.family.name, instance.generation, fnv1a<std::uint64_t>(text));
    if (auto known = cache_.find(key)) {
        return std::make_shared<const CompiledKernel>(*std::move(known));
    }
    if (may_ == MayCompile::no) {
        return nullptr;
    }
    try {
        return compiled(instance, *toolkit, key);
    } catch (const InputError& error) {
        if (may_ == MayCompile::must) {
            throw;
        }
        pass_over(error.diagnostics().empty() ? error.what() : to_string(error.diagnostics().front()));
        return nullptr;
    }
}

std::shared_ptr<const CompiledKernel> CompiledPrograms::compiled(const KernelInstance& instance,
                                                                 const CudaToolkit& toolkit,
                                                                 const std::string& key) const {
    const auto what = instance_key(instance.family, instance.params);
    const Notice notice(fmt::format("{} for {}", what, instance.generation));
    const WorkFolder work;
    write_file(work.file("instance.cu"), instance_source(instance, kernels_));
    const auto reported = compile_cuda(toolkit, work.file("instance.cu"), code_target(instance), flags,
                                       work.file("instance.cubin"));
    const auto code =
        disassemble(toolkit.disassembler, work.file("instance.cubin"), instance.generation, true);
    std::vector<std::string> names;
    auto functions = functions_of(code.listing, what);
    for (const auto& function : functions) {
        names.push_back(function.name);
    }
    const auto name = entry_of(names, instance);
    const auto function = std::find_if(functions.begin(), functions.end(),
                                       [&name](const ListedFunction& f) { return f.name == name; });
    const auto resources = std::find_if(reported.begin(), reported.end(),
                                        [&name](const ResourceEntry& entry) { return entry.entry == name; });
    if (function == functions.end() || resources == reported.end()) {
        throw InputError(InputErrorKind::invalid_input,
                         {{"", 0, 0, what, "the compiled file does not hold the kernel with its resources"}});
    }
    auto module = read_sass(code.listing, what);
    const auto read = std::find_if(module.functions.begin(), module.functions.end(),
                                   [&name](const SassFunction& f) { return f.name == name; });
    const auto kernel = with_constants(
        {std::move(*function), resources->registers, resources->shared_bytes, resources->stack_bytes, {}},
        *read);
    const auto made_by = fmt::format("CUDA {} for {}", toolkit.version, instance.generation);
    cache_.add(key, kernel, made_by);
    return std::make_shared<const CompiledKernel>(
        CompiledKernel{std::move(*read), kernel.registers_per_thread, kernel.static_shared_bytes,
                       kernel.local_bytes, made_by});
}

const std::string& CompiledPrograms::sources() const {
    std::call_once(sources_once_, [this] {
        const auto folder = data_folder(DataFolder::kernels);
        if (!folder) {
            return;
        }
        kernels_ = *folder;
        std::set<std::string> files;
        std::error_code error;
        for (const auto& entry : fs::directory_iterator(kernels_, error)) {
            if (entry.path().extension() == ".cuh") {
                files.insert(entry.path().string());
            }
        }
        for (const auto& file : files) {
            sources_ += fs::path(file).filename().string() + '\n' + read_file(file);
        }
    });
    return sources_;
}

// With MayCompile::must an error; else said once.
void CompiledPrograms::pass_over(const std::string& reason) const {
    if (may_ == MayCompile::must) {
        throw InputError(InputErrorKind::invalid_input, {{"", 0, 0, "--compile always", reason}});
    }
    static std::mutex mutex;
    static std::set<std::pair<std::uint64_t, std::string>> said;
    const std::lock_guard lock(mutex);
    if (may_ == MayCompile::yes && said.emplace(run_number(), reason).second) {
        note(NoteId::code_passed_over, reason + "; the next source is used");
    }
}

}  // namespace gpumodel::cli
