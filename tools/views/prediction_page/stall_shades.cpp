#include "tools/views/prediction_page/stall_shades.h"

#include "base/enum_table.h"

namespace gpumodel::cli::page {

Shade shade_of(StallReason reason) {
    static constexpr auto shades = enum_table<StallReason, Shade>(Shade{3, false},  // selected
                                                                  Shade{5, false},  // not_selected
                                                                  Shade{7, false},  // wait
                                                                  Shade{8, true},   // branch_resolving
                                                                  Shade{4, false},  // barrier
                                                                  Shade{2, false},  // short_scoreboard
                                                                  Shade{6, false},  // long_scoreboard
                                                                  Shade{1, false},  // math_pipe_throttle
                                                                  Shade{8, false},  // mio_throttle
                                                                  Shade{6, true},   // lg_throttle
                                                                  Shade{1, true},   // dispatch_stall
                                                                  Shade{4, true},   // no_instruction
                                                                  Shade{2, true});  // drain
    return shades.at(static_cast<std::size_t>(reason));
}

}  // namespace gpumodel::cli::page
