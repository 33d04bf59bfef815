#include "tests/traces/fold/scripted_source.h"

using namespace gpumodel;

int CodeWriter::add(OpClass op, const std::string& mnemonic) {
    Instruction i;
    i.op = op;
    i.mnemonic = code.mnemonics.intern(mnemonic);
    i.address = static_cast<std::uint32_t>(16 * code.instructions.size());
    code.instructions.push_back(i);
    return size() - 1;
}

int CodeWriter::alu(int count) {
    const int first = size();
    for (int n = 0; n < count; ++n) {
        add(OpClass::iadd, "IADD3");
    }
    return first;
}

int CodeWriter::ffma(int accumulator, int a, int b) {
    const int index = add(OpClass::ffma, "FFMA");
    auto& i = code.instructions.back();
    i.flops = 2;
    const auto reg = [](int number, int slot) {
        RegisterUse use;
        use.kind = RegisterKind::vector;
        use.index = static_cast<std::int16_t>(number);
        use.slot = static_cast<std::int8_t>(slot);
        return use;
    };
    i.result_count = 1;
    i.results[0] = reg(accumulator, -1);
    i.source_count = 3;
    i.sources = {reg(a, 0), reg(b, 1), reg(accumulator, 2)};
    return index;
}

int CodeWriter::branch() {
    return add(OpClass::branch, "BRA");
}

int CodeWriter::barrier() {
    return add(OpClass::barrier, "BAR.SYNC");
}

int CodeWriter::load(MemorySpace space, int bytes, int result_register) {
    const int index = access(AccessKind::load, space, bytes);
    if (result_register >= 0) {
        auto& i = code.instructions.back();
        i.result_count = 1;
        i.results[0].kind = RegisterKind::vector;
        i.results[0].index = static_cast<std::int16_t>(result_register);
        i.results[0].width = static_cast<std::uint8_t>(bytes < 4 ? 1 : bytes / 4);
    }
    return index;
}

int CodeWriter::store(MemorySpace space, int bytes) {
    return access(AccessKind::store, space, bytes);
}

int CodeWriter::access(AccessKind kind, MemorySpace space, int bytes) {
    const bool shared = space == MemorySpace::shared;
    const bool store = kind == AccessKind::store;
    const auto op = kind == AccessKind::async_copy ? OpClass::async_copy
                    : shared && store              ? OpClass::shared_store
                    : shared                       ? OpClass::shared_load
                    : store                        ? OpClass::global_store
                                                   : OpClass::global_load;
    const std::string name = kind == AccessKind::async_copy ? "LDGSTS"
                             : kind == AccessKind::atomic   ? (shared ? "ATOMS.ADD" : "ATOMG.ADD")
                             : shared                       ? (store ? "STS" : "LDS")
                             : store                        ? "STG.E"
                                                            : "LDG.E";
    const int index = add(op, name + (bytes > 4 ? "." + std::to_string(8 * bytes) : ""));
    auto& i = code.instructions.back();
    i.access_bytes = static_cast<std::uint8_t>(bytes);
    i.access_kind = kind;
    i.space = space;
    return index;
}

void WarpScript::run(int begin, int end, const Address& address) {
    sink_.straight(warp_, begin, end, active_);
    for (int n = begin; n < end; ++n) {
        const auto& instruction = code_.instructions[static_cast<std::size_t>(n)];
        if (instruction.access_bytes == 0) {
            continue;
        }
        AccessEvent event;
        event.instruction = n;
        event.space = instruction.space;
        event.array = event.space == MemorySpace::global ? 0 : -1;
        event.active = guard ? active_ & guard(n) : active_;
        for (int lane = 0; lane < 32; ++lane) {
            if (((event.active >> static_cast<unsigned>(lane)) & 1U) != 0) {
                event.address[static_cast<std::size_t>(lane)] = address(n, lane);
                event.shared_address[static_cast<std::size_t>(lane)] = address(n, lane) % 4096;
            }
        }
        sink_.access(warp_, event);
    }
}

void ScriptedSource::run_block(const Dim3& block, WarpSink& sink) {
    ++blocks_run;
    for (int warp = 0; warp < warps_; ++warp) {
        WarpScript script(code_, sink, warp);
        script_(block, warp, script);
    }
}

LaunchContext launch_of(const Dim3& grid, int threads, int arrays) {
    LaunchContext launch;
    launch.kernel = "scripted";
    launch.grid = grid;
    launch.block = {threads, 1, 1};
    launch.resources.threads = threads;
    launch.resources.registers_per_thread = 32;
    launch.resources.registers_estimated = false;
    for (int i = 0; i < arrays; ++i) {
        launch.arrays.push_back({"arg" + std::to_string(i), 0, false, false});
    }
    return launch;
}
