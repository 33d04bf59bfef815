// Constants of the module, from what cuobjdump -elf prints beside the code.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <tuple>

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

TEST_CASE("words that follow one another are read by the index as it was, and are counted by lanes") {
    const std::vector<std::string> over_index{"MOV32I R2, 0x0", "LDC.64 R2, c[0x3][R2]", "STS [R3], R1",
                                              "EXIT"};
    CHECK(stored_at(image + banks + code(over_index)) == 0x11223344);
    struct Sink : WarpSink {
        void straight(int, int, int, std::uint32_t) override {}
        void access(int, const AccessEvent&) override {}
    } sink;
    SassLaunch launch;
    launch.block = {32, 1, 1};
    const auto addresses = [&](const std::string& mask) {
        const std::vector<std::string> lines{"S2R R2, SR_TID.X", "LOP.AND R2, R2, " + mask,
                                             "LDC.U8 R0, c[0x3][R2]", "EXIT"};  // what it reads is not needed
        const auto source =
            make_sass_source(read_sass(image + banks + code(lines), "test").functions.front(), launch);
        source->run_block({0, 0, 0}, sink);
        return source->code().instructions[2].matched_values;
    };
    CHECK(addresses("0x3") == 4);  // bytes of one word
    CHECK(addresses("0xc") == 4);
    CHECK(addresses("0x1f") == 32);
    CHECK(addresses("0x10") == 2);
}

TEST_CASE("__constant__ variables hold what the launch says; where nobody says, zeros are unknown") {
    const std::string variables =
        "1a   4a00     c  0  4        PROGBITS       2    0        0 .nv.constant3\n\n"
        ".section .symtab\n"
        "0x5             0               0x8            0x1        0   0x1a     filled_later\n"
        "0x6             0x8             0x4            0x1        0   0x1a     set\n\n"
        ".nv.constant3\n0x00000000 0x00000000 0x00000020\n\n";
    const auto run = [&](const std::vector<std::string>& lines, const SassLaunch& asked) {
        struct Sink : WarpSink {
            void straight(int, int, int, std::uint32_t) override {}
            void access(int, const AccessEvent& event) override { address = event.address[0]; }
            std::int64_t address = -1;
        } sink;
        auto launch = asked;
        launch.block = {32, 1, 1};
        const auto source =
            make_sass_source(read_sass(image + variables + code(lines), "test").functions.front(), launch);
        source->run_block({0, 0, 0}, sink);
        return std::tuple(sink.address, source->unknown_data().size(), source->notes().size());
    };
    const std::vector<std::string> indexed{"MOV32I R2, 0x4", "LDC R0, c[0x3][R2]", "STS [R0], R1", "EXIT"};
    const std::vector<std::string> fixed = store_of("c[0x3][0x4]"), set = store_of("c[0x3][0x8]");
    for (const auto& lines : {indexed, fixed}) {
        CHECK(run(lines, {}) == std::tuple(0, 1, 0));
        SassLaunch given;
        given.variables.push_back({"filled_later", given_rule("iota", 8).data});
        CHECK(run(lines, given) == std::tuple(1, 0, 0));
        SassLaunch recorded;
        recorded.knows_constants = true;
        CHECK(run(lines, recorded) == std::tuple(0, 0, 0));
    }
    CHECK(run(set, {}) == std::tuple(0x20, 0, 1));  // as initialised, with a note
    SassLaunch other;
    other.variables.push_back({"set", given_rule("zeros", 4).data});
    CHECK(run(set, other) == std::tuple(0, 0, 0));
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
