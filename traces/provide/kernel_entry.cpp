#include "traces/provide/kernel_entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <string_view>
#include <vector>

namespace gpumodel {

namespace {

// Template arguments in order: the family's parameters, UNROLL last.
std::vector<const ParamSpec*> template_parameters(const Family& family) {
    std::vector<const ParamSpec*> list;
    for (const ParamSpec& spec : family.params) {
        if (!spec.argument) {
            list.push_back(&spec);
        }
    }
    return list;
}

// Values of "Li128ELi64E...".
std::vector<int> template_values(std::string_view text) {
    std::vector<int> values;
    for (auto at = text.find("Li"); at != std::string_view::npos; at = text.find("Li", at + 2)) {
        int value = 0;
        const auto result = std::from_chars(text.data() + at + 2, text.data() + text.size(), value);
        if (result.ec == std::errc{} && result.ptr != text.data() + text.size() && *result.ptr == 'E') {
            values.push_back(value);
        }
    }
    return values;
}

}  // namespace

std::optional<ListingEntry> listing_entry(const std::string& mangled) {
    constexpr std::string_view scope = "7kernels";
    const auto at = mangled.find(scope);
    if (at == std::string::npos) {
        return std::nullopt;
    }
    const std::string_view rest = std::string_view(mangled).substr(at + scope.size());
    std::size_t length = 0;
    const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), length);
    const auto name_at = static_cast<std::size_t>(read.ptr - rest.data());
    if (read.ec != std::errc{} || length == 0 || length > rest.size() - name_at) {
        return std::nullopt;
    }
    ListingEntry entry{std::string(rest.substr(name_at, length)), {}};
    const Family* family = find_family(entry.family);
    if (family == nullptr) {
        return std::nullopt;
    }
    const auto parameters = template_parameters(*family);
    const auto values = template_values(rest.substr(name_at + length));
    const bool short_one =
        !parameters.empty() && parameters.back()->further_argument && values.size() + 1 == parameters.size();
    if (values.size() != parameters.size() + family->further_template_arguments && !short_one) {
        return std::nullopt;
    }
    for (std::size_t i = 0; i < std::min(values.size(), parameters.size()); ++i) {
        entry.params[parameters[i]->name] = values[i];
    }
    entry.params = resolve_params(*family, entry.params);
    return entry;
}

std::vector<std::string> template_arguments(const Family& family, const ParamValues& params) {
    std::vector<std::string> values;
    for (const auto* spec : template_parameters(family)) {
        const auto value = params.at(spec->name);
        if (!spec->further_argument || value != spec->default_value) {
            values.push_back(fmt::format("{}", value));
        }
    }
    values.resize(values.size() + family.further_template_arguments, "0");
    return values.empty() ? std::vector<std::string>{"float"} : values;  // the copies are of words
}

std::string instance_key(const Family& family, const ParamValues& params) {
    return fmt::format("{}<{}>", family.name, fmt::join(template_arguments(family, params), ","));
}

SassLaunch listing_launch(const ListingEntry& entry, const KernelProgram& program) {
    SassLaunch launch;
    launch.grid = program.grid;
    launch.block = program.block;
    const auto& family = *find_family(entry.family);
    launch.arguments = parse_arguments(family.arguments(program, entry.params));
    if (family.cluster != nullptr) {
        launch.cluster = {family.cluster(entry.params), 1, 1};
    }
    return launch;
}

}  // namespace gpumodel
