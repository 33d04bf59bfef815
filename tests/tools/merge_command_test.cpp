// gpumodel sweep --shard and gpumodel merge: together the bytes of the undivided sweep, or what is missing.
#include <catch2/catch.hpp>
#include <cstdio>

#include "tests/support/csv_lines.h"
#include "tests/support/run_command.h"

namespace {

const std::string sweep =
    "sweep --arch v100_sxm2 --kernel warptile,vectorized -p BM=64,128 -p BN=64,128 -p BK=8,16 --sizes "
    "512,1024 "
    "--set-sweep sm_count=60,80 ";

const std::string merged_file = temporary_path("merged.csv");

std::string shard_file(int index) {
    return temporary_path("shard" + std::to_string(index) + ".csv");
}

void run_shards(const std::string& arguments, int count) {
    for (int i = 1; i <= count; ++i) {
        const auto result = run_gpumodel(arguments + " --shard " + std::to_string(i) + "/" +
                                         std::to_string(count) + " --out " + shard_file(i));
        REQUIRE(result.exit_code == 0);
    }
}

CommandResult merge(const std::vector<int>& shards) {
    std::string files;
    for (const int i : shards) {
        files += " " + shard_file(i);
    }
    return run_gpumodel("merge" + files);
}

}  // namespace

TEST_CASE("merged shards are the sweep, whatever their number and order", "[sweep][merge]") {
    for (const auto* more : {"", "--keep-invalid", "--model both --sizes 512"}) {
        const std::string arguments =
            more[0] == '-' && more[2] == 'm'
                ? std::string("sweep --arch k40 --kernel smem,vectorized -p BM=64,128 ") +
                      "--set-sweep sm_count=10,15 --model both --sizes 512"
                : sweep + more;
        const auto all = run_gpumodel(arguments).out;
        INFO(arguments);
        for (const int count : {1, 2, 5}) {
            run_shards(arguments, count);
            std::vector<int> order;
            for (int i = count; i >= 1; --i) {
                order.push_back(i);
            }
            const auto merged = merge(order);
            CHECK(merged.exit_code == 0);
            CHECK(merged.err.empty());
            CHECK(merged.out == all);
        }
    }
}

TEST_CASE("a point per shard", "[sweep][merge]") {
    const std::string points = "sweep --arch k40 --kernel vectorized -p BM=64,128 -p BN=64,128 --sizes 512";
    run_shards(points, 4);
    CHECK(merge({4, 2, 1, 3}).out == run_gpumodel(points).out);
    CHECK(run_gpumodel(points + " --shard 1/5").err ==
          "--shard: 5 shards of 4 points: some would be empty\n");
}

TEST_CASE("merge writes the file of --out only when all is sound, and no shard over", "[sweep][merge]") {
    run_shards(sweep, 2);
    const auto merged =
        run_gpumodel("merge --out " + merged_file + " " + shard_file(1) + " " + shard_file(2));
    CHECK(merged.exit_code == 0);
    CHECK(merged.out.empty());
    CHECK(read_temporary(merged_file) == run_gpumodel(sweep).out);
    std::remove(merged_file.c_str());
    CHECK(run_gpumodel("merge --out " + merged_file + " " + shard_file(1)).exit_code == 2);
    CHECK(read_temporary(merged_file).empty());
    const auto over =
        run_gpumodel("merge --out " + shard_file(1) + " " + shard_file(1) + " " + shard_file(2));
    CHECK(over.err ==
          shard_file(1) + ": --out: would be written over '" + shard_file(1) + "', which is read\n");
}

TEST_CASE("missing, doubled, foreign and spoilt shards are named", "[sweep][merge]") {
    run_shards(sweep, 4);
    const auto name = [](int i) { return shard_file(i); };
    CHECK(merge({1, 2, 4}).err == "shard 3/4 is missing\n");
    CHECK(merge({4}).err == "shards 1 to 3 of 4 are missing\n");
    CHECK(merge({1, 2, 3, 4, 2}).err == name(2) + ": is shard 2/4, as " + name(2) + " is\n");
    CHECK(run_gpumodel("merge /nonexistent.csv " + name(1)).err ==
          "/nonexistent.csv: cannot read this file\n");

    const auto plain = write_temporary("shard9.csv", run_gpumodel(sweep).out);
    CHECK(merge({1, 9}).err == plain + ":1:1: no shard: the last column of 'sweep --shard' is shard\n");

    REQUIRE(run_gpumodel(sweep + "--registers 80 --shard 2/4 --out " + name(9)).exit_code == 0);
    const auto foreign = merge({1, 9, 3, 4});
    CHECK(foreign.exit_code == 2);
    CHECK(foreign.err.find(name(9) + ": is of another sweep than " + name(1)) == 0);
    CHECK(foreign.err.find("shard 2/4 is missing") != std::string::npos);
}

TEST_CASE("a shard cut at any byte is refused or, at its end, whole", "[sweep][merge]") {
    const auto more = GENERATE(as<std::string>{}, "", "--keep-invalid");
    run_shards(sweep + more, 3);
    const auto bytes = read_temporary(shard_file(2));
    for (std::size_t cut = 0; cut < bytes.size(); cut += 97) {
        write_temporary("shard2.csv", bytes.substr(0, cut));
        const auto result = merge({1, 2, 3});
        INFO(cut << ": " << result.err);
        CHECK(result.exit_code == 2);
        CHECK(result.err.find(shard_file(2)) == 0);
    }
    // whole rows lost at the end, and in the middle
    const auto lines = lines_of(bytes);
    REQUIRE(lines.size() > 4);
    for (const std::size_t lost : {std::size_t{1}, lines.size() / 2, lines.size() - 1}) {
        std::string rest;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            rest += i == lost ? "" : lines[i] + "\n";
        }
        write_temporary("shard2.csv", rest);
        const auto result = merge({1, 2, 3});
        INFO(result.err);
        CHECK(result.exit_code == 2);
        CHECK(result.err.find(shard_file(2)) == 0);
    }
}

TEST_CASE("merge survives hostile cells", "[sweep][merge]") {
    const std::string header = "arch,shard\n";
    for (const auto* cell : {"1/9999999999999:0-0/99999999999999:x", "1/1:0-99999999999999999999/1:x",
                             "0/1:0-0/1:x", "2/1:0-0/1:x", "1/1:5-3/9:x", "1/1", "", "1/1:0-0/1",
                             "-1/-1:0-0/1:x", "1/9223372036854775807:0-0/9223372036854775807:x"}) {
        INFO(cell);
        const auto path = write_temporary("shard_hostile.csv", header + "k40," + cell + "\n");
        const auto result = run_gpumodel("merge " + path);
        CHECK(result.exit_code == 2);
        CHECK(result.out.empty());
    }
}
