// gpumodel._core: the command inside Python. What python/gpumodel makes of it is the contract; this is its
// engine.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <system_error>

#include "python/core/many.h"
#include "python/core/run.h"
#include "tools/run_command.h"

namespace py = pybind11;

namespace gpumodel::python {
namespace {

constexpr double look_at_signals_seconds = 0.02;
constexpr double longest_end_seconds = 5;

using Environment = std::map<std::string, std::string>;

// A file in memory that reads as `text`.
class InputFile {
public:
    explicit InputFile(const std::string& text) : file_(memfd_create("gpumodel", MFD_CLOEXEC)) {
        for (std::size_t done = 0; file_ >= 0 && done < text.size();) {
            const auto written = write(file_, text.data() + done, text.size() - done);
            if (written < 0) {
                fail();
            }
            done += static_cast<std::size_t>(written);
        }
        if (file_ < 0 || lseek(file_, 0, SEEK_SET) != 0) {
            fail();
        }
    }
    ~InputFile() {
        if (file_ >= 0) {
            close(file_);
        }
    }
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    [[nodiscard]] int file() const { return file_; }
    void give_away() { file_ = -1; }

private:
    [[noreturn]] static void fail() {
        throw std::system_error(errno, std::generic_category(), "standard input");
    }

    int file_;
};

void raise_signals() {
    if (PyErr_CheckSignals() != 0) {
        throw py::error_already_set();
    }
}

// Until `ready(seconds)` says so; other threads of Python go on meanwhile, and KeyboardInterrupt comes
// through.
template <class Ready>
void wait_until(const Ready& ready) {
    for (bool done = false; !done; raise_signals()) {
        const py::gil_scoped_release free;
        done = ready(look_at_signals_seconds);
        stay_if_ended();
    }
}

class PythonRun {
public:
    explicit PythonRun(std::shared_ptr<Run> run) : run_(std::move(run)) {}
    void stop() const { run_->stop(); }
    // Exit code and messages.
    [[nodiscard]] std::pair<int, py::bytes> finish() const {
        wait_until([this](double seconds) { return run_->wait(seconds); });
        return {run_->exit_code(), run_->messages()};
    }

private:
    std::shared_ptr<Run> run_;
};

std::shared_ptr<PythonRun> start(const std::vector<std::string>& arguments, Environment environment,
                                 const std::string& program, const std::string& input, int output,
                                 double patience_seconds) {
    const py::gil_scoped_release free;
    InputFile file(input);
    auto run = Run::start([arguments] { return cli::run_command(arguments); },
                          {std::move(environment), program, file.file()}, output, patience_seconds);
    stay_if_ended();
    if (!run) {
        return nullptr;
    }
    file.give_away();
    return std::make_shared<PythonRun>(std::move(run));
}

// A column as numpy takes it over, without a copy.
template <class Value>
py::array_t<Value> as_array(std::vector<Value>&& values) {
    auto* const kept = new std::vector<Value>(std::move(values));
    const py::capsule owner(kept, [](void* data) { delete static_cast<std::vector<Value>*>(data); });
    return py::array_t<Value>(static_cast<py::ssize_t>(kept->size()), kept->data(), owner);
}

// Waits for other runs however long they take: no process of its own would give the same digits.
py::tuple many(const std::string& arch, const std::vector<std::string>& sets, const std::string& kernel,
               const std::vector<std::string>& names,
               const py::array_t<std::int64_t, py::array::c_style>& cells, bool cold, int threads,
               bool counters, const Environment& environment, const std::string& program) {
    struct Work {  // nothing of Python's: whoever is the last to need it may be no thread of the interpreter
        std::vector<std::int64_t> cells;
        ManyLaunches launches;
        ManyPredictions predictions;
    };
    const auto work = std::make_shared<Work>();
    work->cells.assign(cells.data(), cells.data() + cells.size());
    work->launches = {arch,    sets,    kernel, names, work->cells, cold ? L2State::cold : L2State::warm,
                      threads, counters};
    const auto predict = [work] {
        return cli::reporting_faults([&work] {
            work->predictions = predict_many(work->launches);
            return 0;
        });
    };
    std::shared_ptr<Run> run;
    InputFile input("");
    const auto begun = [&](double seconds) {
        run = Run::start(predict, {environment, program, input.file()}, -1, seconds);
        if (run) {
            input.give_away();
        }
        return run != nullptr;
    };
    try {
        wait_until(begun);
        wait_until([&run](double seconds) { return run->wait(seconds); });
    } catch (...) {
        if (run) {
            run->stop();
        }
        throw;
    }
    auto& made = work->predictions;
    py::dict numbers, texts;
    for (auto& [name, column] : made.numbers) {
        numbers[py::str(name)] = as_array(std::move(column));
    }
    for (const auto& [name, column] : made.texts) {
        texts[py::str(name)] = py::cast(column);
    }
    return py::make_tuple(run->exit_code(), py::bytes(run->messages()),
                          as_array(std::move(made.launch_of_row)), numbers, texts);
}

}  // namespace
}  // namespace gpumodel::python

PYBIND11_MODULE(_core, module) {
    using namespace gpumodel::python;
    module.doc() = "The gpumodel command inside this process; for the package's own use.";
    module.attr("version") = GPUMODEL_VERSION;
    py::class_<PythonRun, std::shared_ptr<PythonRun>>(module, "Run")
        .def("stop", &PythonRun::stop)
        .def("finish", &PythonRun::finish);
    module.def("usable", &usable,
               "Whether this process loaded the module itself: a forked one has none of its threads.");
    module.def("start", &start, py::arg("arguments"), py::arg("environment"), py::arg("program"),
               py::arg("input"), py::arg("output"), py::arg("patience"));
    module.def("many", &many, py::arg("arch"), py::arg("sets"), py::arg("kernel"), py::arg("names"),
               py::arg("cells"), py::arg("cold"), py::arg("threads"), py::arg("counters"),
               py::arg("environment"), py::arg("program"));
    py::module_::import("atexit").attr("register")(py::cpp_function([] {
        const py::gil_scoped_release free;
        end_all(longest_end_seconds);
    }));
}
