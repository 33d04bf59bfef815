// predict --recording, on two launches of a tree reduction that an H200 ran
// (validate/recorder/apps/reduction.cu).
#include <algorithm>
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

namespace fs = std::filesystem;
const std::string recording = GPUMODEL_TEST_DATA "/recording";

std::string read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// A copy that may be damaged.
struct Copy {
    Copy() : folder(work.file("r")) { fs::copy(recording, folder, fs::copy_options::recursive); }
    void replace(const std::string& name, const std::string& from, const std::string& to) const {
        auto text = read(folder + '/' + name);
        const auto at = text.find(from);
        REQUIRE(at != std::string::npos);
        text.replace(at, from.size(), to);
        std::ofstream(folder + '/' + name, std::ios::binary) << text;
    }
    [[nodiscard]] CommandResult predict() const {
        return run_gpumodel("predict --arch h200_sxm --recording " + folder);
    }
    TemporaryFolder work;
    std::string folder;
};

}  // namespace

TEST_CASE("a recording is predicted launch by launch, beside its times", "[cli][recording]") {
    const auto json = run_gpumodel("predict --arch h200_sxm --format json --recording " + recording);
    CHECK(json.err.empty());
    REQUIRE(json.exit_code == 0);
    const auto result = nlohmann::json::parse(json.out);
    REQUIRE(result["launches"].size() == 2);
    for (const auto& launch : result["launches"]) {
        CHECK(launch["status"] == "ok");
        CHECK(launch["unknown_data"] == 0);
        const double measured = launch["measured_us"], predicted = launch["predicted_us"];
        CHECK(launch["error_pct"].get<double>() == Approx(100 * (predicted / measured - 1)));
    }
    // the median of eleven replays, by hand from launches.jsonl
    std::ifstream lines(recording + "/launches.jsonl");
    std::string line;
    std::getline(lines, line);
    auto replays = nlohmann::json::parse(line)["replays_us"].get<std::vector<double>>();
    std::sort(replays.begin(), replays.end());
    CHECK(result["launches"][0]["measured_us"].get<double>() == Approx(replays[5]));
    const auto text = run_gpumodel("predict --arch h200_sxm --recording " + recording);
    CHECK(text.out.find("2 launches recorded on NVIDIA H200") != std::string::npos);
    CHECK(text.out.find("MAPE %") != std::string::npos);
    const auto csv =
        run_gpumodel("predict --arch h200_sxm --model analytic --format csv --recording " + recording);
    CHECK(csv.out.find(",tree,\"16,1,1\",\"512,1,1\",analytic,ok,") != std::string::npos);
}

TEST_CASE("one launch of a recording has a whole report", "[cli][recording]") {
    const auto all = nlohmann::json::parse(
        run_gpumodel("predict --arch h200_sxm --format json --recording " + recording).out)["launches"];
    for (const auto& row : all) {
        const auto number = std::to_string(row["launch"].get<int>());
        const auto one = run_gpumodel("predict --arch h200_sxm --model simulate --format json --recording " +
                                      recording + " --launch " + number);
        REQUIRE(one.exit_code == 0);
        const auto prediction = nlohmann::json::parse(one.out)["predictions"][0];
        CHECK(prediction["time_us"].get<double>() == Approx(row["predicted_us"].get<double>()));
        CHECK_THAT(prediction["program_detail"].get<std::string>(),
                   Catch::StartsWith("launch " + number) && Catch::Contains("us on NVIDIA H200"));
        CHECK_FALSE(prediction["counters"].empty());
    }
    const auto absent = run_gpumodel("predict --arch h200_sxm --launch 99 --recording " + recording);
    CHECK(absent.exit_code == 2);
    CHECK_THAT(absent.err, Catch::Contains("--launch: there is no launch 99, the last is "));
    CHECK_THAT(run_gpumodel("predict --arch k40 --kernel smem --launch 1").err,
               Catch::Contains("--launch: is one of --recording DIR"));
}

TEST_CASE("a specification that is not valid is refused for one launch, too", "[cli][recording]") {
    const auto refused =
        run_gpumodel("predict --arch h200_sxm --set l2.latency=50 --launch 0 --recording " + recording);
    CHECK(refused.exit_code == 2);
    CHECK(refused.err == "--set: l2.latency: '50' has no unit; allowed: cycles\n");
}

TEST_CASE("a recording on another GPU has predictions and no errors", "[cli][recording]") {
    const auto result = run_gpumodel("predict --arch h100_sxm --format json --recording " + recording);
    REQUIRE(result.exit_code == 0);
    const auto json = nlohmann::json::parse(result.out);
    for (const auto& launch : json["launches"]) {
        CHECK(launch["measured_us"].is_null());
        CHECK(launch["error_pct"].is_null());
        CHECK(launch["predicted_us"].get<double>() > 0);
    }
    const auto text = run_gpumodel("predict --arch h100_sxm --recording " + recording);
    CHECK(text.out.find("another GPU") != std::string::npos);
    CHECK(text.out.find("MAPE") == std::string::npos);
}

