// Lines of the source beside a listing: nvdisasm's own words (CUDA 11.8, -g -c and -gi -c), and damaged ones.
#include "traces/sass/reader/source_lines.h"

#include <catch2/catch.hpp>
#include <map>
#include <string>

using namespace gpumodel;

namespace {

const std::string disassembly =
    "\t.headerflags\t@\"EF_CUDA_SM70\"\n"
    "//--------------------- .text._Z1kPfi             --------------------------\n"
    "\t.section\t.text._Z1kPfi,\"ax\",@progbits\n"
    "_Z1kPfi:\n"
    ".text._Z1kPfi:\n"
    "\t//## File \"/tmp/li.cu\", line 4\n"
    "        /*0000*/                   MOV R1, c[0x0][0x28] ;\n"
    "        /*0010*/              @!PT SHFL.IDX PT, RZ, RZ, RZ, RZ ;\n"
    "\t//## File \"/tmp/li.cu\", line 5\n"
    "        /*0020*/                   S2R R2, SR_CTAID.X ;\n"
    "\t//## File \"/tmp/a/twice.h\", line 2 inlined at \"/tmp/li.cu\", line 7\n"
    "\t//## File \"/tmp/li.cu\", line 7\n"
    "        /*00b0*/                   FFMA R5, R0, R5, 1 ;\n"
    "\t//## File \"/tmp/li.cu\", line 9\n"
    "        /*00d0*/                   EXIT ;\n"
    ".L_x_0:\n"
    "        /*00e0*/                   BRA `(.L_x_0);\n";

SassModule module_of(const std::string& text) {
    SassModule module;
    module.functions.resize(2);
    module.functions[0].name = "_Z1kPfi";
    module.functions[1].name = "other";
    add_source_lines(text, module);
    return module;
}

using LinesByAddress = std::map<std::uint64_t, std::string>;

}  // namespace

TEST_CASE("each instruction has the line that stands above it", "[unit][sass][lines]") {
    const auto module = module_of(disassembly);
    CHECK(module.functions[0].source_lines ==
          LinesByAddress{{0x0, "li.cu:4"}, {0x20, "li.cu:5"}, {0xb0, "li.cu:7"}, {0xd0, "li.cu:9"}});
    CHECK(module.functions[1].source_lines.empty());
}

TEST_CASE("lines of functions that the module has not are passed over", "[unit][sass][lines]") {
    auto text = disassembly;
    text.replace(text.find("\t.section\t.text._Z1kPfi"), 23, "\t.section\t.text._Z9elsewher");
    CHECK(module_of(text).functions[0].source_lines.empty());
}

TEST_CASE("text that is damaged or something else notes nothing wrong", "[unit][sass][lines]") {
    for (std::size_t end = 0; end < disassembly.size(); ++end) {
        const auto module = module_of(disassembly.substr(0, end));
        for (const auto& [address, place] : module.functions[0].source_lines) {
            CHECK((address == 0 || address == 0x20 || address == 0xb0 || address == 0xd0));
            CHECK(place.starts_with("li.cu:"));
        }
    }
    for (const std::string line :
         {"/**/", "/*00g0*/", "/*0000000000000000000000*/", "//## File \"", "//## File \"x\", line ",
          "//## File \"x\", line 99999999999999999999", "/*0010"}) {
        const auto module = module_of("\t.section\t.text.other,\"ax\"\n\t" + line +
                                      "\n        /*0000*/  NOP ;\n" + line + "\n");
        CHECK(module.functions[1].source_lines.empty());
    }
}
