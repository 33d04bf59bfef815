#include "validate/recorder/preload/loaded_code.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "validate/recorder/preload/driver.h"

namespace gpumodel::recorder {

namespace {

std::shared_ptr<const LoadedCode> copy_of(const void* code) {
    auto copy = std::make_shared<LoadedCode>();
    const auto image = image_at(code);
    copy->kind = image.kind;
    copy->bytes.assign(image.bytes.begin(), image.bytes.end());
    return copy;
}

}  // namespace

std::shared_ptr<const LoadedCode> program_with(const std::string& kernel) {
    static const auto program = [] {
        auto file = std::make_shared<LoadedCode>();
        std::ifstream in("/proc/self/exe", std::ios::binary);
        file->kind = CodeKind::program;
        file->bytes.assign(std::istreambuf_iterator<char>(in), {});
        return file;
    }();
    const auto& bytes = program->bytes;
    const bool there = std::search(bytes.begin(), bytes.end(), kernel.begin(), kernel.end()) != bytes.end();
    return there && !kernel.empty() ? program : nullptr;
}

// Never destroyed: programs launch kernels from their own destructors.
LoadedCodes& LoadedCodes::instance() {
    static auto* codes = new LoadedCodes;  // NOLINT: see above
    return *codes;
}

void LoadedCodes::loaded(const void* module_or_library, const void* code) {
    const std::lock_guard lock(mutex_);
    codes_[module_or_library] = copy_of(code);
}

void LoadedCodes::loaded_file(const void* module_or_library, const char* path) {
    std::ifstream in(path, std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(in), {}};
    if (content.size() > sizeof(std::uint64_t) * 2) {
        loaded(module_or_library, content.c_str());
    }
}

void LoadedCodes::took_kernel(CUkernel kernel, CUlibrary library, const char* name) {
    const std::lock_guard lock(mutex_);
    kernels_[kernel] = {name, code_of(library), nullptr};
}

void LoadedCodes::took_function(CUfunction function, CUmodule module, const char* name) {
    const std::lock_guard lock(mutex_);
    kernels_[function] = {name, code_of(module), function};
}

void LoadedCodes::took_variable(const void* module_or_library, const KnownVariable& variable) {
    const std::lock_guard lock(mutex_);
    const auto code = code_of(module_or_library);
    if (!code) {
        return;
    }
    auto& list = variables_[code.get()];
    const auto known =
        std::find_if(list.begin(), list.end(), [&](const auto& v) { return v.name == variable.name; });
    (known != list.end() ? *known : list.emplace_back()) = variable;
}

std::vector<KnownVariable> LoadedCodes::variables_of(const KnownKernel& kernel) {
    const std::lock_guard lock(mutex_);
    const auto found = variables_.find(kernel.code.get());
    return found == variables_.end() ? std::vector<KnownVariable>() : found->second;
}

void LoadedCodes::is_function_of(CUfunction function, CUkernel kernel) {
    const std::lock_guard lock(mutex_);
    if (const auto found = kernels_.find(kernel); found != kernels_.end()) {
        kernels_[function] = {found->second.name, found->second.code, function};
    }
}

std::shared_ptr<const LoadedCode> LoadedCodes::code_of(const void* handle) const {
    const auto found = codes_.find(handle);
    return found == codes_.end() ? nullptr : found->second;
}

KnownKernel LoadedCodes::ask_driver(CUfunction handle) const {
    KnownKernel kernel;
    const char* name = nullptr;
    CUmodule module = nullptr;
    if (call_driver("cuFuncGetName", &name, handle) == success && name != nullptr) {
        kernel.name = name;
        if (call_driver("cuFuncGetModule", &module, handle) == success) {
            kernel.code = code_of(module);
        }
        kernel.function = handle;
        return kernel;
    }
    auto* const as_kernel = reinterpret_cast<CUkernel>(handle);  // NOLINT: launches take both
    CUlibrary library = nullptr;
    if (call_driver("cuKernelGetName", &name, as_kernel) == success && name != nullptr) {
        kernel.name = name;
        if (call_driver("cuKernelGetLibrary", &library, as_kernel) == success) {
            kernel.code = code_of(library);
        }
    }
    return kernel;
}

KnownKernel LoadedCodes::find(CUfunction handle) {
    const std::lock_guard lock(mutex_);
    auto found = kernels_.find(handle);
    if (found == kernels_.end()) {
        auto asked = ask_driver(handle);
        if (asked.name.empty()) {
            return asked;
        }
        found = kernels_.emplace(handle, std::move(asked)).first;
    }
    auto& kernel = found->second;
    if (kernel.function == nullptr) {                                // it is a CUkernel
        auto* const as_kernel = reinterpret_cast<CUkernel>(handle);  // NOLINT: launches take both
        if (call_driver("cuKernelGetFunction", &kernel.function, as_kernel) != success) {
            kernel.function = nullptr;
        }
    }
    return kernel;
}

}  // namespace gpumodel::recorder
