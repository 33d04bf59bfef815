// Replays the committed corpora and a fixed number of mutations of them: the same inputs on every run.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/fuzz/targets.h"

namespace {

using gpumodel::fuzz::Target;

std::vector<std::string> corpus_of(const Target& target) {
    std::set<std::filesystem::path> paths;  // in order: the mutations must not depend on the file system
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(GPUMODEL_FUZZ_CORPUS) / target.name)) {
        paths.insert(entry.path());
    }
    std::vector<std::string> inputs;
    for (const auto& path : paths) {
        std::ifstream file(path, std::ios::binary);
        inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    return inputs;
}

// Not std::uniform_int_distribution: its values differ between standard libraries.
std::size_t below(std::mt19937& random, std::size_t limit) {
    return limit == 0 ? 0 : random() % limit;
}

void mutate(std::string& text, const std::string& other, std::mt19937& random) {
    const auto at = below(random, text.size() + 1);
    switch (below(random, 6)) {
        case 0:
            text.erase(at, 1 + below(random, 16));
            break;
        case 1:
            text.insert(at, 1, static_cast<char>(random()));
            break;
        case 2:
            text.resize(at);
            break;
        case 3: {
            const auto from = below(random, other.size());
            text.insert(at, other.substr(from, 1 + below(random, 64)));
            break;
        }
        case 4:
            text.insert(at, text.substr(below(random, text.size()), 1 + below(random, 64)));
            break;
        default:
            if (at < text.size()) {
                text[at] = static_cast<char>(text[at] ^ 1 << below(random, 8));
            }
    }
}

bool survives(const Target& target, const std::string& input) {
    try {
        return target.run(reinterpret_cast<const std::uint8_t*>(input.data()), input.size()) == 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", target.name, error.what());
    } catch (...) {
        std::fprintf(stderr, "%s: unknown exception\n", target.name);
    }
    return false;
}

int run(const Target& target) {
    const auto corpus = corpus_of(target);
    int executions = 0;
    const auto check = [&](const std::string& input) {
        ++executions;
        if (!survives(target, input)) {
            std::ofstream(std::string(target.name) + ".finding", std::ios::binary) << input;
            std::fprintf(stderr, "%s: input kept in %s.finding\n", target.name, target.name);
            return false;
        }
        return true;
    };
    bool good = !corpus.empty();
    for (const auto& input : corpus) {
        good = check(input) && good;
    }
    std::mt19937 random(1);
    for (int i = 0; good && i < target.mutations; ++i) {
        auto input = corpus[below(random, corpus.size())];
        const auto& other = corpus[below(random, corpus.size())];
        for (auto changes = 1 + below(random, 4); changes > 0; --changes) {
            mutate(input, other, random);
        }
        good = check(input);
    }
    std::printf("%-12s %zu files, %d executions: %s\n", target.name, corpus.size(), executions,
                good ? "ok" : "FAILED");
    return good ? 0 : 1;
}

}  // namespace

int main() {
    int failures = 0;
    for (const auto& target : gpumodel::fuzz::targets()) {
        failures += run(target);
    }
    return failures == 0 ? 0 : 1;
}
