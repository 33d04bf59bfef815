// gpumodel-measure: measures the GPU at hand. See `usage`.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>

#include "validate/measure/device_info.cuh"
#include "validate/measure/suites.cuh"

namespace gpumodel::measure {

void Progress::show(const std::string& text) const {
    if (terminal_) {
        std::fprintf(stderr, "\r\033[K%s", text.c_str());
    }
}

void Progress::line(const std::string& text) const {
    std::fprintf(stderr, "%s%s\n", terminal_ ? "\r\033[K" : "", text.c_str());
}

namespace {

constexpr const char* usage =
    "usage: gpumodel-measure [OPTIONS]\n"
    "  --suite kernels|microbench|l2|memory|power|check|all   kernels: times of the kernel families, each "
    "checked first;\n"
    "                         microbench: what `gpumodel calibrate` reads; l2: the two halves of an L2 and "
    "what\n"
    "                         a request costs in L1; memory: kernels that live on memory, dependent "
    "arithmetic;\n"
    "                         power: the board's power and the clock under kernels, each for 2.5 s;\n"
    "                         all: kernels and microbench\n"
    "  --out FILE             csv; rows that it holds already are not measured again. all: the beginning of "
    "two\n"
    "                         names, FILE_times.csv and FILE_microbench.csv\n"
    "  --sizes S,MxNxK,...    shapes of the products (default 512,1024,2048,4096)\n"
    "  --families A,B,...     these families only\n"
    "  --configurations N     at most N configurations of each family (default: all)\n"
    "  --rows FILE            only the launches of this csv (first columns: family,params,M,N,K)\n"
    "  --longest SECONDS      leave out kernels that take longer (default 1)\n"
    "  --once                 one launch of each kernel and nothing timed: for a profiler (l2: the second of "
    "two)\n";

struct Options {
    std::string suite = "kernels";
    std::string out;
    bool once = false;
    KernelChoice choice;
};

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

// "1024" or "512x1024x2048".
Shape parse_shape(const std::string& text) {
    Shape s;
    int used = 0;
    const int length = static_cast<int>(text.size());
    const bool three =
        std::sscanf(text.c_str(), "%dx%dx%d%n", &s.m, &s.n, &s.k, &used) == 3 && used == length;
    if (!three) {
        used = 0;
        if (std::sscanf(text.c_str(), "%d%n", &s.m, &used) != 1 || used != length) {
            throw std::invalid_argument("--sizes: '" + text + "' is neither N nor MxNxK");
        }
        s.n = s.k = s.m;
    }
    if (s.m < 1 || s.n < 1 || s.k < 1 || s.m > 65536 || s.n > 65536 || s.k > 65536) {
        throw std::invalid_argument("--sizes: '" + text + "' is outside 1 to 65536");
    }
    return s;
}

std::set<std::string> read_rows(const std::string& path) {
    std::ifstream in(path);
    std::set<std::string> keys;
    for (std::string line; std::getline(in, line);) {
        std::size_t end = 0;
        for (int field = 0; field < 5 && end != std::string::npos; ++field) {
            end = line.find(',', field == 0 ? 0 : end + 1);
        }
        keys.insert(line.substr(0, end));
    }
    if (keys.empty()) {
        throw std::invalid_argument("--rows: nothing to read in '" + path + "'");
    }
    return keys;
}

double parse_number(const std::string& option, const std::string& text, double least) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != 0 || !(value >= least)) {
        throw std::invalid_argument(option + ": '" + text + "' is not a number of at least " +
                                    std::to_string(least));
    }
    return value;
}

void set(Options& options, const std::string& option, const std::string& value) {
    if (option == "--suite") {
        options.suite = value;
    } else if (option == "--out") {
        options.out = value;
    } else if (option == "--sizes") {
        for (const std::string& text : split(value)) {
            options.choice.shapes.push_back(parse_shape(text));
        }
    } else if (option == "--families") {
        options.choice.families = split(value);
    } else if (option == "--configurations") {
        options.choice.configurations = static_cast<int>(parse_number(option, value, 1));
    } else if (option == "--rows") {
        options.choice.rows = read_rows(value);
    } else if (option == "--longest") {
        options.choice.longest_launch_s = parse_number(option, value, 1e-6);
    } else {
        throw std::invalid_argument("unknown option '" + option + "'");
    }
}

Options parse(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        if (option == "--once") {
            options.once = true;
        } else if (i + 1 < argc) {
            set(options, option, argv[++i]);
        } else {
            throw std::invalid_argument("'" + option + "' is unknown or needs a value");
        }
    }
    const std::string& suite = options.suite;
    if (suite != "kernels" && suite != "microbench" && suite != "l2" && suite != "memory" &&
        suite != "power" && suite != "check" && suite != "all") {
        throw std::invalid_argument("--suite: '" + suite +
                                    "' is none of kernels, microbench, l2, memory, power, check, all");
    }
    if (options.out.empty() && suite != "check" && !options.once) {
        throw std::invalid_argument("--out is missing");
    }
    if (options.choice.shapes.empty()) {
        options.choice.shapes = {parse_shape("512"), parse_shape("1024"), parse_shape("2048"),
                                 parse_shape("4096")};
    }
    return options;
}

int run(const Options& options) {
    const Progress progress(isatty(2) != 0);
    int gpus = 0;
    require(cudaGetDeviceCount(&gpus), "no usable GPU");
    if (options.suite == "l2") {
        run_l2(current_device(), options.out, options.once, progress);
        return 0;
    }
    if (options.suite == "memory") {
        run_memory(current_device(), options.out, options.once, progress);
        return 0;
    }
    if (options.suite == "power") {
        run_power(current_device(), options.choice, options.out, progress);
        return 0;
    }
    if (options.once) {
        run_once(options.choice);
        return 0;
    }
    if (options.suite == "check") {
        return run_checks(options.choice, progress) == 0 ? 0 : 1;
    }
    const microbench::Device device = current_device();
    const bool all = options.suite == "all";
    if (all || options.suite == "microbench") {
        run_microbenchmarks(device, all ? options.out + "_microbench.csv" : options.out, progress);
    }
    int wrong = 0;
    if (all || options.suite == "kernels") {
        wrong = run_kernels(device, options.choice, all ? options.out + "_times.csv" : options.out, progress);
    }
    char text[64];
    std::snprintf(text, sizeof text, "%.0f MHz at the end",
                  microbench::measure_clock(8 * device.sm_count) * 1e-6);
    progress.line(text);
    return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace gpumodel::measure

int main(int argc, char** argv) {
    using namespace gpumodel::measure;
    if (argc > 1 && (std::string(argv[1]) == "--help" || std::string(argv[1]) == "-h")) {
        std::fputs(usage, stdout);
        return 0;
    }
    try {
        return run(parse(argc, argv));
    } catch (const std::invalid_argument& error) {
        std::fprintf(stderr, "%s\n%s", error.what(), usage);
        return 2;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