TEST_CASE("a damaged recording: all that is wrong, exit code 3", "[cli][recording][errors]") {
    SECTION("fields") {
        const Copy copy;
        copy.replace("launches.jsonl", "\"grid\":[16,1,1]", "\"grid\":[0,1]");
        copy.replace("launches.jsonl", "\"registers\":", "\"registers\":-");
        copy.replace("launches.jsonl", "\"parameter_bytes\":\"", "\"parameter_bytes\":\"x");
        copy.replace("recording.json", "\"launches\": 2", "\"launches\": 5");
        const auto result = copy.predict();
        CHECK(result.exit_code == 3);
        for (const auto* what :
             {"launches.jsonl:1: grid: ", "registers: ", "parameter_bytes: ", "recording.json says 5"}) {
            CAPTURE(what, result.err);
            CHECK(result.err.find(what) != std::string::npos);
        }
    }
    SECTION("a line cut off") {
        const Copy copy;
        const auto text = read(copy.folder + "/launches.jsonl");
        std::ofstream(copy.folder + "/launches.jsonl") << text.substr(0, text.size() - 100);
        const auto result = copy.predict();
        CHECK(result.exit_code == 3);
        CHECK(result.err.find("launches.jsonl:2: ") != std::string::npos);
    }
    SECTION("contents missing, short, or outside") {
        const Copy copy;
        const auto contents = nlohmann::json::parse(
            read(copy.folder + "/launches.jsonl")
                .substr(0, read(copy.folder + "/launches.jsonl").find('\n')))["allocations"];
        for (const auto& a : contents) {
            if (a["contents"] != "zeros") {
                fs::resize_file(copy.folder + '/' + a["contents"].get<std::string>(), 10);
            }
        }
        copy.replace("launches.jsonl", "\"contents\":\"zeros\"", "\"contents\":\"data/../../secret\"");
        const auto result = copy.predict();
        CHECK(result.exit_code == 3);
        CHECK(result.err.find("has 10 bytes instead of") != std::string::npos);
        CHECK(result.err.find("is no file in data/") != std::string::npos);
    }
    SECTION("no recording at all") {
        const TemporaryFolder empty;
        const auto result = run_gpumodel("predict --arch h200_sxm --recording " + empty.path().string());
        CHECK(result.exit_code == 2);
        CHECK(result.err.find("is no recording") != std::string::npos);
    }
}

