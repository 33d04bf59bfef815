// predict --sass and --trace as a user runs them. Counts: validate/general/h200_sxm.csv (Nsight Compute).
#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

namespace predict_sass_test {

namespace {

const std::string listing = GPUMODEL_SOURCE_DIR "/validate/general/sm_90.sass.gz";
const std::string launch =
    " --sass " + listing + " --entry stencil5 --grid 32,64 --block 32,8 --args ptr:4MiB,n=ptr:4MiB,1000,507";

std::string field(const std::string& csv, const std::string& column) {
    const auto line = [&csv](std::size_t n) {
        std::size_t begin = 0;
        for (; n > 0; --n) {
            begin = csv.find('\n', begin) + 1;
        }
        return csv.substr(begin, csv.find('\n', begin) - begin);
    };
    const auto cells = [](const std::string& text) {
        std::vector<std::string> list(1);
        bool quoted = false;
        for (const char c : text) {
            quoted = quoted != (c == '"');
            if (c == ',' && !quoted) {
                list.emplace_back();
            } else {
                list.back() += c;
            }
        }
        return list;
    };
    const auto names = cells(line(0));
    const auto values = cells(line(1));
    const auto found = std::find(names.begin(), names.end(), column);
    return found == names.end() ? "no such column"
                                : values.at(static_cast<std::size_t>(found - names.begin()));
}

}  // namespace

TEST_CASE("predict --sass counts what the profiler counts", "[cli][sass]") {
    const auto result = run_gpumodel("predict --arch h200_sxm --format csv" + launch);
    REQUIRE(result.exit_code == 0);
    CHECK(field(result.out, "smsp__inst_executed.sum") == "682592");
    CHECK(field(result.out, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum") == "347185");
    CHECK(field(result.out, "M").empty());
    CHECK(field(result.out, "threads_per_block") == "256");
}

TEST_CASE("predict --sass: all faults of a launch at once", "[cli][sass][errors]") {
    const auto result = run_gpumodel("predict --arch h200_sxm --sass " + listing +
                                     " --entry stencil5 --grid 1,2,3,4 --block 2000 --args ptr,x");
    CHECK(result.exit_code == 2);
    CHECK(result.err ==
          "--grid: '1,2,3,4' has more than three dimensions\n"
          "--block: 2000 is out of range; allowed 1 to 1024\n"
          "--args: arg1: 'x' is no value; allowed: 4096 (int32), 4096L (int64), 0.5f (float), 0.5 (double), "
          "ptr, ptr:SIZE, ptr:SIZE=CONTENTS, @FILE, tex(FORMAT,SHAPE[,...]), surf(FORMAT,SHAPE[,...]), "
          "tmap(PTR,TYPE,DIMS,STRIDES,BOX,SWIZZLE), ptr=tmap(...), each after an optional name=\n");
}

TEST_CASE("predict --allow-unknown says what it stepped over, or refuses", "[cli][sass]") {
    // adds 1 to R0 until it is 8; FROBNICATE is no opcode
    const auto listing_with = [](const std::string& bound) {
        std::string text = "\tcode for sm_80\n\t\tFunction : f\n";
        const std::vector<std::string> lines{"MOV R0, RZ",
                                             "MOV R5, 0x8",
                                             "FROBNICATE.X2 R4, R0, R5",
                                             "IADD3 R0, R0, 0x1, RZ",
                                             "ISETP.LT.AND P0, PT, R0, " + bound + ", PT",
                                             "@P0 BRA 0x20",
                                             "EXIT"};
        for (std::size_t i = 0; i < lines.size(); ++i) {
            text += "        /*00" + std::to_string(i) + "0*/ " + lines[i] + " ;\n";
        }
        return text;
    };
    const auto predict = [](const std::string& file, const std::string& more) {
        return run_gpumodel("predict --arch sm_80 --entry f --grid 64 --block 128 --sass " + file + more);
    };
    const TemporaryFile harmless_file(listing_with("R5"), "data.sass"),
        bound_file(listing_with("R4"), "bound.sass");
    const auto& harmless = harmless_file.path();
    CHECK(predict(harmless, "").exit_code == 3);
    const auto csv = predict(harmless, " --allow-unknown --format csv");
    REQUIRE(csv.exit_code == 0);
    CHECK(field(csv.out, "status") == "partial");
    // 64 blocks of 4 warps, 8 trips
    CHECK(field(csv.out, "reason") ==
          "\"stepped over, priced as a move: FROBNICATE.X2 1 time (2048 executed, first at 0x0020)\"");
    CHECK(field(csv.out, "error_band_pct").empty());
    const auto text = predict(harmless, " --allow-unknown");
    CHECK_THAT(text.out.substr(0, text.out.find("Speed of light")), Catch::Contains("FROBNICATE.X2 1 time"));
    const auto json = predict(harmless, " --allow-unknown --format json");
    CHECK_THAT(json.out.substr(json.out.find("\"gaps\"")),
               Catch::Contains("FROBNICATE.X2 1 time (2048 executed"));
    const auto bound = predict(bound_file.path(), " --allow-unknown");
    CHECK(bound.exit_code == 3);
    CHECK_THAT(bound.err,
               Catch::Contains("FROBNICATE.X2 is not known, and the branch at 0x0050 (BRA) depends on it"));
}

TEST_CASE("predict --sass refuses what cannot be", "[cli][sass][errors]") {
    const std::string front = "predict --arch h200_sxm --sass " + listing + " --entry stencil5 --block 32 ";
    const auto huge = run_gpumodel(front + "--grid 2147483647,65535,65535 --args ptr,ptr,1000,507");
    CHECK(huge.exit_code == 2);
    CHECK(huge.err == "--grid: more than 4294967296 blocks\n");
    const auto few = run_gpumodel(front + "--grid 1 --args ptr,ptr");
    CHECK(few.exit_code == 3);
    CHECK(few.err.rfind(listing + ":", 0) == 0);
    CHECK(few.err.find("arguments end at byte 16") != std::string::npos);
    const auto entry =
        run_gpumodel("predict --arch h200_sxm --sass " + listing + " --entry stencil --grid 1 --block 32");
    CHECK(entry.exit_code == 2);
    CHECK(entry.err.find("3 entries have this part") != std::string::npos);
    CHECK(run_gpumodel("predict --arch h200_sxm --kernel naive --grid 4").exit_code == 2);
    CHECK(run_gpumodel("predict --arch h200_sxm -m 4" + launch).exit_code == 2);
}

TEST_CASE("simulate --sass: M, N and K are unknown, not 0", "[cli][sass]") {
    const auto json = run_gpumodel("simulate --arch h200_sxm --format json" + launch);
    CHECK(json.exit_code == 0);
    CHECK(json.out.find("\"M\": null") != std::string::npos);
    const auto csv = run_gpumodel("simulate --arch h200_sxm --format csv" + launch);
    CHECK(csv.out.find(",,,,launch,,time,") != std::string::npos);
}

TEST_CASE("predict --trace gives what the traced launch gives", "[cli][trace]") {
    const TemporaryFolder folder;
    const auto file = folder.file("launch.gpt");
    REQUIRE(run_gpumodel("trace gen --arch h200_sxm --out " + file + launch).exit_code == 0);
    const std::string analytic = "predict --arch h200_sxm --model analytic --format csv";
    const auto direct = run_gpumodel(analytic + launch);
    const auto traced = run_gpumodel(analytic + " --trace " + file);
    CHECK(traced.exit_code == 0);
    for (const char* column :
         {"kernel", "params", "time_us", "registers_per_thread", "smsp__inst_executed.sum",
          "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "lts__t_sectors_srcunit_tex_op_read.sum"}) {
        CHECK(field(traced.out, column) == field(direct.out, column));
    }
    // the trace's arrays lie elsewhere, and so in other sets of the caches
    const auto simulated = run_gpumodel("predict --arch h200_sxm --format csv" + launch);
    const auto simulated_trace = run_gpumodel("predict --arch h200_sxm --format csv --trace " + file);
    CHECK(std::stod(field(simulated_trace.out, "time_us")) ==
          Approx(std::stod(field(simulated.out, "time_us"))).epsilon(0.01));
    CHECK(field(simulated_trace.out, "smsp__inst_executed.sum") ==
          field(simulated.out, "smsp__inst_executed.sum"));
    const auto elsewhere = run_gpumodel("predict --arch v100_sxm2 --trace " + file);
    CHECK(elsewhere.exit_code == 0);
    CHECK(elsewhere.out.find("the code is for sm_90") != std::string::npos);
    const auto foreign = run_gpumodel("predict --arch k40 --trace " + file);
    CHECK(foreign.exit_code == 3);
    CHECK(foreign.err.find("the code is for sm_90") != std::string::npos);
}

TEST_CASE("predict --sass: standard input, another instruction set, long loops", "[cli][sass][errors]") {
    const std::string saxpy = std::string(GPUMODEL_TEST_DATA) + "/sass/saxpy_loop.sass";
    CHECK(run_gpumodel("sass - < " + saxpy).out ==
          run_gpumodel("sass " + saxpy).out.replace(0, saxpy.size(), "-"));
    const auto other = run_gpumodel("predict --arch k40 " + launch);
    CHECK(other.exit_code == 3);
    CHECK_THAT(other.err, Catch::Contains("the code is for sm_90, whose instructions sm_35 does not have"));
    const auto cut = run_gpumodel("predict --arch h200_sxm --max-instructions 10" + launch);
    CHECK(cut.exit_code == 3);
    CHECK_THAT(cut.err, Catch::Contains("(--max-instructions)"));
}

}  // namespace predict_sass_test
