#include "traces/kernel/resource_log/resource_log.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "tests/support/temporary_folder.h"

using namespace gpumodel;

namespace {

const std::string data = GPUMODEL_TEST_DATA;

// All faults of a log, one per line, with `LOG` for its path; "" if it can be read.
std::string faults_of(const std::string& text) {
    const TemporaryFile log(text);
    try {
        static_cast<void>(read_resource_log(log.path()));
        return "";
    } catch (const InputError& error) {
        CHECK(error.kind() == InputErrorKind::invalid_input);
        std::string all;
        for (const auto& diagnostic : error.diagnostics()) {
            std::string line = to_string(diagnostic);
            REQUIRE(line.starts_with(log.path()));
            all += "LOG" + line.substr(log.path().size()) + "\n";
        }
        return all;
    }
}

std::string fault_of_selection(const std::vector<ResourceEntry>& entries, const std::string& kernel,
                               const std::string& target) {
    try {
        static_cast<void>(select_entry(entries, "LOG", kernel, target));
        return "";
    } catch (const InputError& error) {
        REQUIRE(error.diagnostics().size() == 1);
        return to_string(error.diagnostics().front());
    }
}

}  // namespace

// Values below were read from the fixtures, which are the unedited output of the toolkits.

TEST_CASE("ptxas -v of CUDA 11.8 for two architectures", "[unit]") {
    const auto entries = read_resource_log(data + "/resource_log_ptxas_11_8.txt");
    REQUIRE(entries.size() == 12);
    CHECK(entries[0].entry == "_ZN8gpumodel7kernels16transpose_paddedILi0EEEvPfPKfii");
    CHECK(entries[0].target == "sm_35");
    CHECK(entries[0].registers == 17);
    CHECK(entries[0].shared_bytes == 4224);
    CHECK(entries[0].line == 6);
    CHECK(entries[1].registers == 255);
    CHECK(entries[1].spill_store_bytes == 12);
    CHECK(entries[1].spill_load_bytes == 12);
    CHECK(entries[5].entry == "plain_copy");
    CHECK(entries[5].shared_bytes == 0);
    CHECK(entries[11].entry == "plain_copy");
    CHECK(entries[11].target == "sm_70");
    CHECK(entries[11].registers == 20);
    CHECK(entries[11].barriers == 0);
}

TEST_CASE("ptxas -v of CUDA 13.0 names barriers", "[unit]") {
    const auto entries = read_resource_log(data + "/resource_log_ptxas_13_0.txt");
    REQUIRE(entries.size() == 6);
    CHECK(entries[1].registers == 128);
    CHECK(entries[1].shared_bytes == 12288);
    CHECK(entries[1].barriers == 1);
    CHECK(entries[5].entry == "plain_copy");
    CHECK(entries[5].registers == 18);
    CHECK(entries[5].barriers == 0);
}

TEST_CASE("cuobjdump agrees with ptxas on the same fat binary", "[oracle]") {
    const auto by_ptxas = read_resource_log(data + "/resource_log_ptxas_11_8.txt");
    const auto by_cuobjdump = read_resource_log(data + "/resource_log_cuobjdump_11_8.txt");
    REQUIRE(by_cuobjdump.size() == by_ptxas.size());
    for (std::size_t i = 0; i < by_ptxas.size(); ++i) {
        INFO(by_ptxas[i].entry << " " << by_ptxas[i].target);
        CHECK(by_cuobjdump[i].entry == by_ptxas[i].entry);
        CHECK(by_cuobjdump[i].target == by_ptxas[i].target);
        CHECK(by_cuobjdump[i].registers == by_ptxas[i].registers);
        CHECK(by_cuobjdump[i].shared_bytes == by_ptxas[i].shared_bytes);
    }
}

TEST_CASE("old spelling, system shared memory, other text, CRLF", "[unit]") {
    const TemporaryFile log(
        "make: nothing to be done\r\n"
        "\r\n"
        "ptxas : info : Compiling entry function 'KernelFoo' for 'sm_20' \r\n"
        "ptxas : info : Function properties for KernelFoo\r\n"
        "      48 bytes stack frame, 40 bytes spill stores, 36 bytes spill loads\r\n"
        "ptxas : info : Used 48 registers, 6144+16 bytes smem, 64 bytes cmem[0]\r\n"
        "ptxas warning : something else: Used up\r\n"
        "ptxas info    : Compiling entry function 'bar(float*, int)' for 'sm_61'\r\n"
        "ptxas info    : Used 8 registers");
    const auto entries = read_resource_log(log.path());
    REQUIRE(entries.size() == 2);
    CHECK(entries[0].entry == "KernelFoo");
    CHECK(entries[0].target == "sm_20");
    CHECK(entries[0].registers == 48);
    CHECK(entries[0].shared_bytes == 6160);
    CHECK(entries[0].spill_store_bytes == 40);
    CHECK(entries[0].spill_load_bytes == 36);
    CHECK(entries[0].line == 6);
    CHECK(entries[1].entry == "bar(float*, int)");
    CHECK(entries[1].registers == 8);
    CHECK(entries[1].spill_store_bytes == 0);
}

