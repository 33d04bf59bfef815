// gpumodel-record in front of a stand-in driver: what it records of a program, and that it changes nothing.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

namespace {

using Json = nlohmann::json;

CommandResult record(const std::string& folder, const std::string& options, const std::string& mode) {
    return run_shell("LD_LIBRARY_PATH=" GPUMODEL_STANDIN " " GPUMODEL_RECORD " --out " + folder + " " +
                     options + " " GPUMODEL_STANDIN "/standin_program " + mode);
}

std::vector<Json> launches_of(const std::string& folder) {
    std::vector<Json> list;
    std::ifstream in(folder + "/launches.jsonl");
    for (std::string line; std::getline(in, line);) {
        list.push_back(Json::parse(line));
    }
    return list;
}

std::string file(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("a program's launches are recorded, whichever way it finds its driver", "[recorder]") {
    for (const std::string mode : {"dlsym", "query"}) {
        CAPTURE(mode);
        const TemporaryFolder work;
        const auto folder = (work.path() / "r").string();
        const auto result = record(folder, "--repeat 3", mode);
        CHECK(result.exit_code == 7);  // the program's own, which checks that each launch counted once
        const auto launches = launches_of(folder);
        REQUIRE(launches.size() == 3);
        const auto& first = launches[0];
        CHECK(first["kernel"] == "_Z5bumpsPciPKc");
        CHECK(first["name"] == "bumps(char*, int, char const*)");
        CHECK(first["grid"] == Json({4, 2, 1}));
        CHECK(first["block"] == Json({32, 1, 1}));
        CHECK(first["dynamic_shared_bytes"] == 256);
        CHECK(first["static_shared_bytes"] == 512);
        CHECK(first["registers"] == 24);
        CHECK(first["device"]["name"] == "Stand-in H200");
        CHECK(first["device"]["generation"] == "sm_90");
        CHECK(first["parameters"] == Json({{{"offset", 0}, {"bytes", 8}},
                                           {{"offset", 8}, {"bytes", 4}},
                                           {{"offset", 16}, {"bytes", 8}},
                                           {{"offset", 24}, {"bytes", 8}}}));
        CHECK(first["parameter_bytes"].get<std::string>().substr(16, 8) == "32000000");  // 50
        CHECK(first["time_us"].get<double>() == Approx(12.5));
        CHECK(first["replays_us"].size() == 3);
        CHECK(std::filesystem::file_size(folder + '/' + first["image"].get<std::string>()) == 64);
    }
}

TEST_CASE("contents are those before the launch, the same ones stored once", "[recorder]") {
    const TemporaryFolder work;
    const auto folder = (work.path() / "r").string();
    REQUIRE(record(folder, "", "query").exit_code == 7);
    const auto launches = launches_of(folder);
    REQUIRE(launches.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        std::string held(1000, '\3');
        for (std::size_t k = 100; k < 150; ++k) {
            held[k] = static_cast<char>(3 + i);
        }
        bool found = false;
        for (const auto& a : launches[i]["allocations"]) {
            if (a["bytes"] == 1000) {
                found = true;
                CHECK(file(folder + '/' + a["contents"].get<std::string>()) == held);
            } else {
                CHECK(a["contents"] == "zeros");
            }
        }
        CHECK(found);
    }
    const std::filesystem::directory_iterator files(folder + "/data");
    CHECK(std::distance(begin(files), end(files)) == 3 + 2);  // and the variable's and the texture's
}

TEST_CASE("variables and textures are recorded with what they hold", "[recorder]") {
    for (const std::string mode : {"dlsym", "query"}) {
        CAPTURE(mode);
        const TemporaryFolder work;
        const auto folder = (work.path() / "r").string();
        REQUIRE(record(folder, "", mode).exit_code == 7);
        const auto launch = launches_of(folder).at(0);
        REQUIRE(launch["variables"].size() == 1);
        const auto& table = launch["variables"][0];
        CHECK(table["name"] == "table");
        CHECK(table["bytes"] == 6);
        CHECK(file(folder + '/' + table["contents"].get<std::string>()) == "\1\2\3\4\5\6");
        REQUIRE(launch["textures"].size() == 1);
        const auto& texture = launch["textures"][0];
        CHECK(texture["offset"] == 24);
        CHECK(texture["surface"] == false);
        CHECK(texture["text"] == "u8,4x2,pitch,wrap,linear,normalized,unorm");
        CHECK(file(folder + '/' + texture["contents"].get<std::string>()) == "\12\13\14\15\24\25\26\27");
    }
}

TEST_CASE("replays bring back what the launch changed, and leave what it read", "[recorder]") {
    const TemporaryFolder work;
    const auto copies = (work.path() / "copies").string();
    const auto result =
        run_shell("STANDIN_COPIES=" + copies +
                  " LD_LIBRARY_PATH=" GPUMODEL_STANDIN " " GPUMODEL_RECORD " --repeat 2 --out " +
                  (work.path() / "r").string() + " " GPUMODEL_STANDIN "/standin_program dlsym");
    CHECK(result.exit_code == 7);
    std::string expected;  // three launches, two replays each; the 64 bytes beside them are only read
    for (int i = 0; i < 3 * 2; ++i) {
        expected += "1000\n";
    }
    CHECK(file(copies) == expected);
}

TEST_CASE("the recorder's limits", "[recorder]") {
    const TemporaryFolder work;
    const auto launches = [&](const std::string& name, const std::string& options) {
        const auto folder = (work.path() / name).string();
        CHECK(record(folder, options, "query").exit_code == 7);
        return launches_of(folder);
    };
    CHECK(launches("most", "--max-launches 2").size() == 2);
    CHECK(file((work.path() / "most/skipped.jsonl").string()).find("--max-launches") != std::string::npos);
    CHECK(launches("skip", "--skip 2").size() == 1);
    CHECK(launches("none", "--filter lumps").empty());
    CHECK(launches("plain", "--filter 'bumps(char'").size() == 3);
    const auto capped = launches("cap", "--cap 100B --repeat 2");
    REQUIRE(capped.size() == 3);
    bool sampled = false;
    for (const auto& a : capped[0]["allocations"]) {
        sampled = sampled || (a["bytes"] == 1000 && a["recorded_bytes"] == 100);
    }
    CHECK(sampled);
    CHECK(capped[0]["replays_us"].empty());
    CHECK(capped[0]["notes"].dump().find("the first 100 of 1000 bytes") != std::string::npos);
}

TEST_CASE("the recorder says what is wrong with its own options", "[recorder][errors]") {
    const auto result = run_shell(GPUMODEL_RECORD " --cap nonsense --out / true");
    CHECK(result.exit_code == 2);
    CHECK(result.err.find("--cap") != std::string::npos);
    CHECK(result.err.find("--out") != std::string::npos);
    CHECK(run_shell(GPUMODEL_RECORD).exit_code == 2);
    const TemporaryFolder work;
    const auto missing =
        run_shell(GPUMODEL_RECORD " --out " + (work.path() / "r").string() + " ./no_such_program");
    CHECK(missing.exit_code == 127);
    CHECK(run_shell(GPUMODEL_RECORD " --out " + (work.path() / "k").string() + " sh -c 'kill -9 $$'")
              .exit_code == 137);
}
