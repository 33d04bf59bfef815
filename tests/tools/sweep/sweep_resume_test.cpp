// gpumodel sweep --resume: the bytes of an undisturbed run, wherever the first one ended.
#include <catch2/catch.hpp>
#include <cstdio>
#include <random>

#include "tests/support/csv_lines.h"
#include "tests/support/run_command.h"

namespace {

const std::string out = temporary_path("resume.csv");
const std::string sweep =
    "sweep --arch v100_sxm2 --kernel warptile,vectorized -p BM=64,128 -p BN=64,128 -p BK=8,16 --sizes "
    "512,1024 "
    "--set-sweep sm_count=60,80 ";

CommandResult resume(const std::string& arguments) {
    return run_gpumodel(arguments + " --resume --out " + out);
}

std::string whole(const std::string& arguments) {
    std::remove(out.c_str());
    REQUIRE(run_gpumodel(arguments + " --out " + out).exit_code == 0);
    return read_temporary(out);
}

void write_file(const std::string& content) {
    write_temporary("resume.csv", content);
}

// Behind the header, in and around the first and last row, and anywhere.
std::vector<std::size_t> cuts_of(const std::string& bytes) {
    const auto header = bytes.find('\n') + 1;
    const auto row = bytes.find('\n', header) + 1;
    std::vector<std::size_t> cuts{0,       1,   header / 2, header - 1,       header,           header + 1,
                                  row - 1, row, row + 1,    bytes.size() - 2, bytes.size() - 1, bytes.size()};
    std::mt19937 random(20240917);
    for (int i = 0; i < 8; ++i) {
        cuts.push_back(random() % bytes.size());
    }
    return cuts;
}

}  // namespace

TEST_CASE("a sweep cut at any byte goes on to the same bytes", "[sweep][resume]") {
    const auto more = GENERATE(as<std::string>{}, "", "--model both --sizes 512", "--keep-invalid",
                               "--shard 2/3", "--shard 3/3 --keep-invalid");
    INFO(more);
    const auto arguments =
        more.find("--sizes") == std::string::npos
            ? sweep + more
            : "sweep --arch v100_sxm2 --kernel warptile -p BM=64,128 --registers 90 " + more;
    const auto bytes = whole(arguments);
    REQUIRE(lines_of(bytes).size() > 2);
    const auto summary = run_gpumodel(arguments).err;
    for (const auto cut : cuts_of(bytes)) {
        INFO("cut at " << cut << " of " << bytes.size());
        write_file(bytes.substr(0, cut));
        const auto result = resume(arguments);
        CHECK(result.exit_code == 0);
        CHECK(result.err == summary);
        CHECK(read_temporary(out) == bytes);
    }
    std::remove(out.c_str());
    CHECK(resume(arguments).exit_code == 0);  // no file yet: the whole
    CHECK(read_temporary(out) == bytes);
}

TEST_CASE("a killed sweep goes on to the same bytes", "[sweep][resume][slow]") {
    const std::string arguments = "sweep --arch v100_sxm2 --kernel warptile --axes auto --sizes 4096";
    const auto bytes = whole(arguments);
    for (const auto* size : {"1", "200000"}) {
        std::remove(out.c_str());
        const auto killed = run_shell("{gpumodel} " + arguments + " --out " + out + " & pid=$!; " +
                                      "until [ \"$(stat -c %s " + out + " 2>/dev/null || echo 0)\" -ge " +
                                      size + " ]; do sleep 0.01; done; kill -9 $pid; wait $pid");
        CHECK(killed.exit_code == 137);
        CHECK(read_temporary(out).size() < bytes.size());
        CHECK(resume(arguments).exit_code == 0);
        CHECK(read_temporary(out) == bytes);
    }
}

