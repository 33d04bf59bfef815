#include "arch_specs/loader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "arch_specs/consistency/consistency.h"
#include "arch_specs/derive.h"
#include "arch_specs/document/spec_resolution.h"
#include "arch_specs/document/spec_search.h"
#include "arch_specs/names/spec_names.h"

namespace gpumodel {

namespace {

// By file in order of first appearance, then by position; faults without a line (missing keys) last.
void sort_by_place(std::vector<Diagnostic>& faults) {
    std::vector<std::string> files;
    for (const auto& fault : faults) {
        if (std::find(files.begin(), files.end(), fault.file) == files.end()) {
            files.push_back(fault.file);
        }
    }
    const auto place = [&](const Diagnostic& fault) {
        const auto file = std::find(files.begin(), files.end(), fault.file) - files.begin();
        return std::tuple(file, fault.line == 0, fault.line, fault.column);
    };
    std::stable_sort(faults.begin(), faults.end(),
                     [&](const auto& a, const auto& b) { return place(a) < place(b); });
}

struct Checked {
    ResolvedSpec resolved;
    ArchSpec spec;
    std::vector<Diagnostic> faults;
};

Checked read_and_check(const std::string& path, const std::vector<Override>& overrides,
                       const std::vector<std::string>& search_path) {
    Checked checked;
    checked.resolved = resolve_spec(path, overrides, search_path, checked.faults);
    check_required(checked.resolved, checked.faults);
    checked.spec = build_spec(checked.resolved);
    if (checked.resolved.complete) {
        derive(checked.spec);
        check_consistency(checked.resolved, checked.spec, checked.faults);
    }
    sort_by_place(checked.faults);
    return checked;
}

// Usage if the overrides alone are to blame: the file by itself is sound.
InputErrorKind kind_of_faults(const std::string& path, const std::vector<Override>& overrides,
                              const std::vector<std::string>& search_path) {
    const bool sound_file = !overrides.empty() && check_arch(path, search_path).empty();
    return sound_file ? InputErrorKind::usage : InputErrorKind::invalid_input;
}

// A generation stands for its default product.
std::string product_file(const std::string& path, const std::vector<std::string>& search_path) {
    std::vector<Diagnostic> faults;
    const auto document = read_spec_document(path, faults);
    if (document.default_product.text.empty()) {
        return path;  // a product, or faults that reading it again will report
    }
    const auto& product = document.default_product;
    const auto directories = directories_around(path, search_path);
    if (auto found = find_spec_file(product.text, directories)) {
        return *found;
    }
    throw InputError(InputErrorKind::invalid_input, {{path, product.line, product.column, "default_product",
                                                      fmt::format("no spec named {}", cite(product.text))}});
}

NamedSpec named_spec(const std::string& name_or_path, const std::vector<std::string>& search_path) {
    if (!is_spec_path(name_or_path)) {
        return find_named_spec(name_or_path, search_path);
    }
    std::error_code error;
    if (!std::filesystem::exists(name_or_path, error)) {
        throw InputError(InputErrorKind::invalid_input, {{name_or_path, 0, 0, "", "no such file"}});
    }
    return {name_or_path, {}};
}

}  // namespace

std::string arch_file(const std::string& name_or_path, const std::vector<std::string>& search_path) {
    return named_spec(name_or_path, search_path).file;
}

ArchSpec load_arch(const std::string& name_or_path, const std::vector<Override>& overrides,
                   const std::vector<std::string>& search_path) {
    auto named = named_spec(name_or_path, search_path);
    const auto path = product_file(named.file, search_path);
    auto checked = read_and_check(path, overrides, search_path);
    if (checked.resolved.is_generation()) {
        checked.faults.push_back({path, 0, 0, "default_product", "names a generation, not a product"});
    }
    if (!checked.faults.empty()) {
        throw InputError(kind_of_faults(path, overrides, search_path), std::move(checked.faults));
    }
    checked.spec.requested_name = name_or_path;
    checked.spec.other_meanings = std::move(named.others);
    return std::move(checked.spec);
}

std::vector<Diagnostic> check_arch(const std::string& path, const std::vector<std::string>& search_path) {
    return read_and_check(path, {}, search_path).faults;
}

std::vector<ArchListing> list_archs(const std::vector<std::string>& search_path) {
    struct Sortable {
        ArchListing listing;
        ComputeCapability cc;
    };
    std::vector<Sortable> found;
    for (const auto& file : all_spec_files(search_path)) {
        std::vector<Diagnostic> ignored;  // a broken file is listed; loading it says what is wrong
        const auto resolved = resolve_spec(file, {}, search_path, ignored);
        const auto spec = build_spec(resolved);
        const bool generation = resolved.is_generation();
        found.push_back(
            {{std::filesystem::path(file).stem().string(), spec.marketing_name,
              generation ? "" : spec.generation, resolved.chain.front().default_product.text, file},
             spec.cc});
    }
    std::sort(found.begin(), found.end(), [](const Sortable& a, const Sortable& b) {
        const auto rank = [](const Sortable& s) {
            return std::tuple(!s.listing.default_product.empty(), s.cc.number(), s.listing.name);
        };
        return rank(a) < rank(b);
    });
    std::vector<ArchListing> listings;
    listings.reserve(found.size());
    for (auto& item : found) {
        listings.push_back(std::move(item.listing));
    }
    return listings;
}

}  // namespace gpumodel