TEST_CASE("spills of a device function are not the entry's", "[unit]") {
    const TemporaryFile log(
        "ptxas info    : Compiling entry function 'k' for 'sm_70'\n"
        "ptxas info    : Function properties for helper\n"
        "    64 bytes stack frame, 60 bytes spill stores, 60 bytes spill loads\n"
        "ptxas info    : Used 20 registers, 368 bytes cmem[0]\n");
    const auto entries = read_resource_log(log.path());
    REQUIRE(entries.size() == 1);
    CHECK(entries[0].spill_store_bytes == 0);
}

TEST_CASE("malformed logs: every fault with its place", "[unit]") {
    const std::string entry = "ptxas info    : Compiling entry function 'k' for 'sm_70'\n";
    CHECK(faults_of("") ==
          "LOG: no entry found; expected the output of `nvcc -Xptxas -v` or `cuobjdump -res-usage`\n");
    CHECK(faults_of("hello\n\n") ==
          "LOG: no entry found; expected the output of `nvcc -Xptxas -v` or `cuobjdump -res-usage`\n");
    CHECK(faults_of("ptxas info    : Used 20 registers\n") ==
          "LOG:1:22: registers without the name of an entry before them\n");
    CHECK(faults_of(entry) == "LOG:1:43: no registers follow for entry `k`\n");
    CHECK(faults_of(entry + entry + "ptxas info    : Used 20 registers\n") ==
          "LOG:1:43: no registers follow for entry `k`\n");
    CHECK(faults_of(entry + "ptxas info    : Used many registers\n") ==
          "LOG:2:22: expected a register count\n");
    CHECK(faults_of(entry + "ptxas info    : Used -4 registers\n") ==
          "LOG:2:22: expected a register count\n");
    CHECK(faults_of(entry + "ptxas info    : Used 256 registers\n") ==
          "LOG:2:22: a register count above 255\n");
    CHECK(faults_of(entry + "ptxas info    : Used 99999999999999999999 registers\n") ==
          "LOG:2:22: a register count above 255\n");
    CHECK(faults_of(entry + "ptxas info    : Used 20 apples\n") == "LOG:2:24: expected ` registers`\n");
    CHECK(faults_of(entry + "ptxas info    : Used 20 registers; 4 bytes smem\n") ==
          "LOG:2:34: expected `,`\n");
    CHECK(faults_of(entry + "ptxas info    : Used 20 registers, 4+ bytes smem\n") ==
          "LOG:2:38: expected a number of bytes\n");
    CHECK(faults_of(entry + "ptxas info    : Used 20 registers, used x barriers\n") ==
          "LOG:2:41: expected a barrier count\n");
    CHECK(faults_of(
              "ptxas info    : Compiling entry function k for sm_70\nptxas info    : Used 20 registers\n") ==
          "LOG:1:41: expected ` '`\n");
    CHECK(faults_of("ptxas info    : Compiling entry function 'k\nptxas info    : Used 20 registers\n") ==
          "LOG:1:44: expected `' for '`\n");
    CHECK(
        faults_of(
            "ptxas info    : Compiling entry function '' for 'sm_70'\nptxas info    : Used 2 registers\n") ==
        "LOG:1:43: empty entry name\n");
    CHECK(faults_of(entry +
                    "    0 bytes stack frame, x bytes spill stores\nptxas info    : Used 20 registers\n") ==
          "LOG:2:26: expected a number of bytes\n");
    CHECK(faults_of(" Function foo:\n  REG:4O STACK:0\n") == "LOG:2:8: expected ` `\n");
    CHECK(faults_of(" Function foo:\n  REG: STACK:0\n") == "LOG:2:7: expected a register count\n");
    CHECK(faults_of(" Function foo:\n  REG:40 SHARED:8k\n") == "LOG:2:18: expected ` `\n");
    CHECK(faults_of(" Function foo:\n  REG:40 STACK\n") == "LOG:2:15: expected `:`\n");
}

