// Programs that are compiled here: by a stand-in for the toolkit (tests/tools/toolkit), and by a real one
// where there is one.
#include <catch2/catch.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/csv_lines.h"
#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

namespace {

const std::string standin = std::string(GPUMODEL_TEST_DATA) + "/toolkit";

struct Machine {
    TemporaryFolder folder;
    std::string data_path;  // where shipped programs are looked for first
    CommandResult run(const std::string& arguments) const {
        return run_shell("unset CUDA_HOME CUDA_PATH GPUMODEL_COMPILE; export GPUMODEL_CACHE_DIR=" +
                             folder.file("cache") + " STANDIN_LOG=" + folder.file("log") +
                             " GPUMODEL_DATA_PATH=" + data_path + "; {gpumodel} " + arguments,
                         GPUMODEL_TEST_DATA);
    }
    CommandResult predict(const std::string& arguments, const std::string& cuda = standin) const {
        return run("predict --arch v100_sxm2 --format json --model analytic --cuda " + cuda + " " +
                   arguments);
    }
    std::size_t compilations() const {
        std::ifstream log(folder.file("log"));
        return lines_of({std::istreambuf_iterator<char>(log), {}}).size();
    }
};

nlohmann::json prediction(const CommandResult& result) {
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    return nlohmann::json::parse(result.out).at("predictions").at(0);
}

const std::string smem = "--kernel smem -m 512 -n 512 -k 512 ";

}  // namespace

TEST_CASE("a family's kernel is compiled once and then comes from the cache", "[compile]") {
    const Machine machine;
    const auto first = prediction(machine.predict(smem + "--compile always"));
    CHECK(first.at("program_source") == "compiled");
    CHECK(first.at("program_detail") == "CUDA 11.8 for sm_70");
    CHECK(first.at("registers_per_thread") == 31);
    CHECK(first.at("registers_source") == "compiler");
    CHECK(first.at("shared_bytes_per_block") == 8192);
    CHECK(first.at("kernel") == "smem");
    CHECK(first.at("M") == 512);
    CHECK(machine.compilations() == 1);
    auto second = prediction(machine.predict(smem));
    CHECK(second == first);
    CHECK(machine.compilations() == 1);
    CHECK_THAT(machine.run("cache info").out, Catch::StartsWith("1 compiled programs, "));

    for (const auto& file : std::filesystem::directory_iterator(machine.folder.file("cache"))) {
        std::filesystem::resize_file(file.path(), std::filesystem::file_size(file.path()) - 1);
    }
    CHECK(prediction(machine.predict(smem)) == first);
    CHECK(machine.compilations() == 2);
    CHECK_THAT(machine.run("cache clear").out, Catch::Contains("removed"));
    CHECK_THAT(machine.run("cache info").out, Catch::StartsWith("0 compiled programs, 0 bytes"));
}

TEST_CASE("several processes share the cache", "[compile]") {
    const Machine machine;
    const std::string one = "{gpumodel} predict --arch v100_sxm2 --format csv --model analytic --cuda " +
                            standin + " --compile always " + smem;
    const auto out = machine.folder.file("out");
    const auto result = run_shell(
        "export GPUMODEL_CACHE_DIR=" + machine.folder.file("cache") + "; for i in 1 2 3 4; do " + one +
            " > " + out + "$i & done; wait; cat " + out + "1 " + out + "2 " + out + "3 " + out + "4",
        GPUMODEL_TEST_DATA);
    const auto lines = lines_of(result.out);
    REQUIRE(lines.size() == 8);
    for (std::size_t i = 0; i < 8; ++i) {
        CHECK(lines[i] == lines[i % 2]);
    }
    CHECK_THAT(lines[1], Catch::Contains(",compiled,"));
    CHECK_THAT(machine.run("cache info").out, Catch::StartsWith("1 compiled programs, "));
}

