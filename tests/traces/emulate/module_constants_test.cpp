// Constants of the module, from what cuobjdump -elf prints beside the code.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "base/diagnostics.h"
#include "tests/traces/emulate/recording_sink.h"
#include "traces/emulate/sass_block_source.h"
#include "traces/sass/reader/sass_reader.h"

using namespace gpumodel;

namespace {

const std::string image = "64bit elf: type=2, abi=7, sm=35, toolkit=118, flags = 0x230523\nSections:\n\n";
const std::string banks =
    ".nv.constant2.f\n0x00000020 0x0000000c \n\n\n"
    ".nv.constant3\n0x04030201 0x11223344 0x00000000 0x00000000\n0x05 0x06 \n\n"
    ".section .rel.nv.constant3\tREL\n0x8    table    R_CUDA_G64\n\n"
    ".nv.constant0.f\n0x00000000\n\n\n.text.f\nbar = 0\treg = 2\tlmem=0\tsmem=0\n0xb0a010c0 0x08bc9ca0\n\n";

std::string code(const std::vector<std::string>& lines) {
    std::string text = "\tcode for sm_35\n\t\tFunction : f\n";
    for (std::size_t i = 0; i < lines.size(); ++i) {
        text += fmt::format("        /*{:04x}*/ {} ;\n", 8 * i, lines[i]);
    }
    return text + "\t\t....\n";
}

// What a store to shared memory says the constant is.
std::int64_t stored_at(const std::string& listing, std::vector<std::string>* notes = nullptr) {
    struct Sink : WarpSink {
        void straight(int, int, int, std::uint32_t) override {}
        void access(int, const AccessEvent& event) override { address = event.address[0]; }
        std::int64_t address = -1;
    } sink;
    SassLaunch launch;
    launch.block = {32, 1, 1};
    const auto source = make_sass_source(read_sass(listing, "test").functions.front(), launch);
    source->run_block({0, 0, 0}, sink);
    if (notes != nullptr) {
        *notes = source->notes();
    }
    return sink.address;
}

std::vector<std::string> store_of(const std::string& constant) {
    return {"MOV R0, " + constant, "STS [R0], R1", "EXIT"};
}

}  // namespace

TEST_CASE("constants are read from the dump, wherever it stands") {
    const auto text = code(store_of("c[0x2][0x4]"));
    CHECK(stored_at(image + banks + text) == 12);
    CHECK(stored_at(text + image + banks) == 12);
    // another architecture's image and another entry's literals are not taken
    CHECK_THROWS_WITH(stored_at("64bit elf: type=2, abi=7, sm=70\n\n" + banks + text),
                      Catch::Contains("cuobjdump -sass -elf"));
    CHECK_THROWS_WITH(stored_at(image + ".nv.constant2.g\n0x00000020 0x0000000c \n\n" + text),
                      Catch::Contains("c[0x2][0x4]") && Catch::Contains("cuobjdump -sass -elf"));
    // the second image belongs to the second code
    const auto other = "64bit elf: type=2, sm=35\n\n.nv.constant2.f\n0x00000008 0x00000010\n\n";
    CHECK(stored_at(image + banks + text + other + code(store_of("c[0x2][0x0]"))) == 12);
}

TEST_CASE("bytes, loader addresses and variables of constant memory") {
    std::vector<std::string> notes;
    CHECK(stored_at(image + banks + code(store_of("c[0x3][0x4]")), &notes) == 0x11223344);
    REQUIRE(notes.size() == 1);
    CHECK_THAT(notes[0], Catch::Contains("__constant__"));
    CHECK(stored_at(image + banks + code(store_of("c[0x3][0x10]"))) == 0x0605);
    const std::vector<std::string> indexed{"MOV32I R2, 0x2", "LDC.U8 R0, c[0x3][R2]", "STS [R0], R1", "EXIT"};
    CHECK(stored_at(image + banks + code(indexed), &notes) == 3);
    CHECK(notes.size() == 1);
    CHECK_THROWS_WITH(stored_at(code(indexed)), Catch::Contains("cuobjdump -sass -elf"));
    for (const char* unknown : {"c[0x3][0x8]", "c[0x3][0xc]", "c[0x3][0x14]"}) {
        CHECK_THROWS_WITH(stored_at(image + banks + code(store_of(unknown))),
                          Catch::Contains("an address that the loader fills in"));
    }
}

TEST_CASE("malformed dumps are refused with their lines") {
    const auto text = code({"EXIT"});
    try {
        static_cast<void>(read_sass(image +
                                        ".nv.constant2.f\n0x0000002 0x1\n\n.nv.constantx\n\n"
                                        ".nv.constant3\n0x12 0x00000000\n\n" +
                                        text,
                                    "test"));
        FAIL("accepted");
    } catch (const InputError& error) {
        std::vector<int> lines;
        for (const auto& fault : error.diagnostics()) {
            CHECK(fault.key == "constants");
            lines.push_back(fault.line);
        }
        CHECK(lines == std::vector<int>{5, 7, 10});
    }
    CHECK_THROWS_WITH(read_sass(".nv.constant3\n0x00000000\n" + text, "test"), Catch::Contains("64bit elf"));
    std::string large = image + ".nv.constant3\n";
    for (int i = 0; i <= 1 << 14; ++i) {
        large += "0x00000001\n";
    }
    CHECK_THROWS_WITH(read_sass(large + "\n" + text, "test"), Catch::Contains("64 KiB"));
}
