#include <fmt/format.h>

#include <string_view>

#include "base/demangle.h"
#include "base/diagnostics.h"
#include "traces/kernel/resource_log/resource_log.h"

namespace gpumodel {

namespace {

// "void gpumodel::kernels::warptile<128, 64>(int, float*)" -> "warptile"
std::string own_name(std::string_view signature) {
    std::string_view name = signature.substr(0, signature.find_first_of("<("));
    const auto qualifier = name.find_last_of(": ");
    return std::string(qualifier == std::string_view::npos ? name : name.substr(qualifier + 1));
}

bool names_entry(const ResourceEntry& entry, const std::string& kernel) {
    return entry.entry == kernel;
}

bool names_function(const ResourceEntry& entry, const std::string& kernel) {
    return own_name(readable_entry(entry.entry)) == kernel;
}

bool contains_name(const ResourceEntry& entry, const std::string& kernel) {
    return entry.entry.find(kernel) != std::string::npos ||
           readable_entry(entry.entry).find(kernel) != std::string::npos;
}

bool fits_target(const ResourceEntry& entry, const std::string& target) {
    return target.empty() || entry.target.empty() || entry.target == target;
}

bool same_resources(const ResourceEntry& a, const ResourceEntry& b) {
    return a.entry == b.entry && a.target == b.target && a.registers == b.registers &&
           a.shared_bytes == b.shared_bytes;
}

// "line 3: warptile<128>(...) (sm_35)", at most `limit` of them
std::string listed(const std::vector<const ResourceEntry*>& entries) {
    constexpr std::size_t limit = 10;
    std::string text;
    for (std::size_t i = 0; i < entries.size() && i < limit; ++i) {
        const ResourceEntry& entry = *entries[i];
        text += fmt::format("{}line {}: {}{}", i > 0 ? "; " : "", entry.line, readable_entry(entry.entry),
                            entry.target.empty() ? "" : " for " + entry.target);
    }
    return entries.size() > limit ? text + fmt::format("; and {} more", entries.size() - limit) : text;
}

[[noreturn]] void fail(const std::string& path, int line, const std::string& message) {
    throw InputError(InputErrorKind::invalid_input, {Diagnostic{path, line, 0, "", message}});
}

[[noreturn]] void fail_absent(const std::vector<ResourceEntry>& entries, const std::string& path,
                              const std::string& kernel, const std::string& target) {
    std::vector<const ResourceEntry*> all;
    std::vector<const ResourceEntry*> elsewhere;
    for (const auto& entry : entries) {
        all.push_back(&entry);
        if (contains_name(entry, kernel)) {
            elsewhere.push_back(&entry);
        }
    }
    if (!elsewhere.empty()) {
        fail(
            path, 0,
            fmt::format("no entry for `{}` on {}; the log has it as: {}", kernel, target, listed(elsewhere)));
    }
    fail(path, 0, fmt::format("no entry for `{}`; the log holds: {}", kernel, listed(all)));
}

}  // namespace

const ResourceEntry& select_entry(const std::vector<ResourceEntry>& entries, const std::string& path,
                                  const std::string& kernel, const std::string& target) {
    for (const auto fits : {names_entry, names_function, contains_name}) {
        std::vector<const ResourceEntry*> candidates;
        for (const auto& entry : entries) {
            if (fits_target(entry, target) && fits(entry, kernel) &&
                (candidates.empty() || !same_resources(entry, *candidates.front()))) {
                candidates.push_back(&entry);
            }
        }
        if (candidates.size() > 1) {
            fail(path, 0,
                 fmt::format("`{}` fits several entries; give one by its full name: {}", kernel,
                             listed(candidates)));
        }
        if (!candidates.empty()) {
            return *candidates.front();
        }
    }
    fail_absent(entries, path, kernel, target);
}

}  // namespace gpumodel
