#include "tests/traces/codegen/compiled_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/traces/codegen/generated.h"

namespace gpumodel::test {

namespace {

bool is_held_back(const KernelName& name) {
    std::uint32_t hash = 2166136261U;
    for (const char c : name.family + ";" + name.params_text()) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    }
    return hash % 3 == 0;
}

}  // namespace

std::vector<ListedKernel> listed_kernels(const std::string& arch, const ArchSpec& spec) {
    constexpr int least_products = 16;  // per tile
    std::vector<ListedKernel> list;
    for (const SassFunction& function : listing(arch).functions) {
        const KernelName name = kernel_name(function.name);
        if (products_per_tile(name) < least_products) {
            continue;
        }
        ParamValues params;
        for (const auto& [key, value] : name.params) {
            params[key] = value;
        }
        const Family* family = find_family(name.family);
        const Target target = target_of(spec);
        const auto made = lower_tiles(*family, resolve_params(*family, params), {1024, 1024, 1024}, target);
        REQUIRE(made.program);
        list.push_back({&function, name,
                        fmt::format("{};{};UNROLL={}", name.family, name.params_text(), name.at("UNROLL")),
                        is_held_back(name), generate_code(*made.program, target)});
    }
    return list;
}

int product_loop(const SassFunction& function, const ControlFlow& flow) {
    std::vector<int> ffmas(flow.loops.size(), 0);
    for (std::size_t b = 0; b < flow.blocks.size(); ++b) {
        for (std::size_t i = flow.blocks[b].begin; flow.loop_of_block[b] >= 0 && i < flow.blocks[b].end;
             ++i) {
            ffmas[static_cast<std::size_t>(flow.loop_of_block[b])] +=
                function.instructions[i].is(OpClass::ffma) ? 1 : 0;
        }
    }
    const auto most = std::max_element(ffmas.begin(), ffmas.end());
    return most == ffmas.end() ? -1 : static_cast<int>(most - ffmas.begin());
}

const Segment& product_segment(const KernelProgram& program) {
    const Segment* best = nullptr;
    long most = 0;
    for_each_segment(program.body, [&](const Segment& segment) {
        const auto ffmas = segment.product.r == 0
                               ? 0
                               : std::count_if(segment.code.begin(), segment.code.end(),
                                               [](const Instruction& i) { return i.op == OpClass::ffma; });
        if (ffmas > most) {
            most = ffmas;
            best = &segment;
        }
    });
    REQUIRE(best != nullptr);
    return *best;
}

}  // namespace gpumodel::test