TEST_CASE("without a toolkit --compile always says what was looked for where", "[compile]") {
    const Machine machine;
    const auto result = machine.predict(smem + "--compile always", "/nowhere");
    CHECK(result.exit_code == 3);
    CHECK_THAT(result.err,
               Catch::Contains("no compiler for sm_70: looked for nvcc and cuobjdump in /nowhere/bin, "
                               "/nowhere; found neither"));
    CHECK(prediction(machine.predict(smem, "/nowhere")).at("program_source") != "compiled");
}

TEST_CASE("a toolkit that does not know the generation is said once, and another source follows",
          "[compile]") {
    const Machine machine;
    const auto result =
        machine.run("predict --arch k40 --format json --model analytic --cuda " + standin + " " + smem);
    CHECK(prediction(result).at("program_source") != "compiled");
    CHECK(lines_of(result.err).size() == 1);
    CHECK_THAT(result.err, Catch::Contains("no compiler for sm_35") && Catch::Contains("CUDA 11.8"));
    CHECK(machine.compilations() == 0);
}

TEST_CASE("generations whose listings are not read have generated code, said once", "[compile]") {
    const Machine machine;
    const std::string fermi =
        "predict --arch c2050 --format json --model analytic --cuda " + standin + " " + smem;
    const auto result = machine.run(fermi);
    CHECK(prediction(result).at("program_source") == "generated");
    CHECK(lines_of(result.err).size() == 1);
    CHECK_THAT(result.err, Catch::Contains("its listings are not read") && Catch::Contains("sm_20"));
    const auto must = machine.run(fermi + "--compile always");
    CHECK(must.exit_code == 3);
    CHECK_THAT(must.err, Catch::Contains("sm_20"));
    CHECK(machine.compilations() == 0);
}

TEST_CASE("generated code on demand, and never a compiler", "[compile]") {
    const Machine machine;
    CHECK(prediction(machine.predict(smem + "--generated")).at("program_source") == "generated");
    CHECK(prediction(machine.predict("--kernel cublas_sgemm")).at("program_source") == "library");
    CHECK(prediction(machine.predict(smem + "--compile never")).at("program_source") != "compiled");
    CHECK(machine.compilations() == 0);
    CHECK(machine.predict(smem + "--compile sometimes").exit_code == 2);
}

TEST_CASE("a sweep of many points has generated code unless told to compile", "[compile]") {
    const Machine machine;
    const std::string sweep = "sweep --arch v100_sxm2 --kernel smem --cuda " + standin + " -p BS=32 --sizes ";
    const auto many = machine.run(sweep + "32:1024:32");
    CHECK(many.out.find(",compiled,") == std::string::npos);
    CHECK(many.out.find(",generated,") != std::string::npos);
    CHECK(machine.compilations() == 0);
    const auto few = machine.run(sweep + "512,1024");
    CHECK(few.out.find(",generated,") == std::string::npos);
    const auto always = machine.run(sweep + "32:1024:32 --compile always");
    CHECK(always.out.find(",generated,") == std::string::npos);
    CHECK(machine.compilations() == 1);
}

// What predict says of the program that tune has as `c`.
nlohmann::json alone(const Machine& machine, const nlohmann::json& c, const std::string& where) {
    std::string params;
    for (const auto& [key, value] : c.at("params").items()) {
        params += " -p " + key + "=" + value.dump();
    }
    return prediction(machine.run("predict --format json --model simulate " + where + "--kernel " +
                                  c.at("kernel").get<std::string>() + params));
}

