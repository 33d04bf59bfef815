// Which fields of a KernelProgram the native trace file holds, and what is allowed in them (FORMAT.md).
// `Fields` is a FieldWriter or a FieldReader.
#pragma once

#include "base/enum_table.h"
#include "traces/kernel_program.h"
#include "traces/trace/native/access_table.h"
#include "traces/trace/native/fields.h"
#include "traces/trace/trace_file.h"

namespace gpumodel {

// CUDA programming guide, technical specifications per compute capability.
inline constexpr std::int64_t max_grid_x = INT32_MAX;
inline constexpr std::int64_t max_grid_yz = 65535;
inline constexpr std::int64_t max_block_threads = 1024;
// In all segments of a file; ours have a thousand times fewer.
inline constexpr std::uint64_t max_trace_instructions = std::uint64_t{1} << 22;
inline constexpr std::int64_t max_bytes = std::int64_t{1} << 48;  // GPU virtual addresses have fewer bits
inline constexpr std::int64_t max_trips = std::int64_t{1} << 40;
inline constexpr std::int64_t max_words = 1 << 16;  // of a site, per thread
inline constexpr std::int64_t last_register = 255;  // RZ is left out, so 254; uniform registers are fewer
inline constexpr std::int64_t max_site = 1 << 20;

inline constexpr auto register_kind_words =
    enum_words<RegisterKind>("none", "vector", "predicate", "uniform", "uniform_predicate", "condition_code");
inline constexpr auto site_role_words =
    enum_words<SiteRole>("stage_load", "stage_store", "fragment_a", "fragment_b", "result_read",
                         "result_write", "copy_load", "copy_store", "none");
inline constexpr auto copy_unit_words = enum_words<CopyUnit>("none", "bulk", "tensor");

template <class Fields, class T>
void dim_fields(Fields& f, T& dim, const Dim3& low, const Dim3& high) {
    f.whole("x", dim.x, low.x, high.x);
    f.whole("y", dim.y, low.y, high.y);
    f.whole("z", dim.z, low.z, high.z);
}

inline constexpr auto array_fields = [](auto& f, auto& array) {
    f.text("name", array.name);
    f.whole("bytes", array.bytes, 0, max_bytes);
    f.flag("read", array.read);
    f.flag("written", array.written);
};

inline constexpr auto resource_fields = [](auto& f, auto& use) {
    f.whole("threads", use.threads, 0, max_block_threads);
    f.whole("registers_per_thread", use.registers_per_thread, 0, 4096);
    f.flag("registers_estimated", use.registers_estimated);
    f.text("registers_source", use.registers_source);
    f.whole("static_shared_bytes", use.static_shared_bytes, 0, INT32_MAX);
    f.whole("dynamic_shared_bytes", use.dynamic_shared_bytes, 0, INT32_MAX);
    f.whole("barriers", use.barriers, 0, 64);
};

inline constexpr auto skipped_fields = [](auto& f, auto& skipped) {
    f.text("mnemonic", skipped.mnemonic);
    f.whole("address", skipped.address, 0, UINT32_MAX);
    f.whole("places", skipped.places, 1, INT32_MAX);
    f.real("executed", skipped.executed);
};

inline constexpr auto unknown_data_fields = [](auto& f, auto& mark) {
    f.word("what", mark.what, unknown_data_names);
    f.whole("address", mark.address, 0, UINT32_MAX);
    f.text("instruction", mark.instruction);
};

// All but the mnemonics and the bodies.
inline constexpr auto launch_fields = [](auto& f, auto& trace) {
    auto& program = trace.program;
    f.text("arch", trace.arch);
    f.text("source", trace.source);
    f.text("kernel", program.kernel);
    f.text("params", program.params);
    f.whole("m", program.m, 0, max_bytes);
    f.whole("n", program.n, 0, max_bytes);
    f.whole("k", program.k, 0, max_bytes);
    f.object("grid", program.grid, [](auto& fields, auto& dim) {
        dim_fields(fields, dim, {1, 1, 1}, {max_grid_x, max_grid_yz, max_grid_yz});
    });
    f.object("block", program.block, [](auto& fields, auto& dim) {
        dim_fields(fields, dim, {1, 1, 1}, {max_block_threads, max_block_threads, max_block_threads});
    });
    f.object("resources", program.resources, resource_fields);
    f.list("arrays", program.arrays, array_fields);
    f.whole("accumulators", program.accumulators, 0, INT32_MAX);
    f.flag("c_is_read", program.c_is_read);
    f.real("flops", program.flops);
    f.real("effective_bytes", program.effective_bytes);
    f.texts("notes", program.notes);
    f.list("skipped", program.skipped, skipped_fields);
    f.list("unknown_data", program.unknown_data, unknown_data_fields);
    f.flag("data_decides", program.data_decides);
    f.flag("some_stand_for_all", program.some_stand_for_all);
};

inline constexpr auto register_fields = [](auto& f, auto& use) {
    f.word("kind", use.kind, register_kind_words);
    f.whole("index", use.index, -1, last_register, -1);
    f.whole("width", use.width, 0, 128, 1);
    f.whole("slot", use.slot, -1, 3, -1);
    f.flag("reuse", use.reuse);
};

inline constexpr auto control_fields = [](auto& f, auto& control) {
    f.flag("known", control.known);
    f.whole("stall", control.stall, 0, UINT8_MAX);
    f.flag("gives_way", control.gives_way);
    f.whole("write_barrier", control.write_barrier, -1, 7, -1);
    f.whole("read_barrier", control.read_barrier, -1, 7, -1);
    f.whole("wait_mask", control.wait_mask, 0, UINT8_MAX);
    f.flag("dual_issue", control.dual_issue);
    f.flag("texture_wait", control.texture_wait);
};

inline constexpr auto group_fields = [](auto& f, auto& group) {
    f.whole("columns", group.columns, 0, 256);
    f.flag("a_in_registers", group.a_in_registers);
    f.flag("ends_group", group.ends_group);
    f.whole("groups_left", group.groups_left, -1, 7, -1);
};

inline constexpr auto copy_wait_fields = [](auto& f, auto& instruction) {
    f.whole("first", instruction.copies_first, 1, INT32_MAX);
    f.whole("step", instruction.copies_step, 0, INT16_MAX);
    f.whole("ahead", instruction.copies_ahead, 0, INT16_MAX);
    f.flag("alone", instruction.copies_alone);
};

inline constexpr auto arrival_wait_fields = [](auto& f, auto& instruction) {
    f.flag("known", instruction.arrivals_known);
    f.whole("from", instruction.arrivals_from, 0, INT8_MAX);
    f.whole("first", instruction.arrivals_first, 0, INT16_MAX);
    f.whole("step", instruction.arrivals_step, 0, INT16_MAX);
    f.whole("lag", instruction.arrivals_lag, 0, INT16_MAX);
    f.whole("warps", instruction.arrivals_warps, 0, UINT32_MAX);
    f.whole("others_first", instruction.others_first, 0, INT16_MAX);
    f.whole("others_warps", instruction.others_warps, 0, UINT32_MAX);
};

inline constexpr auto copy_group_fields = [](auto& f, auto& instruction) {
    f.flag("ends", instruction.ends_copy_group);
    f.whole("left", instruction.copy_groups_left, -1, INT8_MAX, -1);
};

inline constexpr auto filter_fields = [](auto& f, auto& filter) {
    f.whole("passes", filter.passes, 0, 16);
    f.whole("planes", filter.planes, 1, 2, 1);
};

inline constexpr auto access_fields = [](auto& f, auto& instruction) {
    f.whole("bytes", instruction.access_bytes, 1, 16);
    f.word("kind", instruction.access_kind, access_kind_names);
    f.word("space", instruction.space, memory_space_names);
    f.word("texture", instruction.texture, texture_unit_names);
    f.object("filter", instruction.filter, filter_fields, instruction.filter != TextureFilter{});
    f.flag("matrix_rows", instruction.matrix_rows);
    f.whole("site", instruction.site, -1, max_site, -1);
    f.whole("word", instruction.word, 0, max_site);
    f.whole("bulk_bytes", instruction.bulk_bytes, 0, INT32_MAX);
    f.whole("bulk_apart", instruction.bulk_apart, 0, INT64_MAX, 512);
    f.flag("continues", instruction.continues);
    f.flag("retried", instruction.retried);
    f.whole("matched_values", instruction.matched_values, 1, 32, 1);
};

inline constexpr auto instruction_fields = [](auto& f, auto& instruction) {
    f.word("class", instruction.op, op_class_names);
    f.whole("mnemonic", instruction.mnemonic, 0, UINT16_MAX);
    f.whole("address", instruction.address, 0, UINT32_MAX);
    f.array("results", instruction.results, instruction.result_count, register_fields);
    f.array("sources", instruction.sources, instruction.source_count, register_fields);
    f.object("guard", instruction.guard, register_fields, instruction.guard.kind != RegisterKind::none);
    f.flag("guard_negated", instruction.guard_negated);
    f.object("control", instruction.control, control_fields, instruction.control != IssueControl{});
    f.object("group", instruction.group, group_fields, instruction.group != GroupProduct{});
    f.object("copies", instruction, copy_wait_fields, instruction.copies_first > 0);
    f.flag("arrives", instruction.arrives);
    f.object("arrivals", instruction, arrival_wait_fields, instruction.arrivals_known);
    f.object("copy_group", instruction, copy_group_fields,
             instruction.ends_copy_group || instruction.copy_groups_left >= 0);
    f.object("access", instruction, access_fields, instruction.access_bytes > 0);
};

// All but the nodes.
inline constexpr auto loop_fields = [](auto& f, auto& loop) {
    f.text("name", loop.name);
    f.whole("trips", loop.trips, 0, max_trips);
    f.whole("unroll", loop.unroll, 1, INT32_MAX, 1);
};

// All but the segments.
inline constexpr auto interval_fields = [](auto& f, auto& interval) {
    f.flag("barrier_after", interval.barrier_after);
    f.flag("warp_barrier_after", interval.warp_barrier_after);
};

inline constexpr auto dependency_fields = [](auto& f, auto& dependency) {
    f.real("serial_global_loads", dependency.serial_global_loads);
    f.real("serial_shared_loads", dependency.serial_shared_loads);
    f.real("ilp", dependency.ilp);
    f.real("prefetched_global_loads", dependency.prefetched_global_loads);
    f.real("trips_ahead", dependency.trips_ahead);
};

inline constexpr auto product_fields = [](auto& f, auto& product) {
    f.whole("r", product.r, 0, max_words);
    f.whole("s", product.s, 0, max_words);
    f.whole("steps", product.steps, 0, max_words);
    f.flag("a_along_k", product.a_along_k);
};

// All but code and sites.
inline constexpr auto segment_fields = [](auto& f, auto& segment, std::int64_t threads) {
    f.text("name", segment.name);
    f.whole("thread_begin", segment.thread_begin, 0, threads);
    f.whole("thread_end", segment.thread_end, 0, threads);
    f.counts("ops", segment.ops, op_class_names);
    f.counts("lane_ops", segment.lane_ops, op_class_names);
    f.real("shared_barrier_operations", segment.shared_barrier_operations);
    f.object("dependency", segment.dependency, dependency_fields);
    f.object("product", segment.product, product_fields);
};

// All but the functions.
inline constexpr auto site_fields = [](auto& f, auto& site) {
    f.text("name", site.name);
    f.text("array", site.array);
    f.word("space", site.space, memory_space_names);
    f.word("kind", site.kind, access_kind_names);
    f.word("role", site.role, site_role_words);
    f.whole("words", site.words, 1, max_words, 1);
    f.whole("vector_words", site.vector_words, 1, 4, 1);
    f.whole("sub_word_bytes", site.sub_word_bytes, 0, 2);
    f.whole("stage_id", site.stage_id, INT32_MIN, INT32_MAX);
    f.flag("read_only", site.read_only);
    f.word("texture", site.texture, texture_unit_names);
    f.object("filter", site.filter, filter_fields, site.filter != TextureFilter{});
    f.flag("matrix_rows", site.matrix_rows);
    f.flag("retried", site.retried);
    f.flag("past_l1", site.past_l1);
    f.word("copies", site.copies, copy_unit_words);
    f.flag("thread_private", site.thread_private);
};

}  // namespace gpumodel
