#include "arch_specs/names/spec_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <tuple>

#include "arch_specs/document/spec_resolution.h"
#include "arch_specs/document/spec_search.h"
#include "arch_specs/names/gpu_name.h"
#include "base/diagnostics.h"
#include "base/units.h"

namespace gpumodel {

namespace {

// One way to write one product.
struct Spelling {
    GpuName name;
    std::size_t product = 0;
};

struct Product {
    std::string name;
    std::string file;
    std::string architecture;  // of the folder it lies in: "ada"; "" = the folder names none
};

struct Catalog {
    std::vector<Product> products;
    std::vector<Spelling> spellings;
    std::vector<std::string> generations;  // names of generation files: "sm_90"
};

std::string marketing_name(const SpecDocument& document) {
    for (const auto& entry : document.entries) {
        if (entry.field->key == "marketing_name") {
            return std::get<std::string>(entry.value);
        }
    }
    return "";
}

Catalog read_catalog(const std::vector<std::string>& search_path) {
    Catalog catalog;
    for (const auto& file : all_spec_files(search_path)) {
        std::vector<Diagnostic> ignored;  // a broken file can still be named; loading it says what is wrong
        const auto document = read_spec_document(file, ignored);
        const std::filesystem::path path(file);
        if (!document.default_product.text.empty()) {
            catalog.generations.push_back(path.stem().string());
            continue;
        }
        const auto index = catalog.products.size();
        const auto folder = parse_gpu_name(path.parent_path().filename().string());
        catalog.products.push_back({path.stem().string(), file, folder.architecture});
        auto texts = document.aliases;
        texts.insert(texts.begin(), {path.stem().string(), marketing_name(document)});
        for (const auto& text : texts) {
            catalog.spellings.push_back({parse_gpu_name(text), index});
        }
    }
    return catalog;
}

bool form_fits(const std::string& asked, const std::string& has) {
    return asked.empty() || has.empty() || asked.starts_with(has) || has.starts_with(asked);
}

using Spellings = std::vector<Spelling>;

// Those of the same core that nothing said contradicts. The architecture alone names all its products.
Spellings matches(const GpuName& asked, const Catalog& catalog) {
    Spellings found;
    for (const auto& spelling : catalog.spellings) {
        const auto& said = spelling.name.architecture;
        const auto& own = said.empty() ? catalog.products[spelling.product].architecture : said;
        const bool same = asked.core.empty()
                              ? asked.architecture == own
                              : asked.core == spelling.name.core &&
                                    (asked.architecture.empty() || own.empty() || asked.architecture == own);
        if (same && form_fits(asked.form, spelling.name.form)) {
            found.push_back(spelling);
        }
    }
    return found;
}

// Keeps those that fulfil it, if any does.
void prefer(Spellings& found, const std::function<bool(const Spelling&)>& fits) {
    if (std::any_of(found.begin(), found.end(), fits)) {
        std::erase_if(found, [&](const Spelling& spelling) { return !fits(spelling); });
    }
}

ArchSpec spec_of(const Product& product, const std::vector<std::string>& search_path) {
    std::vector<Diagnostic> ignored;
    return build_spec(resolve_spec(product.file, {}, search_path, ignored));
}

bool has_memory(const ArchSpec& spec, int gigabytes) {
    const auto bytes = static_cast<double>(spec.dram.capacity_bytes);
    return std::abs(bytes / (1 << 30) - gigabytes) < 0.5 || std::abs(bytes / 1e9 - gigabytes) < 0.5;
}

// Of several products, those that fit best what the name says beside its core.
void narrow(Spellings& found, const GpuName& asked, const Catalog& catalog,
            const std::vector<std::string>& search_path) {
    prefer(found, [&](const Spelling& s) { return s.name == asked; });
    if (!asked.form.empty()) {
        prefer(found, [&](const Spelling& s) { return !s.name.form.empty(); });
    }
    if (!asked.memory_kind.empty()) {
        prefer(found, [&](const Spelling& s) { return s.name.memory_kind == asked.memory_kind; });
    }
    for (const auto& brand : asked.brands) {
        prefer(found, [&](const Spelling& s) { return s.name.brands.contains(brand); });
    }
    if (asked.memory_gb) {
        prefer(found, [&](const Spelling& s) {
            return has_memory(spec_of(catalog.products[s.product], search_path), *asked.memory_gb);
        });
    }
}

std::vector<std::size_t> products_of(const Spellings& found) {
    std::vector<std::size_t> products;
    for (const auto& spelling : found) {
        products.push_back(spelling.product);
    }
    std::sort(products.begin(), products.end());
    products.erase(std::unique(products.begin(), products.end()), products.end());
    return products;
}

[[noreturn]] void fail_ambiguous(const std::string& name, const std::vector<ArchSpec>& specs) {
    std::vector<Diagnostic> lines{
        {"", 0, 0, name, fmt::format("{} products have this name; give one of them:", specs.size())}};
    for (const auto& spec : specs) {
        lines.push_back(
            {"", 0, 0, "  " + spec.name,
             fmt::format("{} [{}], {} SMs, {}, {} at {}", spec.marketing_name, spec.generation, spec.sm_count,
                         print_quantity(spec.clock.sm_hz, Dimension::frequency),
                         print_quantity(static_cast<double>(spec.dram.capacity_bytes), Dimension::bytes),
                         print_quantity(spec.dram.bandwidth_bytes_per_second, Dimension::bytes_per_second))});
    }
    throw InputError(InputErrorKind::usage, std::move(lines));
}

std::string default_product(const std::string& generation, const std::vector<std::string>& search_path) {
    const auto file = find_spec_file(generation, search_path);
    std::vector<Diagnostic> ignored;
    return file ? read_spec_document(*file, ignored).default_product.text : "";
}

// The default product of the one generation that all are of; else the name is refused.
NamedSpec choose(const std::string& name, const std::vector<std::size_t>& products, const Catalog& catalog,
                 const std::vector<std::string>& search_path) {
    std::vector<ArchSpec> specs;
    for (const auto product : products) {
        specs.push_back(spec_of(catalog.products[product], search_path));
    }
    const auto& generation = specs.front().generation;
    const bool one_generation = std::all_of(specs.begin(), specs.end(),
                                            [&](const ArchSpec& s) { return s.generation == generation; });
    const auto wanted = one_generation ? default_product(generation, search_path) : "";
    NamedSpec chosen;
    for (const auto& spec : specs) {
        if (spec.name == wanted) {
            chosen.file = spec.file;
        } else {
            chosen.others.push_back(spec.name);
        }
    }
    if (chosen.file.empty()) {
        fail_ambiguous(name, specs);
    }
    return chosen;
}

// Generations: the same major version, then the nearest number.
std::string nearest_generation(int capability, const std::vector<std::string>& generations) {
    const auto full = capability < 10 ? 10 * capability : capability;
    std::string best;
    std::tuple<bool, int> least{true, 1000};
    for (const auto& name : generations) {
        const auto own = parse_capability(name).value_or(0);
        const std::tuple<bool, int> distance{own / 10 != full / 10, std::abs(own - full)};
        if (distance < least) {
            least = distance;
            best = name;
        }
    }
    return best;
}

// Products of the same series, the nearest number first; then names that differ in a letter or two.
std::string nearest_product(const std::string& name, const Catalog& catalog) {
    const auto asked = parse_gpu_name(name);
    const auto wanted = series_number(asked.core);
    using Distance = std::tuple<int, int, bool, bool>;
    std::optional<Distance> least;
    std::vector<std::string> nearest;
    for (const auto& spelling : catalog.spellings) {
        const auto own = series_number(spelling.name.core);
        if (!same_series(wanted, own)) {
            continue;
        }
        const bool begun = !wanted.rest.empty() && own.rest.starts_with(wanted.rest);  // "2080s": "2080super"
        const bool other_brand = !asked.brands.empty() && asked.brands != spelling.name.brands;
        const bool other_form = asked.form.substr(0, 3) != spelling.name.form.substr(0, 3);
        const Distance distance{std::abs(own.number - wanted.number),
                                own.rest == wanted.rest ? 0
                                : begun                 ? 1
                                                        : 2,
                                other_brand, other_form};
        if (!least || distance < *least) {
            least = distance;
            nearest.clear();
        }
        if (distance == *least) {
            nearest.push_back(catalog.products[spelling.product].name);
        }
    }
    if (least) {
        const auto by_letters = nearest_name(name, nearest);
        return by_letters.empty() ? *std::min_element(nearest.begin(), nearest.end()) : by_letters;
    }
    std::vector<std::string> names;
    for (const auto& product : catalog.products) {
        if (!asked.core.empty() && parse_gpu_name(product.name).core.front() == asked.core.front()) {
            names.push_back(product.name);
        }
    }
    return nearest_name(name, names);
}

[[noreturn]] void fail_unknown(const std::string& name, const std::optional<int>& capability,
                               const Catalog& catalog, const std::vector<std::string>& search_path) {
    std::string message = "unknown architecture";
    for (const auto& file : {name + ".yaml", name}) {
        std::error_code error;
        if (std::filesystem::is_regular_file(file, error)) {
            message += fmt::format("; a file is given with its path: ./{}", file);
            throw InputError(InputErrorKind::usage, {{"", 0, 0, name, message}});
        }
    }
    if (catalog.products.empty() && catalog.generations.empty()) {
        message += fmt::format("; no spec files in: {}", fmt::join(search_path, ", "));
    } else if (const auto nearest = capability ? nearest_generation(*capability, catalog.generations)
                                               : nearest_product(name, catalog);
               !nearest.empty()) {
        message += "; nearest: " + nearest;
    }
    throw InputError(InputErrorKind::usage, {{"", 0, 0, name, message}});
}

}  // namespace

NamedSpec find_named_spec(const std::string& name, const std::vector<std::string>& search_path) {
    if (auto found = find_spec_file(name, search_path)) {
        return {*found, {}};
    }
    const auto capability = parse_capability(name);
    if (capability) {
        if (auto found = find_spec_file(fmt::format("sm_{}", *capability), search_path)) {
            return {*found, {}};
        }
    }
    const auto catalog = read_catalog(search_path);
    const auto asked = parse_gpu_name(name);
    const bool says_something = !asked.core.empty() || !asked.architecture.empty();
    auto found = says_something && !capability ? matches(asked, catalog) : Spellings{};
    narrow(found, asked, catalog, search_path);
    const auto products = products_of(found);
    if (products.empty()) {
        fail_unknown(name, capability, catalog, search_path);
    }
    if (products.size() == 1) {
        return {catalog.products[products.front()].file, {}};
    }
    return choose(name, products, catalog, search_path);
}

}  // namespace gpumodel
