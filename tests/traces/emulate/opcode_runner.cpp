#include "tests/traces/emulate/opcode_runner.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "traces/emulate/sass_block_source.h"
#include "traces/sass/reader/listing_arch.h"
#include "traces/sass/reader/sass_reader.h"

using namespace gpumodel;

namespace {

int parameters(const std::string& arch) {
    return is_before_volta(isa_of(arch).value()) ? 0x140
           : arch == "sm_90"                     ? 0x210
           : arch.size() > 5                     ? 0x380
                                                 : 0x160;
}

struct StoreSink : WarpSink {
    void straight(int, int, int, std::uint32_t) override {}
    void access(int, const AccessEvent& event) override {
        if (event.space == MemorySpace::shared) {
            return;
        }
        CHECK(event.active == 0xffffffffU);
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = static_cast<std::uint32_t>(event.address[i]);
        }
        ++stores;
    }
    LaneWords values{};
    int stores = 0;
};

}  // namespace

std::string word(const std::string& arch, int i) {
    return fmt::format("c[0x0][{:#x}]", parameters(arch) + 8 + 4 * i);
}

// Before Volta control words stand between the instructions; without encodings none is needed.
SassFunction assemble(const std::string& arch, const std::vector<std::string>& lines) {
    const int step = is_before_volta(isa_of(arch).value()) ? 8 : 16;
    std::string text = fmt::format("\tcode for {}\n\t\tFunction : f\n", arch);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        text += fmt::format("        /*{:04x}*/ {} ;\n", i * static_cast<std::size_t>(step), lines[i]);
    }
    text += "\t\t..........\n";
    return read_sass(text, "test").functions.front();
}

// The store's 64-bit address is the array plus R4: its low word is 0.
LaneWords run_lines(const std::string& arch, const std::vector<std::string>& lines,
                    const std::vector<std::uint32_t>& words) {
    std::vector<std::string> all{"S2R R0, SR_LANEID"};
    all.insert(all.end(), lines.begin(), lines.end());
    const bool kepler = arch == "sm_35";
    all.push_back("MOV R100, R4");
    all.push_back(fmt::format("MOV R101, c[0x0][{:#x}]", parameters(arch) + 4));
    all.push_back(kepler                                  ? "ST.E [R100], R0"
                  : is_before_volta(isa_of(arch).value()) ? "STG.E [R100], R0"
                  : arch == "sm_70"                       ? "STG.E.SYS [R100], R0"
                                                          : "STG.E [R100.64], R0");
    all.push_back("EXIT");
    SassLaunch launch;
    launch.block = {32, 1, 1};
    std::string arguments = "ptr";
    for (const auto w : words) {
        arguments += fmt::format(",{}", w);
    }
    launch.arguments = parse_arguments(arguments);
    const auto function = assemble(arch, all);
    StoreSink sink;
    make_sass_source(function, launch)->run_block({0, 0, 0}, sink);
    CHECK(sink.stores == 1);
    return sink.values;
}
