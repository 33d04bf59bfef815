// gpumodel sass as a user runs it, on a listing that can be counted by eye.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/support/run_command.h"

TEST_CASE("sass: json of a small listing", "[cli][sass]") {
    const auto result = run_gpumodel("sass sass/saxpy_loop.sass --format json");
    REQUIRE(result.exit_code == 0);
    const auto entry = nlohmann::json::parse(result.out)["entries"][0];
    CHECK(entry["entry"] == "saxpy_loop");
    CHECK(entry["registers_at_least"] == 13);  // R12; QMMA's widths are unknown
    CHECK(entry["total"]["instructions"] == 6);
    CHECK(entry["total"]["stall_cycles"] == 2 + 4 + 4 + 1 + 5 + 5);
    CHECK(entry["unknown_opcodes"][0]["opcode"] == "QMMA");
    CHECK(entry["unknown_opcodes"][0]["first_address"] == 0x30);
    CHECK(entry["unknown_opcodes"][0]["count"] == 1);
    const auto loop = entry["loops"][0];
    CHECK(loop["first_address"] == 0x10);
    CHECK(loop["last_address"] == 0x40);
    CHECK(loop["without_inner_loops"]["accesses"]["global_load_128"] == 1);
    // R8 and R4 lie on bank 0, R9 on bank 1: two reads on one bank, every trip
    CHECK(loop["register_ports"]["cycles_per_ffma"] == 2.0);
}

TEST_CASE("sass: text and csv", "[cli][sass]") {
    const auto text = run_gpumodel("sass sass/saxpy_loop.sass --entry saxpy");
    REQUIRE(text.exit_code == 0);
    CHECK(text.out.find("loop 0x0010 to 0x0040") != std::string::npos);
    CHECK(text.out.find("unknown opcode QMMA: 1 times, first at 0x0030") != std::string::npos);
    CHECK(text.out.find("bank rules of a100_sxm4_40gb") != std::string::npos);
    const auto csv = run_gpumodel("sass sass/saxpy_loop.sass --format csv");
    CHECK(csv.out.rfind("entry,arch,region,first_address,last_address,depth,registers,instructions,ffma,",
                        0) == 0);
    CHECK(csv.out.find("\nsaxpy_loop,sm_80,all,,,0,13,6,1,") != std::string::npos);
    CHECK(csv.out.find("\nsaxpy_loop,sm_80,loop,0x10,0x40,1,13,4,1,") != std::string::npos);
}

TEST_CASE("sass: --arch chooses the bank rules", "[cli][sass]") {
    const auto result = run_gpumodel("sass sass/saxpy_loop.sass --arch k40 --format json");
    const auto loop = nlohmann::json::parse(result.out)["entries"][0]["loops"][0];
    CHECK(loop["register_ports"]["cycles_per_ffma"] == 1.0);  // Kepler: two reads per bank and cycle
}

TEST_CASE("sass: bad input", "[cli][sass]") {
    const auto broken = run_gpumodel("sass sass/broken.sass");
    CHECK(broken.exit_code == 3);
    CHECK(broken.out.empty());
    CHECK(broken.err ==
          "sass/broken.sass:3:27: operand: no register 'R300'\n"
          "sass/broken.sass:4:17: instruction: expected ';' after the instruction\n");
    CHECK(run_gpumodel("sass sass/none.sass").exit_code == 2);
    CHECK(run_gpumodel("sass").exit_code == 2);
    CHECK(run_gpumodel("sass sass").exit_code == 2);
    const auto entry = run_gpumodel("sass sass/saxpy_loop.sass --entry saxpy_lop");
    CHECK(entry.exit_code == 2);
    CHECK(entry.err == "--entry: 'saxpy_lop': no entry has this name or part; nearest: saxpy_loop\n");
    CHECK(run_gpumodel("sass sass/saxpy_loop.sass --arch sm_1").exit_code == 2);
}