TEST_CASE("tune simulates compiled code at once where the best have it", "[compile][tune]") {
    const Machine machine;
    const std::string where = "--arch v100_sxm2 -m 512 -n 512 -k 512 --cuda " + standin + " ";
    const auto result = machine.run("tune --kernel naive,coalesced,smem --format json " + where);
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    const auto choice = nlohmann::json::parse(result.out).at("shapes").at(0);
    const auto& stages = choice.at("stages");
    REQUIRE(stages.size() == 2);
    CHECK(stages[0].at("code") == "generated");
    CHECK(stages[1].at("code") == "compiled");
    CHECK(stages[1].at("ranked_by") == "simulate");
    CHECK(stages[1].at("configurations") == 5);
    CHECK(choice.at("left_out") == 0);
    CHECK(choice.at("without_compiled_code").is_null());
    CHECK(machine.compilations() == 0);  // all come with gpumodel
    double last = 0;
    for (const auto& c : choice.at("top")) {
        CHECK(c.at("program_source") == "shipped");
        const auto p = alone(machine, c, where);
        CHECK(c.at("time_us") == p.at("time_us"));
        CHECK(c.at("time_us").get<double>() >= 0.999 * last);
        last = c.at("time_us");
    }
}

TEST_CASE("the analytic model ranks compiled code too, and that is a stage of its own", "[compile][tune]") {
    const Machine machine;
    const std::string tune =
        "tune --kernel naive,coalesced,smem --model analytic --arch v100_sxm2 -m 512 -n 512 -k 512 --cuda " +
        standin;
    const auto result = machine.run(tune + " --format json");
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    const auto choice = nlohmann::json::parse(result.out).at("shapes").at(0);
    const auto& stages = choice.at("stages");
    REQUIRE(stages.size() == 2);
    CHECK(stages[1].at("code") == "compiled");
    CHECK(stages[1].at("ranked_by") == "analytic");
    CHECK(choice.at("confidence").is_null());
    double last = 0;
    for (const auto& c : choice.at("top")) {
        CHECK(c.at("program_source") == "shipped");
        CHECK(c.at("time_us").get<double>() >= 0.999 * last);
        last = c.at("time_us");
    }
}

// Shipped code of these families alone.
void ship_only(const std::vector<std::string>& families, Machine& machine) {
    const std::filesystem::path all(GPUMODEL_SOURCE_DIR "/traces/provide/programs/sm_70");
    const auto some = machine.folder.path() / "programs/sm_70";
    std::filesystem::create_directories(some);
    for (const auto& family : families) {
        std::filesystem::copy_file(all / (family + ".programs"), some / (family + ".programs"));
    }
    machine.data_path = machine.folder.path().string();
}

TEST_CASE("tune orders the best by compiled code alone, and says what each stage changed",
          "[compile][tune]") {
    // the stand-in has one kernel for the V100, smem<32>, of three
    Machine machine;
    ship_only({"naive", "coalesced"}, machine);
    const std::string where = "--arch v100_sxm2 -m 512 -n 512 -k 512 --cuda " + standin + " ";
    const std::string tune = "tune --kernel naive,coalesced,smem " + where;
    const auto result = machine.run(tune + "--format json");
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    const auto choice = nlohmann::json::parse(result.out).at("shapes").at(0);
    const auto& stages = choice.at("stages");
    REQUIRE(stages.size() == 3);
    CHECK(stages[0].at("code") == "generated");
    CHECK(stages[1].at("code") == "generated");
    CHECK(stages[2].at("code") == "compiled");
    CHECK(stages[2].at("ranked_by") == "simulate");
    CHECK(choice.at("without_compiled_code").is_null());
    CHECK(machine.compilations() >= 1);
    // what predict says of the same programs, the fastest first
    std::size_t compiled = 0;
    std::vector<std::size_t> before;
    double last = 0;
    for (const auto& c : choice.at("top")) {
        if (c.at("program_source") == "generated") {
            break;
        }
        ++compiled;
        before.push_back(c.at("generated_rank"));
        const auto p = alone(machine, c, where);
        CHECK(c.at("program_source") == p.at("program_source"));
        CHECK(c.at("time_us") == p.at("time_us"));
        CHECK(c.at("rank_time_us") == c.at("time_us"));
        CHECK(c.at("time_us").get<double>() >= 0.999 * last);
        last = c.at("time_us");
    }
    REQUIRE(compiled >= 3);
    CHECK(stages[2].at("configurations") == compiled);
    CHECK(stages[2].at("first_was") == before.front());
    auto sorted = before;
    std::sort(sorted.begin(), sorted.end());
    std::size_t moved = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        moved += before[i] != sorted[i] ? 1U : 0U;
    }
    CHECK(stages[2].at("moved") == moved);

    CHECK_THAT(machine.run(tune).out, Catch::Contains("by the simulator, compiled code"));
    const auto generated = nlohmann::json::parse(machine.run(tune + "--generated --format json").out);
    CHECK(generated.at("shapes").at(0).at("stages").size() == 2);
    CHECK(generated.at("shapes").at(0).at("winner").at("program_source") == "generated");
}

