// The processes of `mpirun -n N gpumodel sweep`. Built with or without MPI; without it, and when no launcher
// has started this process, there is one rank and nothing of MPI is called.
#pragma once

#include <cstdint>
#include <string>

namespace gpumodel::cli {

class Ranks {
public:
    Ranks();   // MPI_Init if a launcher started this process
    ~Ranks();  // MPI_Finalize
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int count() const { return count_; }

    // Rank 0's value, on all ranks.
    [[nodiscard]] std::int64_t from_first(std::int64_t value) const;
    // To rank 0; returns when it has begun to take the message, so that nothing piles up on the way. One
    // thread at a time.
    void send(const std::string& message) const;
    [[nodiscard]] std::string receive(int rank) const;
    // Ends all ranks; with one rank, this process.
    [[noreturn]] void abort(int exit_code) const;

private:
    int rank_ = 0;
    int count_ = 1;
    bool started_ = false;
};

}  // namespace gpumodel::cli