TEST_CASE("all faults of a log are reported at once", "[unit]") {
    CHECK(faults_of("ptxas info    : Used 1 registers\n"
                    "ptxas info    : Compiling entry function 'good' for 'sm_70'\n"
                    "ptxas info    : Used 20 registers\n"
                    "  REG:12\n"
                    "ptxas info    : Compiling entry function 'open' for 'sm_70'\n") ==
          "LOG:1:22: registers without the name of an entry before them\n"
          "LOG:4:3: registers without the name of an entry before them\n"
          "LOG:5:43: no registers follow for entry `open`\n");
}

TEST_CASE("a log that cannot be opened", "[unit]") {
    try {
        static_cast<void>(read_resource_log("/nonexistent/log.txt"));
        FAIL("no error");
    } catch (const InputError& error) {
        REQUIRE(error.diagnostics().size() == 1);
        CHECK(to_string(error.diagnostics().front()) == "/nonexistent/log.txt: cannot read this file");
    }
}

TEST_CASE("damaged logs end in entries or faults, never otherwise", "[property]") {
    std::ifstream file(data + "/resource_log_ptxas_11_8.txt", std::ios::binary);
    const std::string original((std::istreambuf_iterator<char>(file)), {});
    REQUIRE(!original.empty());
    std::mt19937 engine(20260101);
    for (int round = 0; round < 200; ++round) {
        std::string text = original.substr(0, engine() % original.size());
        for (int hit = 0; hit < 20 && !text.empty(); ++hit) {
            text[engine() % text.size()] = static_cast<char>(engine() % 256);
        }
        const TemporaryFile log(text);
        try {
            for (const auto& entry : read_resource_log(log.path())) {
                CHECK(!entry.entry.empty());
                CHECK((entry.registers >= 0 && entry.registers <= 255));
            }
        } catch (const InputError& error) {
            CHECK(!error.diagnostics().empty());
        }
    }
}

TEST_CASE("selecting an entry", "[unit]") {
    const auto entries = read_resource_log(data + "/resource_log_ptxas_11_8.txt");

    SECTION("by a function's own name, not by a part of another's") {
        CHECK(select_entry(entries, "LOG", "doublebuffer", "sm_70").registers == 82);
        CHECK(select_entry(entries, "LOG", "doublebuffer_split", "sm_70").registers == 96);
        CHECK(select_entry(entries, "LOG", "warptile", "sm_35").registers == 167);
    }
    SECTION("by the mangled name, by a plain name, by the only part that fits") {
        CHECK(select_entry(entries, "LOG", "_ZN8gpumodel7kernels16transpose_paddedILi0EEEvPfPKfii", "sm_70")
                  .registers == 22);
        CHECK(select_entry(entries, "LOG", "plain_copy", "sm_35").registers == 17);
        CHECK(select_entry(entries, "LOG", "padded", "sm_35").registers == 17);
    }
    SECTION("ambiguous") {
        CHECK(fault_of_selection(entries, "plain_copy", "") ==
              "LOG: `plain_copy` fits several entries; give one by its full name: "
              "line 26: plain_copy for sm_35; line 53: plain_copy for sm_70");
        CHECK(
            fault_of_selection(entries, "transpose_padded", "") ==
            "LOG: `transpose_padded` fits several entries; give one by its full name: "
            "line 6: void gpumodel::kernels::transpose_padded<0>(float*, float const*, int, int) for sm_35; "
            "line 33: void gpumodel::kernels::transpose_padded<0>(float*, float const*, int, int) for sm_70");
    }
    SECTION("absent, or only for another target") {
        CHECK(fault_of_selection(entries, "plain_copy", "sm_90") ==
              "LOG: no entry for `plain_copy` on sm_90; the log has it as: "
              "line 26: plain_copy for sm_35; line 53: plain_copy for sm_70");
        const std::vector<ResourceEntry> one(1, entries[5]);
        CHECK(fault_of_selection(one, "smem", "sm_35") ==
              "LOG: no entry for `smem`; the log holds: line 26: plain_copy for sm_35");
    }
    SECTION("a repeated entry with the same figures is one; with others it is ambiguous") {
        std::vector<ResourceEntry> twice(2, entries[5]);
        CHECK(select_entry(twice, "LOG", "plain_copy", "sm_35").registers == 17);
        twice[1].registers = 18;
        CHECK(!fault_of_selection(twice, "plain_copy", "sm_35").empty());
    }
    SECTION("an entry of unknown target fits every target") {
        std::vector<ResourceEntry> one(1, entries[5]);
        one[0].target.clear();
        CHECK(select_entry(one, "LOG", "plain_copy", "sm_90").registers == 17);
    }
}