TEST_CASE("tune says when its order rests on generated code", "[compile][tune]") {
    const Machine machine;
    // tiles that nobody has compiled before
    const auto result = machine.run(
        "tune --arch h200_sxm --kernel blocktile2d -p BM=16 -p BN=16 -p BK=16 -p TM=1 -p TN=1,2 -m 256 -n "
        "256 -k "
        "256 --compile never");
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    CHECK_THAT(
        result.out,
        Catch::Contains("the order rests on generated code: compiled code is there for none of the best"));
    // measured on this generation (choice_regret.csv)
    CHECK_THAT(result.out, Catch::Contains("generated code") && Catch::Contains("% (measured over "));
}

TEST_CASE("tune with --compile always has compiled code in all stages", "[compile][tune]") {
    const Machine machine;
    const auto result = machine.run(
        "tune --arch v100_sxm2 --kernel smem -p BS=32 -m 512 -n 512 -k 512 --format "
        "json --compile always --cuda " +
        standin);
    INFO(result.err);
    REQUIRE(result.exit_code == 0);
    const auto choice = nlohmann::json::parse(result.out).at("shapes").at(0);
    REQUIRE(choice.at("stages").size() == 2);
    CHECK(choice.at("stages")[0].at("code") == "compiled");
    CHECK(choice.at("stages")[1].at("ranked_by") == "simulate");
    CHECK(choice.at("winner").at("program_source") == "compiled");
    CHECK(machine.compilations() == 1);
}

TEST_CASE("a CUDA file is compiled and executed", "[compile]") {
    const Machine machine;
    std::ofstream(machine.folder.file("k.cu")) << "__global__ void k();\n";
    const std::string launch =
        "--cu " + machine.folder.file("k.cu") +
        " --grid 16,16 --block 1024 --args 512,512,512,1.0f,ptr:1MiB,ptr:1MiB,0.5f,ptr:1MiB ";
    const auto p = prediction(machine.predict(launch + "--entry smem"));
    CHECK(p.at("program_source") == "given");
    CHECK(p.at("registers_per_thread") == 31);
    CHECK(p.at("shared_bytes_per_block") == 8192);
    const auto wrong = machine.predict(launch + "--entry saxpy");
    CHECK(wrong.exit_code == 2);
    CHECK_THAT(wrong.err, Catch::Contains("no entry has this name"));

    std::ofstream(machine.folder.file("k.cu")) << "\n\n#error not today\n";
    const auto failed = machine.predict(launch);
    CHECK(failed.exit_code == 3);
    CHECK_THAT(failed.err,
               Catch::Contains(machine.folder.file("k.cu") + "(3): error: #error directive: not today\n"));
    const auto none = machine.predict(launch, "/nowhere");
    CHECK(none.exit_code == 3);
    CHECK_THAT(none.err, Catch::Contains("needs a CUDA toolkit that knows sm_70: looked for nvcc"));
}

