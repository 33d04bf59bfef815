// Loops come back as loops, with exact trip counts, and every instruction and address stays what it was.
#include <catch2/catch.hpp>

#include "tests/traces/fold/expand.h"
#include "tests/traces/fold/scripted_source.h"
#include "traces/fold/fold_program.h"

using namespace gpumodel;

namespace {

struct LoopShape {
    std::vector<std::int64_t> trips;  // in program order, outer before inner
    std::size_t instructions = 0;     // of all code
};

void shape_of(const std::vector<Node>& nodes, LoopShape& shape) {
    for (const auto& node : nodes) {
        if (const auto* loop = std::get_if<Loop>(&node)) {
            shape.trips.push_back(loop->trips);
            shape_of(loop->body, shape);
            continue;
        }
        for (const auto& segment : std::get<Interval>(node).segments) {
            shape.instructions += segment.code.size();
        }
    }
}

LoopShape shape_of(const KernelProgram& program) {
    LoopShape shape;
    shape_of(program.body, shape);
    return shape;
}

// One block of one warp.
KernelProgram fold_one(ScriptedSource& source) {
    const auto launch = launch_of({1, 1, 1}, 32, 1);
    auto program = fold_program(source, launch);
    CHECK(difference_in_all_blocks(program, source, launch) == "");
    return program;
}

constexpr auto global = MemorySpace::global;
constexpr auto shared = MemorySpace::shared;
using Trips = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("a counted loop folds with its exact trips", "[unit][fold]") {
    for (const std::int64_t trips : {1, 2, 3, 4, 7, 100}) {
        CodeWriter c;
        c.alu(3);
        const int head = c.load(global, 4);
        c.ffma(0, 1, 2);
        const int end = c.branch() + 1;
        c.store(global, 4);
        const int exit = c.branch() + 1;
        ScriptedSource source(c.code, 1, [&](const Dim3&, int, WarpScript& s) {
            for (std::int64_t t = 0; t < trips; ++t) {
                // the first trip is entered from above, the last falls out
                s.run(t == 0 ? 0 : head, end, [&](int, int lane) { return 4 * lane + 512 * t; });
            }
            s.run(end, exit, [](int, int lane) { return 8 * lane; });
        });
        const auto program = fold_one(source);
        const auto shape = shape_of(program);
        INFO(trips << " trips");
        CHECK(shape.trips == (trips == 1 ? Trips{} : Trips{trips}));
        CHECK(shape.instructions == 8);
        CHECK(program.flops == 64.0 * static_cast<double>(trips));
    }
}

TEST_CASE("a first or last trip that differs stays beside the loop", "[unit][fold]") {
    CodeWriter c;
    const int head = c.load(global, 8);
    c.branch();
    const int skipped = c.alu(2);
    const int tail = c.alu();
    const int end = c.branch() + 1;
    const int exit = c.branch() + 1;
    const std::int64_t trips = 20;
    const auto run = [&](bool first_differs, bool last_differs, std::int64_t odd_address) {
        return ScriptedSource(c.code, 1, [=](const Dim3&, int, WarpScript& s) {
            for (std::int64_t t = 0; t < trips; ++t) {
                const bool whole = !(first_differs && t == 0) && !(last_differs && t == trips - 1);
                const auto address = [&](int, int lane) {
                    return 8 * lane + 256 * t + (t == 0 ? odd_address : 0);
                };
                s.run(head, whole ? tail : skipped, address);
                if (!whole) {
                    s.run(tail, end);
                } else {
                    s.run(tail, end);
                }
            }
            s.run(end, exit);
        });
    };
    auto regular = run(false, false, 0);
    CHECK(shape_of(fold_one(regular)).trips == Trips{trips});
    auto first = run(true, false, 0);
    CHECK(shape_of(fold_one(first)).trips == Trips{trips - 1});
    auto last = run(false, true, 0);
    CHECK(shape_of(fold_one(last)).trips == Trips{trips - 1});
    auto both = run(true, true, 0);
    CHECK(shape_of(fold_one(both)).trips == Trips{trips - 2});
    auto address = run(false, false, 1 << 20);
    CHECK(shape_of(fold_one(address)).trips == Trips{trips - 1});
}

TEST_CASE("rotating buffers fold with the period of the rotation", "[unit][fold]") {
    for (const std::int64_t buffers : {2, 3, 4}) {
        for (std::int64_t trips = 4 * buffers; trips < 6 * buffers; ++trips) {
            CodeWriter c;
            c.load(global, 16);
            c.store(shared, 16);
            c.barrier();
            c.load(shared, 4);
            const int end = c.branch() + 1;
            const int exit = c.branch() + 1;
            ScriptedSource source(c.code, 1, [&](const Dim3&, int, WarpScript& s) {
                for (std::int64_t t = 0; t < trips; ++t) {
                    s.run(0, end, [&](int n, int lane) {
                        return n == 0 ? 16 * lane + 4096 * t : 16 * lane + 1024 * (t % buffers);
                    });
                }
                s.run(end, exit);
            });
            INFO(buffers << " buffers, " << trips << " trips");
            const auto shape = shape_of(fold_one(source));
            REQUIRE_FALSE(shape.trips.empty());
            CHECK(shape.trips.front() == trips / buffers);
            // the last iterations beside the loop; three of them are a loop again
            const auto left = trips % buffers == 3 ? 1 : trips % buffers;
            CHECK(shape.instructions == static_cast<std::size_t>(5 * (buffers + left) + 1));
        }
    }
}

TEST_CASE("nested loops fold across the outer loop", "[unit][fold]") {
    for (const std::int64_t inner : {2, 5}) {
        CodeWriter c;
        const int outer_head = c.alu(2);
        const int middle_head = c.alu();
        const int inner_head = c.load(global, 4);
        const int inner_end = c.branch() + 1;
        c.alu();
        const int middle_end = c.branch() + 1;
        const int second_head = c.load(shared, 4);  // a second loop beside the first
        const int second_end = c.branch() + 1;
        const int outer_end = c.branch() + 1;
        const int exit = c.branch() + 1;
        ScriptedSource source(c.code, 1, [&](const Dim3&, int, WarpScript& s) {
            for (std::int64_t i = 0; i < 6; ++i) {
                s.run(outer_head, middle_head);
                for (std::int64_t j = 0; j < 4; ++j) {
                    s.run(middle_head, inner_head);
                    for (std::int64_t k = 0; k < inner; ++k) {
                        s.run(inner_head, inner_end, [&](int, int lane) {
                            return 4 * lane + 128 * k + 10000 * j + 100000 * (5 - i);
                        });
                    }
                    s.run(inner_end, middle_end);
                }
                for (std::int64_t k = 0; k < 3; ++k) {
                    s.run(second_head, second_end, [&](int, int lane) { return 4 * lane + 4 * k; });
                }
                s.run(second_end, outer_end);
            }
            s.run(outer_end, exit);
        });
        const auto shape = shape_of(fold_one(source));
        CHECK(shape.trips == Trips{6, 4, inner, 3});
        CHECK(shape.instructions == 11);
    }
}

TEST_CASE("what is not regular stays as executed", "[unit][fold]") {
    CodeWriter c;
    const int outer_head = c.alu();
    const int inner_head = c.load(global, 4);
    const int inner_end = c.branch() + 1;
    const int outer_end = c.branch() + 1;
    const int exit = c.branch() + 1;
    ScriptedSource triangle(c.code, 1, [&](const Dim3&, int, WarpScript& s) {
        for (std::int64_t i = 1; i < 12; ++i) {
            s.run(outer_head, inner_head);
            for (std::int64_t k = 0; k < i; ++k) {
                s.run(inner_head, inner_end, [&](int, int lane) { return 4 * lane + 128 * k; });
            }
            s.run(inner_end, outer_end);
        }
        s.run(outer_end, exit);
    });
    CHECK(shape_of(fold_one(triangle)).trips == Trips{2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
    // a reduction: the stride halves, half of the lanes drop out
    ScriptedSource reduction(c.code, 1, [&](const Dim3&, int, WarpScript& s) {
        for (int width = 16; width > 0; width /= 2) {
            s.set_active((1U << static_cast<unsigned>(width)) - 1);
            s.run(outer_head, inner_end, [&](int, int lane) { return 4 * (lane + width); });
        }
    });
    CHECK(shape_of(fold_one(reduction)).trips.empty());
}

TEST_CASE("a pointer chase over lanes does not fold into one stride", "[unit][fold]") {
    CodeWriter c;
    c.load(global, 4);
    const int end = c.branch() + 1;
    ScriptedSource source(c.code, 1, [&](const Dim3&, int, WarpScript& s) {
        for (std::int64_t t = 0; t < 50; ++t) {  // lanes move apart
            s.run(0, end, [&](int, int lane) { return 4 * lane * (t + 1); });
        }
    });
    CHECK(shape_of(fold_one(source)).trips.empty());
}

TEST_CASE("memory is flat in the trip count", "[unit][fold]") {
    CodeWriter c;
    c.load(global, 4);
    c.load(shared, 4);
    const int inner_end = c.branch() + 1;
    const int end = c.branch() + 1;
    ScriptedSource source(c.code, 2, [&](const Dim3&, int, WarpScript& s) {
        for (std::int64_t t = 0; t < 300; ++t) {
            for (std::int64_t u = 0; u < 100; ++u) {
                s.run(0, inner_end, [&](int, int lane) { return 4 * lane + 64 * t + 1024 * u; });
            }
            s.run(inner_end, end);
        }
    });
    const auto program = fold_program(source, launch_of({1000, 1, 1}, 64, 1));
    const auto shape = shape_of(program);
    CHECK(shape.trips == Trips{300, 100});
    CHECK(shape.instructions == 4);
}

TEST_CASE("random nests come back exactly", "[property][fold]") {
    std::uint64_t state = 1;
    const auto draw = [&state](std::uint64_t below) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        return static_cast<std::int64_t>((state >> 33U) % below);
    };
    for (int sample = 0; sample < 60; ++sample) {
        // levels of a nest, each with code in front of and behind the next one
        const auto depth = static_cast<std::size_t>(1 + draw(4));
        CodeWriter c;
        std::vector<int> head, after;
        for (std::size_t d = 0; d < depth; ++d) {
            head.push_back(c.load(draw(2) == 0 ? global : shared, 4));
            c.alu(static_cast<int>(draw(3)));
        }
        const int core_end = c.size();
        for (std::size_t d = 0; d < depth; ++d) {
            c.alu(static_cast<int>(draw(2)));
            after.push_back(c.branch() + 1);
        }
        std::vector<std::int64_t> trips(depth), stride(depth);
        for (std::size_t d = 0; d < depth; ++d) {
            trips[d] = 1 + draw(6);
            stride[d] = 4 * (draw(64) - 32);
        }
        const auto peeled = draw(3);  // an access that the outermost loop's first or last trip shifts
        ScriptedSource source(c.code, 1, [&](const Dim3&, int, WarpScript& s) {
            std::vector<std::int64_t> at(depth);
            std::function<void(std::size_t)> run = [&](std::size_t d) {
                for (at[d] = 0; at[d] < trips[d]; ++at[d]) {
                    const auto address = [&](int n, int lane) {
                        std::int64_t a = 1 << 20;
                        for (std::size_t e = 0; e <= d; ++e) {
                            a += stride[e] * at[e];
                        }
                        const bool odd =
                            (peeled == 1 && at[0] == 0) || (peeled == 2 && at[0] == trips[0] - 1);
                        return a + 4 * lane + 128 * n + (odd ? 4096 : 0);
                    };
                    s.run(head[d], d + 1 < depth ? head[d + 1] : core_end, address);
                    if (d + 1 < depth) {
                        run(d + 1);
                    }
                    s.run(d + 1 < depth ? after[depth - 2 - d] : core_end, after[depth - 1 - d], address);
                }
                at[d] = 0;
            };
            run(0);
        });
        INFO("sample " << sample);
        const auto program = fold_one(source);
        if (peeled == 0) {
            Trips expected;
            for (const auto t : trips) {
                if (t > 1) {
                    expected.push_back(t);
                }
            }
            CHECK(shape_of(program).trips == expected);
        }
    }
}
