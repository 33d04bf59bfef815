#include "tools/sweep/mpi/ranks.h"

#ifdef GPUMODEL_HAS_MPI
#define OMPI_SKIP_MPICXX 1  // the C interface only
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#endif
#include <cstdlib>

#include "base/diagnostics.h"
#include "base/process.h"

namespace gpumodel::cli {

#ifdef GPUMODEL_HAS_MPI

namespace {

constexpr int message_tag = 1;

// What Open MPI, PMI (MPICH, Intel MPI, Slurm) and PMIx set for the processes that they start.
bool launched() {
    constexpr std::array variables{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK"};
    return std::any_of(variables.begin(), variables.end(),
                       [](const char* name) { return std::getenv(name) != nullptr; });
}

}  // namespace

Ranks::Ranks() : started_(!is_hosted() && launched()) {
    if (started_) {
        int provided = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
        MPI_Comm_size(MPI_COMM_WORLD, &count_);
        if (provided < MPI_THREAD_SERIALIZED && count_ > 1) {
            throw std::runtime_error("this MPI library allows calls from one thread only");
        }
    }
}

Ranks::~Ranks() {
    if (started_) {
        MPI_Finalize();
    }
}

std::int64_t Ranks::from_first(std::int64_t value) const {
    if (count_ > 1) {
        MPI_Bcast(&value, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
    }
    return value;
}

void Ranks::send(const std::string& message) const {
    if (message.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        throw std::runtime_error("a message between ranks is too long");
    }
    MPI_Ssend(message.data(), static_cast<int>(message.size()), MPI_CHAR, 0, message_tag, MPI_COMM_WORLD);
}

std::string Ranks::receive(int rank) const {
    MPI_Status status;
    int size = 0;
    MPI_Probe(rank, message_tag, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_CHAR, &size);
    std::string message(static_cast<std::size_t>(size), '\0');
    MPI_Recv(message.data(), size, MPI_CHAR, rank, message_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return message;
}

void Ranks::abort(int exit_code) const {
    if (started_) {
        MPI_Abort(MPI_COMM_WORLD, exit_code);
    }
    std::_Exit(exit_code);
}

#else

Ranks::Ranks() {
    for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
        const char* size = is_hosted() ? nullptr : std::getenv(name);
        if (size != nullptr && std::atoi(size) > 1) {  // each would write the whole sweep
            throw InputError(InputErrorKind::usage,
                             {{"", 0, 0, name, "started on several ranks, but built without MPI"}});
        }
    }
}
Ranks::~Ranks() = default;
std::int64_t Ranks::from_first(std::int64_t value) const {
    return value;
}
void Ranks::send(const std::string& /*message*/) const {}
std::string Ranks::receive(int /*rank*/) const {
    return {};
}
void Ranks::abort(int exit_code) const {
    std::_Exit(exit_code);
}

#endif

}  // namespace gpumodel::cli