TEST_CASE("with -lineinfo instructions bear the source's line", "[compile]") {
    const Machine machine;
    const auto launch = [&](const std::string& content) {
        std::ofstream(machine.folder.file("k.cu")) << content;
        return "predict --arch v100_sxm2 --model simulate --cuda " + standin + " --cu " +
               machine.folder.file("k.cu") +
               " --nvcc-flags -lineinfo --entry smem --grid 16,16 --block 1024 "
               "--args 512,512,512,1.0f,ptr:1MiB,ptr:1MiB,0.5f,ptr:1MiB ";
    };
    const std::string with_lines = "__global__ void k();  // .nv_debug_line_sass\n";
    const auto noted = prediction(machine.run(launch(with_lines) + "--format json")).at("hot_instructions");
    for (const auto& hot : noted) {
        INFO(hot.dump());
        const auto address = hot.at("address").is_null() ? 0 : hot.at("address").get<int>();
        CHECK(hot.at("source") == (address >= 0x3a0   ? "smem.cu:17"
                                   : address >= 0x310 ? "tile.cuh:21"
                                                      : "smem.cu:4"));
    }
    CHECK_THAT(machine.run(launch(with_lines)).out, Catch::Contains("  tile.cuh:21  "));
    const auto page = machine.run("report" + launch(with_lines).substr(7));
    INFO(page.err);
    CHECK_THAT(page.out, Catch::Contains(">source</th>") && Catch::Contains(">smem.cu:17</td>"));
    const auto plain = prediction(machine.run(launch("__global__ void k();\n") + "--format json"));
    CHECK(plain.at("hot_instructions")[0].at("source").is_null());
}

TEST_CASE("the examples of CUDA files run where a toolkit is", "[compile]") {
    const Machine machine;
    if (run_shell("nvcc --version && cuobjdump --version", ".").exit_code != 0) {
        WARN("skipped: no nvcc and cuobjdump on PATH");
        return;
    }
    const std::string folder = std::string(GPUMODEL_SOURCE_DIR) + "/examples/cuda/";
    std::ifstream launches(folder + "launches.csv");
    std::string line;
    std::getline(launches, line);
    std::size_t files = 0;
    while (std::getline(launches, line)) {
        std::vector<std::string> fields;
        bool quoted = false;
        fields.emplace_back();
        for (const char c : line) {
            quoted = c == '"' ? !quoted : quoted;
            if (c == ',' && !quoted) {
                fields.emplace_back();
            } else if (c != '"') {
                fields.back() += c;
            }
        }
        REQUIRE(fields.size() == 5);
        INFO(line);
        const auto result = machine.run("predict --arch h200_sxm --format json --cu " + folder + fields[0] +
                                        " --entry " + fields[1] + " --grid " + fields[2] + " --block " +
                                        fields[3] + " --args " + fields[4]);
        CHECK(prediction(result).at("status") == "ok");
        ++files;
    }
    CHECK(files == 10);
}

TEST_CASE("what is packed out of a listing is what predictions find as shipped", "[compile]") {
    Machine machine;
    machine.data_path = machine.folder.path().string();
    const std::string few = GPUMODEL_SOURCE_DIR "/validate/listings/few/sm_70";
    const auto pack = "kernels pack " + few + ".sass.xz --resources " + few +
                      ".resources.txt --toolkit 11.8 --folder " + machine.folder.file("programs");
    const auto packed = machine.run(pack);
    INFO(packed.err);
    REQUIRE(packed.exit_code == 0);
    CHECK_THAT(packed.out, Catch::Contains("sm_70/warptile.programs: "));
    const std::string warptile = "--kernel warptile -m 512 -n 512 -k 512 --compile never";
    CHECK(prediction(machine.predict(warptile)).at("program_source") == "shipped");
    // the same under the name of what searches ask for
    std::filesystem::remove_all(machine.folder.path() / "programs");
    std::filesystem::create_directories(machine.folder.path() / "programs");
    CHECK(prediction(machine.predict(warptile)).at("program_source") == "generated");
    REQUIRE(machine.run(pack + " --best").exit_code == 0);
    CHECK(std::filesystem::exists(machine.folder.path() / "programs/sm_70/warptile.best.programs"));
    CHECK(prediction(machine.predict(warptile)).at("program_source") == "shipped");
}