TEST_CASE("rows of another sweep are refused and the file stays as it is", "[sweep][resume]") {
    const std::string mine =
        "sweep --arch v100_sxm2 --kernel warptile -p BM=64,128 -p WM=32,64 -p TM=4 --sizes 1024";
    struct Other {
        std::string arguments;
        std::string fault;
    };
    const std::vector<Other> others{
        {"sweep --arch v100_sxm2 --kernel warptile -p BM=64,128 -p WM=32,64 -p TM=4 --sizes 2048",
         "1024,1024,1024,analytic'"},
        {"sweep --arch v100_sxm2 --kernel vectorized --sizes 1024", "this row is 'v100_sxm2,vectorized,"},
        {"sweep --arch v100_sxm2 --kernel warptile -p BM=128 -p WM=64 -p TM=4 --sizes 1024",
         "here this sweep has"},
        {"sweep --arch a100_sxm4_40gb --kernel warptile -p BM=64,128 -p WM=32,64 -p TM=4 --sizes 1024",
         "this row is 'a100_sxm4_40gb,"},
        {mine + " --model both", "simulate'"},
        {mine + " --set clock.sm='1 GHz'", "predicts other values for this row"},
        {mine + " --registers 60", "predicts other values for this row"},
        {mine + " --keep-invalid", "--keep-invalid"},
        {mine + " --set-sweep sm_count=80", "does not begin with the header of this sweep"},
        {mine + " --shard 1/2", "does not begin with the header of this sweep"},
        {mine + ",2048", "no further points"},
    };
    for (const auto& other : others) {
        INFO(other.arguments);
        const auto bytes = whole(other.arguments);
        const auto result = resume(mine);
        CHECK(result.exit_code == 2);
        CHECK(result.out.empty());
        CHECK(result.err.find(out) == 0);
        CHECK(result.err.find(other.fault) != std::string::npos);
        CHECK(read_temporary(out) == bytes);
    }
    const auto bytes = whole(mine);
    auto tampered = bytes;
    tampered.replace(bytes.rfind("1024,1024"), 4, "1025");
    write_file(tampered);
    CHECK(resume(mine).exit_code == 2);
    for (const auto* garbage : {"hello\n", "\n", "arch,kernel\n", "\"arch"}) {
        write_file(garbage);
        CHECK(resume(mine).exit_code == 2);
        CHECK(read_temporary(out) == garbage);
    }
    std::remove(out.c_str());
}

// Two at once would each cut the other's half-written row away.
TEST_CASE("a second run on one file is refused and the file stays as it is", "[sweep][resume]") {
    const auto bytes = whole(sweep);
    const auto cut = bytes.substr(0, bytes.size() / 2);
    write_file(cut);
    for (const std::string more : {" --resume", ""}) {
        INFO(more);
        const auto second = run_shell("flock " + out + " {gpumodel} " + sweep + more + " --out " + out);
        CHECK(second.exit_code == 2);
        CHECK(second.err.find("another run is writing this file") != std::string::npos);
        CHECK(read_temporary(out) == cut);
    }
    CHECK(resume(sweep).exit_code == 0);  // the first one has ended
    CHECK(read_temporary(out) == bytes);
}

TEST_CASE("of two resumed runs at once the second is refused, and the first one's file is whole",
          "[sweep][resume][slow]") {
    const std::string arguments = "sweep --arch v100_sxm2 --kernel warptile --axes auto --sizes 4096";
    const auto bytes = whole(arguments);
    std::remove(out.c_str());
    // the first is stopped where it has written something, so that the second meets it whatever the machine's
    // load
    const auto both =
        run_shell("{gpumodel} " + arguments + " --resume --out " + out +
                  " 2>/dev/null & pid=$!; until [ \"$(stat -c %s " + out +
                  " 2>/dev/null || echo 0)\" -ge 1000 ]; do sleep 0.01; done; kill -STOP $pid; " +
                  "{gpumodel} " + arguments + " --resume --out " + out +
                  "; code=$?; kill -CONT $pid; wait $pid || exit 99; exit $code");
    CHECK(both.exit_code == 2);
    CHECK(both.out.empty());
    CHECK(both.err.find(out + ": ") == 0);
    CHECK(both.err.find("another run is writing this file") != std::string::npos);
    CHECK(read_temporary(out) == bytes);
}