TEST_CASE("what is wrong with one field of a recording is named", "[cli][recording][bad]") {
    struct Damage {
        std::string file, from, to;
        std::string fault;  // behind the folder
    };
    const std::string launches = "launches.jsonl", manifest = "recording.json";
    const std::vector<Damage> cases{
        {launches, R"("block":[512,1,1])", R"("block":[512,1])", ":1: block: has not three numbers"},
        {launches, R"("block":[512,1,1])", R"("block":[0,1,1])", ":1: block[0]: is no whole number from 1"},
        {launches, R"("block":[512,1,1])", R"("block":[2048,1,1])",
         ":1: block[0]: is no whole number from 1"},
        {launches, R"("block":[512,1,1])", R"("block":"512")", ":1: block: is no list"},
        {launches, R"("grid":[16,1,1])", R"("grid":[16.5,1,1])", ":1: grid[0]: is no whole number"},
        {launches, R"("grid":[16,1,1])", R"("grid":[-16,1,1])", ":1: grid[0]: is no whole number"},
        {launches, R"("cluster":[1,1,1])", R"("cluster":[1,1,{}])", ":1: cluster[2]: is no whole number"},
        {launches, R"("cooperative":false)", R"("cooperative":"no")", ":1: cooperative: is neither true nor"},
        {launches, R"("dynamic_shared_bytes":2048)", R"("dynamic_shared_bytes":1e30)",
         ":1: dynamic_shared_bytes: is no whole number from 0 to 1048576"},
        {launches, R"("dynamic_shared_bytes":2048)", R"("dynamic_shared_bytes":-1)",
         ":1: dynamic_shared_bytes: is no whole number from 0 to 1048576"},
        {launches, R"("image":"images/)", R"("image":"../images/)", " is no file in images/"},
        {launches, R"("image":"images/2066355d59cf755e_8856.fatbin")", R"("image":"/etc/passwd")",
         ":1: image: '/etc/passwd' is no file in images/"},
        {launches, R"("image":"images/2066)", R"("image":"images/no2066)", " is missing from the recording"},
        {launches, R"("image":"images/2066355d59cf755e_8856.fatbin")", R"("image":7)",
         ":1: image: is no text"},
        {launches, R"("address":"0x7fa4a5e00200")", R"("address":"7fa4a5e00200x")",
         ":1: allocations[0].address: is no hexadecimal number"},
        {launches, R"("address":"0x7fa4a5e00200")", R"("address":5)",
         ":1: allocations[0].address: is no text"},
        {launches, R"("bytes":31252)", R"("bytes":-31252)",
         ":1: allocations[0].bytes: is no whole number from 1"},
        {launches, R"("recorded_bytes":31252)", R"("recorded_bytes":"all")",
         ":1: allocations[0].recorded_bytes: is no whole number"},
        {launches, R"("time_us":3.9)", R"("variables":[7],"time_us":3.9)", ":1: variables[0]: is no object"},
        {launches, R"("time_us":3.9)", R"("variables":[{"recorded_bytes":4}],"time_us":3.9)",
         ":1: variables[0].name: is missing"},
        {launches, R"("time_us":3.9)",
         R"("variables":[{"name":"t","recorded_bytes":4,"contents":"data/t.bin"}],"time_us":3.9)",
         ":1: variables[0].contents: 'data/t.bin' is missing from the recording"},
        {launches, R"("time_us":3.9)", R"("textures":{},"time_us":3.9)", ":1: textures: is no list"},
        {launches, R"("time_us":3.9)",
         R"("textures":[{"offset":12,"surface":false,"text":"f99,4x4","bytes":0}],"time_us":3.9)",
         ":1: textures[0].text: "},
        {launches, R"("time_us":3.9)",
         R"("textures":[{"offset":99,"surface":false,"text":"f32,4x4","bytes":0}],"time_us":3.9)",
         ":1: textures[0].offset: is no whole number from 0 to 12"},
        {launches, R"("time_us":3.9)",
         R"("textures":[{"offset":0,"surface":false,"text":"f32,4x4","bytes":60}],"time_us":3.9)",
         ":1: textures[0].bytes: are 60, but the texture's are 64"},
        {launches, R"("time_us":3.903999924659729)", R"("time_us":"fast")", ":1: time_us: is no time"},
        {launches, R"("time_us":3.903999924659729)", R"("time_us":-3)", ":1: time_us: is no time"},
        {launches, R"("replays_us":[3.871999913826585)", R"("replays_us":[null)",
         ":1: replays_us: is no time"},
        {launches, R"("offset":0)", R"("offset":-4)", ":1: parameters[0].offset: is no whole number"},
        {launches, R"("offset":0,"bytes":8)", R"("offset":0,"bytes":800)",
         ":1: parameters[0].bytes: is no whole number from 1 to 20"},
        {launches, R"("parameter_bytes":"00)", R"("parameter_bytes":"0)",
         ":1: parameter_bytes: is no text of pairs of hexadecimal digits"},
        {launches, R"("kernel":"_Z4treePKiPii",)", "", ":1: kernel: is missing: a text"},
        {launches, R"("device":{"name":"NVIDIA H200","generation":"sm_90","driver":13000})",
         R"("device":"H200")", ":1: device: is no json object"},
        {launches, R"("name":"NVIDIA H200")", R"("name":200)", ":1: device.name: is no text"},
        {launches, R"({"launch":2)", R"({"launch":"two")", ":1: launch: is no whole number"},
        {launches, R"({"launch":2)", R"("launch":2)", ":1: is no json object"},
        {launches, R"({"launch":2)", R"([{"launch":2)", ":1: is no json object"},
        {manifest, R"("schema_version": 1)", R"("schema_version": 2)",
         ": schema_version: 2 is not known here"},
        {manifest, R"("schema_version": 1)", R"("schema_version": "1")",
         ": schema_version: is no whole number"},
        {manifest, R"("launches": 2)", R"("launches": -2)", ": launches: is no whole number from 0"},
        {manifest, "{", "[", ": is no json object"},
    };
    for (const auto& damage : cases) {
        const Copy copy;
        copy.replace(damage.file, damage.from, damage.to);
        const auto result = copy.predict();
        INFO(damage.from << " -> " << damage.to << ": " << result.err);
        CHECK(result.exit_code == 3);
        CHECK(result.out.empty());
        CHECK(result.err.find(copy.folder + '/' + damage.file) == 0);
        CHECK(result.err.find(damage.fault) != std::string::npos);
    }
}

TEST_CASE("a launch that cannot be predicted is a row with its reason", "[cli][recording]") {
    const Copy copy;
    copy.replace("launches.jsonl", "\"kernel\":\"_Z4treePKiPii\"", "\"kernel\":\"_Z4tralala\"");
    const auto result = copy.predict();
    CHECK(result.exit_code == 0);
    CHECK(result.out.find("left out: launch") != std::string::npos);
    CHECK(result.out.find("no entry of this name") != std::string::npos);
}
