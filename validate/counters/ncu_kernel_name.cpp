// Kernel names as the profiler prints them.

#include <algorithm>

#include "base/demangle.h"
#include "validate/counters/ncu_profile.h"

namespace gpumodel {
namespace {

void erase_all(std::string& text, const std::string& part) {
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at)) {
        text.erase(at, part.size());
    }
}

// Name and template arguments without blanks, casts, return type and parameters.
std::string normalised(std::string text) {
    if (text.starts_with("void ")) {
        text.erase(0, 5);
    }
    erase_all(text, "(anonymous namespace)::");
    for (const char* cast : {"(int)", "(unsigned int)", "(bool)", "(long)", "(unsigned long)"}) {
        erase_all(text, cast);
    }
    std::erase(text, ' ');
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += text[i] == '<' ? 1 : text[i] == '>' ? -1 : 0;
        if (text[i] == '(' && depth == 0) {
            return text.substr(0, i);
        }
    }
    return text;
}

// "gpumodel::kernels::naive<0>" -> "naive"
std::string bare(const std::string& name) {
    const auto arguments = name.find('<');
    const auto head = name.substr(0, arguments);
    const auto scope = head.rfind("::");
    return scope == std::string::npos ? head : head.substr(scope + 2);
}

}  // namespace

const SassFunction* find_profiled(const SassModule& module, const std::string& kernel) {
    if (const auto* exact = module.find(kernel)) {
        return exact;
    }
    const auto wanted = normalised(kernel);
    const SassFunction* of_same_name = nullptr;
    int same_names = 0;
    for (const auto& function : module.functions) {
        const auto name = normalised(readable_entry(function.name));
        if (name == wanted) {
            return &function;
        }
        if (bare(name) == wanted) {
            of_same_name = &function;
            ++same_names;
        }
    }
    return same_names == 1 ? of_same_name : nullptr;
}

}  // namespace gpumodel
