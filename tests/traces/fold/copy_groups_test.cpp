// Asynchronous copies in groups: how many trips a loop leaves them under way.
#include <catch2/catch.hpp>

#include "traces/dependency_shape.h"

using namespace gpumodel;

namespace {

Instruction copy() {
    Instruction i;
    i.op = OpClass::async_copy;
    i.access_bytes = 16;
    i.access_kind = AccessKind::async_copy;
    return i;
}

Instruction group_end() {
    Instruction i;
    i.op = OpClass::branch;
    i.ends_copy_group = true;
    return i;
}

class Body {
public:
    Body() { (void)names_.intern("FFMA"); }
    Instruction wait(int left) {
        Instruction i;
        i.op = OpClass::branch;
        i.mnemonic = names_.intern("DEPBAR.LE");
        i.copy_groups_left = static_cast<std::int8_t>(left);
        return i;
    }
    // The shape of the loop's only segment.
    DependencyShape shape_of(const std::vector<std::vector<Instruction>>& trip) {
        Segment segment;
        segment.thread_end = 32;
        for (const auto& part : trip) {
            for (const auto& i : part) {
                segment.code.push_back(i);
            }
        }
        Loop loop;
        loop.trips = 100;
        loop.body = {Interval{{segment}}};
        std::vector<Node> nodes{loop};
        find_dependencies(nodes, names_);
        return std::get<Interval>(std::get<Loop>(nodes.front()).body.front()).segments.front().dependency;
    }
    [[nodiscard]] static std::vector<Instruction> work(int count) {
        Instruction ffma;
        ffma.op = OpClass::ffma;
        return std::vector<Instruction>(static_cast<std::size_t>(count), ffma);
    }
    [[nodiscard]] static std::vector<Instruction> copies() { return {copy(), copy(), group_end()}; }

private:
    MnemonicTable names_;
};

}  // namespace

TEST_CASE("a pipeline's copies are under way for as many trips as its wait leaves groups", "[fold]") {
    Body body;
    for (const int left : {1, 2, 3}) {
        const auto behind = body.shape_of({Body::work(100), Body::copies(), {body.wait(left)}});
        CHECK(behind.trips_ahead == Approx(left).margin(0.05));
        CHECK(behind.prefetched_global_loads == 1);
        CHECK(behind.serial_global_loads == 0);
        const auto before = body.shape_of({{body.wait(left)}, Body::copies(), Body::work(100)});
        CHECK(before.trips_ahead == Approx(left + 1).margin(0.05));
        CHECK(before.serial_global_loads == 0);
    }
}

TEST_CASE("copies waited for at once are serial, behind a trip's work they are not", "[fold]") {
    Body body;
    const auto at_once = body.shape_of({Body::copies(), {body.wait(0)}, Body::work(100)});
    CHECK(at_once.serial_global_loads == 1);
    CHECK(at_once.prefetched_global_loads == 0);
    const auto behind = body.shape_of({Body::copies(), Body::work(100), {body.wait(0)}});
    CHECK(behind.serial_global_loads == 0);
    CHECK(behind.trips_ahead == Approx(1).margin(0.05));
}

TEST_CASE("several groups a trip, one wait: so many fewer trips", "[fold]") {
    Body body;
    const auto two = body.shape_of({Body::work(100), Body::copies(), Body::copies(), {body.wait(4)}});
    CHECK(two.trips_ahead == Approx(2).margin(0.1));
}
