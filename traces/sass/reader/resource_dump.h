// What the compiler reserved for a kernel and how its parameters lie, from what `cuobjdump -elf` prints:
//     58  11d00   200  0  4   NOBITS   3  0  45 .nv.shared.softmax        in the table of sections: bytes,
//     hex .nv.info
//         Attribute:	EIATTR_REGCOUNT
//         Value:	function: softmax(0x4a)	register count: 31
//         Attribute:	EIATTR_FRAME_SIZE
//         Value:	function: softmax(0x4a)	frame size: 0x0
//     .nv.info.softmax
//         Attribute:	EIATTR_KPARAM_INFO
//         Value:	Index : 0x0	Ordinal : 0x2	Offset  : 0x10	Size    : 0x4
//         Attribute:	EIATTR_CTA_PER_CLUSTER
//         Value:	0x2 0x1 0x1
// Other lines are skipped, and so are such lines with other contents: what is not found is not known.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "traces/sass/sass_module.h"

namespace gpumodel {

class ResourceDumps {
public:
    // Takes a line outside of functions, trimmed, of the image-th one of an architecture.
    void read_line(std::string_view line, const std::string& arch, int image);
    void assign(SassFunction& function, int image) const;

private:
    void read_value(std::string_view line, SassResources* of_section, const std::string& arch, int image);
    void read_section_size(std::string_view line, const std::string& arch, int image);
    SassResources& of(std::string_view function, const std::string& arch, int image);

    std::map<std::string, SassResources> list_;  // by architecture, image and function
    std::string section_;                        // function of the .nv.info section; "" = of the module
    bool in_info_ = false;
    std::string attribute_;
};

}  // namespace gpumodel
