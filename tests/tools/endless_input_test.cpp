// Files without an end, of the wrong kind or given twice; outputs that would mislead or be lost. Each ends
// with one line and the contract's exit code.
#include <catch2/catch.hpp>
#include <filesystem>

#include "base/files/byte_stream.h"
#include "tests/support/csv_lines.h"
#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

namespace {

// What reads without an end fails on the time.
CommandResult bounded(const std::string& arguments) {
    return run_shell("timeout 60 {gpumodel} " + arguments);
}

const std::string times = "arch,kernel,params,M,N,K,model,status,reason,time_us\n";

}  // namespace

TEST_CASE("endless and wrong inputs are refused in one line", "[cli][bad]") {
    const auto [arguments, code] = GENERATE(table<std::string, int>({
        {"predict --arch k40 --jobs FILE", 2},
        {"occupancy --arch k40 --jobs FILE", 2},
        {"predict --arch k40 --sass FILE --grid 1,1,1 --block 32,1,1", 3},
        {"predict --arch k40 --kernel naive --resources-from FILE", 3},
        {"predict --arch FILE --kernel naive", 3},
        {"predict --arch k40 --sass sass/saxpy_loop.sass --grid 1,1,1 --block 32,1,1 --args x=@FILE", 2},
        {"sass FILE", 3},
        {"validate --arch k40 --measurements FILE", 2},
        {"validate --arch k40 --counters FILE", 2},
        {"validate --arch k40 --ncu FILE --kernel naive", 2},
        {"validate --gate FILE", 2},
        {"calibrate --arch k40 --measurements FILE --out never.yaml", 2},
        {"compare FILE RESULTS", 2},
        {"merge FILE", 2},
        {"report --sweep FILE --out never.html", 2},
    }));
    const TemporaryFile results(times + "k40,naive,,64,64,64,analytic,ok,,5\n");
    for (const std::string file : {"/dev/zero", "/"}) {
        auto line = arguments;
        if (const auto at = line.find("RESULTS"); at != std::string::npos) {
            line.replace(at, 7, results.path());
        }
        line.replace(line.find("FILE"), 4, file);
        INFO(line);
        const auto result = bounded(line);
        CHECK((result.exit_code == code || (file == "/" && result.exit_code == 2)));
        CHECK(result.out.empty());
        CHECK(result.err.find(file) != std::string::npos);
        CHECK(lines_of(result.err).size() == 1);
        CHECK(result.err.find("internal error") == std::string::npos);
    }
}

TEST_CASE("a read that the system refuses half-way is a fault of the input", "[cli][bad]") {
    for (const std::string command : {"merge ", "compare /dev/null ", "predict --arch k40 --jobs "}) {
        INFO(command);
        const auto result = run_gpumodel(command + "/proc/self/mem");
        CHECK(result.exit_code == 2);
        CHECK(result.out.empty());
        CHECK(result.err.find("internal error") == std::string::npos);
        CHECK_FALSE(result.err.empty());
    }
}

TEST_CASE("a small packed file that unpacks without an end is refused", "[cli][bad][slow]") {
    const TemporaryFolder folder;
    const auto path = folder.file("bomb.sass.gz");
    {
        gpumodel::FileSink file(path);
        const std::string lines(1 << 20, '\n');
        for (int i = 0; i < 520; ++i) {
            file.write(lines);
        }
        file.finish();
    }
    CHECK(std::filesystem::file_size(path) < 4'000'000);
    const auto result = bounded("sass " + path);
    CHECK(result.exit_code == 3);
    CHECK(result.err == path + ": holds more than 512 MiB unpacked\n");
}

TEST_CASE("--out that promises a picture or a document is refused before the work", "[cli][bad]") {
    for (const std::string name : {"x.png", "x.PNG", "x.pdf", "x.xlsx"}) {
        const TemporaryFolder folder;
        const auto path = folder.file(name);
        for (const std::string command :
             {"predict --arch k40 --kernel naive", "roofline --arch k40 --kernel naive",
              "sweep --arch k40 --kernel naive", "report --arch k40 --kernel naive"}) {
            const auto result = run_gpumodel(command + " --out " + path);
            INFO(command << ' ' << path);
            CHECK(result.exit_code == 2);
            CHECK(result.err.find(path + ": --out: .") == 0);
            CHECK(result.err.find("is not written by gpumodel; text, csv, json, svg and html are") !=
                  std::string::npos);
            CHECK_FALSE(std::filesystem::exists(path));
        }
    }
}

TEST_CASE("--out is never one of the inputs", "[cli][bad]") {
    const std::string content = "kernel,params,M,N,K\nnaive,,64,64,64\n";
    const TemporaryFile jobs(content);
    for (const std::string& out :
         {" --out " + jobs.path(), " --out=" + jobs.path(),
          " --out " + std::filesystem::path(jobs.path()).parent_path().string() + "/../" +
              std::filesystem::path(jobs.path()).parent_path().filename().string() + "/file.csv"}) {
        const auto result = run_gpumodel("predict --arch k40 --format csv --jobs " + jobs.path() + out);
        INFO(out);
        CHECK(result.exit_code == 2);
        CHECK(result.err.find("would be written over '" + jobs.path() + "', which is read\n") !=
              std::string::npos);
        CHECK(read_temporary(jobs.path()) == content);
    }
}

