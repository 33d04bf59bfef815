// The kernel's parameters as given with --args, laid out as C lays out a parameter list.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traces/emulate/data/given_data.h"
#include "traces/emulate/data/tensor_map.h"
#include "traces/emulate/textures/texture.h"

namespace gpumodel {

struct KernelArgument {
    enum class Type : unsigned char {
        int32,
        int64,
        float32,
        float64,
        pointer,
        texture,
        tensor_map,
        map_pointer  // to a tensor map in device memory
    };
    std::string name;  // "arg0" unless documented by `name=`
    Type type = Type::int32;
    std::int64_t integer = 0;
    double number = 0;
    std::int64_t allocation_bytes = 0;       // pointers and textures; 0 = size not given
    std::shared_ptr<const GivenData> data;   // what the allocation holds; nullptr = not given
    std::shared_ptr<const Texture> texture;  // of textures and surfaces
    std::shared_ptr<const TensorMap> tensor_map;
    std::optional<std::int64_t> address;       // of the allocation in device memory; none: not known
    std::int64_t begins_at = 0;                // pointers: bytes from the start of the allocation
    std::optional<std::size_t> allocation_of;  // pointers, maps: into the allocation of this earlier argument
    std::int64_t offset = 0;                   // in the parameter space
    // Device memory that the code uses without its being a parameter (module_variables.h) has none.
    enum class Origin : unsigned char { parameter, variable, grid_barrier };
    Origin origin = Origin::parameter;

    // Has device memory of its own.
    [[nodiscard]] bool is_allocation() const {
        return ((type == Type::pointer || tensor_map != nullptr) && !allocation_of) || type == Type::texture;
    }
    // 4 or 8, of a tensor map 128; parameters are aligned to their size.
    [[nodiscard]] std::int64_t bytes() const;
};

struct KernelArguments {
    std::vector<KernelArgument> list;
    std::int64_t bytes = 0;  // of the parameter space, without padding behind the last parameter
};

// "4096,0.5f,ptr:64MiB,n=4096L": a 32-bit integer (decimal or 0x..., signed or unsigned), a 64-bit one with
// L, a float with f, a double (needs a point or an exponent), `ptr` or `ptr:SIZE` (SIZE in B, kB, KiB, MiB,
// ...) an allocation of its own, `ptr:SIZE=CONTENTS` or `@FILE` one that holds something (given_data.h), to
// the end of the allocation or of the file; tex(FORMAT,SHAPE,...) and surf(...) a texture and a surface
// object (texture.h); tmap(PTR, ...) a tensor map (tensor_map.h) of an allocation of its own or of an earlier
// pointer's, which it names; ptr=tmap(PTR, ...) the address of such a map in device memory. `name=` documents
// and must be unique; commas separate outside of parentheses, also in file names. Empty text is a kernel
// without parameters. Throws InputError (usage) with all faults at once.
[[nodiscard]] KernelArguments parse_arguments(std::string_view text);

}  // namespace gpumodel