TEST_CASE("compare refuses one file given twice", "[cli][compare][bad]") {
    const TemporaryFile file(times + "k40,naive,,64,64,64,analytic,ok,,5\n");
    const TemporaryFile copy(times + "k40,naive,,64,64,64,analytic,ok,,5\n");
    const auto twice = run_gpumodel("compare " + file.path() + " " + file.path());
    CHECK(twice.exit_code == 2);
    CHECK(twice.err == "A B: '" + file.path() + "' and '" + file.path() + "' are the same file\n");
    CHECK(run_gpumodel("compare " + file.path() + " " + copy.path()).exit_code == 0);
}

TEST_CASE("folders of GPUMODEL_ARCH_PATH that cannot be read are named", "[cli][bad]") {
    const TemporaryFile file("");
    const auto result = run_shell("GPUMODEL_ARCH_PATH=/nowhere:" + file.path() +
                                  ":/tmp {gpumodel} occupancy --arch k40 --threads 32 --registers 32");
    CHECK(result.exit_code == 0);
    CHECK(result.err ==
          "gpumodel: GPUMODEL_ARCH_PATH: '/nowhere' is no folder that can be read; it is passed over "
          "[spec-folder]\n"
          "gpumodel: GPUMODEL_ARCH_PATH: '" +
              file.path() + "' is no folder that can be read; it is passed over [spec-folder]\n");
}

TEST_CASE("measured times that are no times are refused", "[cli][validate][bad]") {
    for (const std::string time : {"inf", "-inf", "nan", "1e999", "1e308", "1e-320", "-1"}) {
        const TemporaryFile file("family,params,M,N,K,time_us_median\nnaive,,512,512,512," + time + "\n");
        const auto result =
            run_gpumodel("validate --arch h200_sxm --split all --measurements " + file.path());
        INFO(time);
        CHECK(result.exit_code == 3);
        CHECK(result.out.empty());
        const auto place = file.path() + ":2:20: time_us_median: ";
        const bool named = result.err.find(place + "'" + time + "'") == 0 ||
                           result.err.find(place + time + " us is no time") == 0;
        CHECK(named);
        CHECK(lines_of(result.err).size() == 1);
    }
}

TEST_CASE("a simulation that was given up is no success", "[cli][predict]") {
    const std::string launch = "predict --arch k40 --kernel naive -m 64 -n 64 -k 64 --max-cycles ";
    for (const std::string more : {"", " --model simulate", " --model both --format csv", " --format json"}) {
        INFO(more);
        CHECK(run_gpumodel(launch + "100" + more).exit_code == 3);
        CHECK(run_gpumodel(launch + "100000000" + more).exit_code == 0);
    }
}

TEST_CASE("options that name a launch are not passed over by validate", "[cli][validate][bad]") {
    const TemporaryFile file("family,params,M,N,K,time_us_median\nnaive,,512,512,512,100\n");
    const std::string measured = "validate --arch h200_sxm --split all --measurements " + file.path();
    CHECK(run_gpumodel(measured).exit_code == 0);
    for (const std::string more :
         {" --kernel naive", " -m 512", " -p BM=64", " --registers 32", " --grid 1,1,1", " --generated",
          " --compile never", " --sass sass/saxpy_loop.sass", " --nvcc-flags=-O1"}) {
        INFO(more);
        const auto result = run_gpumodel(measured + more);
        CHECK(result.exit_code == 2);
        CHECK(result.out.empty());
        CHECK(result.err.find("rows of --measurements and --counters are chosen by --kernel-filter") !=
              std::string::npos);
    }
}

TEST_CASE("the rows of validate are the same at any number of threads, and an interrupt keeps those finished",
          "[cli][validate]") {
    std::string table = "family,params,M,N,K,time_us_median\n";
    for (int size = 256; size <= 4096; size += 64) {
        table += "warptile,," + std::to_string(size) + ",4096,4096,1000\n";
    }
    const TemporaryFile file(table);
    const TemporaryFolder folder;
    const auto rows = folder.file("rows.csv");
    const std::string validate = "validate --arch k40 --split all --rows --measurements " + file.path();
    const auto one = run_gpumodel(validate + " --threads 1");
    CHECK(one.exit_code == 0);
    CHECK(lines_of(one.out).size() > 20);
    CHECK(run_gpumodel(validate + " --threads 3").out == one.out);

    // bash's jobs are started with SIGINT ignored; env puts it back
    const auto stopped =
        run_shell("env --default-signal=INT {gpumodel} " + validate + " --model simulate --out " + rows +
                  " & pid=$!; until [ $(cat " + rows +
                  " 2>/dev/null | wc -l) -ge 3 ]; do sleep 0.01; done; kill -INT $pid; wait $pid");
    CHECK(stopped.exit_code == 130);
    const auto kept = read_temporary(rows);
    CHECK(lines_of(kept).size() >= 3);
    CHECK(lines_of(kept).size() < lines_of(one.out).size());
    CHECK(kept.back() == '\n');
}
