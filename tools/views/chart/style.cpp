// Colours of categories: Okabe and Ito, "Color Universal Design" (2008), https://jfly.uni-koeln.de/color/,
// told apart with any common kind of colour blindness. Their black is the page's ink here.
#include <fmt/format.h>

#include "tools/views/chart/svg.h"

namespace gpumodel::chart {
namespace {

constexpr std::string_view light =
    "--paper:#fff;--ink:#1b1f24;--dim:#57606a;--grid:#dfe3e8;--axis:#8c959f;"
    "--c1:#0072b2;--c2:#e69f00;--c3:#009e73;--c4:#cc79a7;--c5:#56b4e9;--c6:#d55e00;--c7:#f0e442;--c8:#57606a;"
    "--mark:#d55e00;color-scheme:light";

constexpr std::string_view dark =
    "--paper:#15181d;--ink:#e6e9ed;--dim:#9aa4b0;--grid:#2e343c;--axis:#6b7580;"
    "--c1:#3d9bd4;--c2:#e69f00;--c3:#1fb58a;--c4:#d68fb8;--c5:#7cc6f0;--c6:#e8743b;--c7:#f0e442;--c8:#9aa4b0;"
    "--mark:#ff8b4d;color-scheme:dark";

constexpr std::string_view rules =
    ".chart{display:block;font:12px system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif}\n"
    ".chart text{fill:var(--ink)}\n"
    ".chart .dim{fill:var(--dim)}.chart .bold{font-weight:600}.chart .small{font-size:10px}"
    ".chart .mono{font-family:ui-monospace,'DejaVu Sans Mono',monospace}\n"
    ".chart .am{text-anchor:middle}.chart .ae{text-anchor:end}\n"
    ".chart .paper{fill:var(--paper)}.chart .open{fill:none;stroke-width:2;stroke-linejoin:round}\n"
    ".chart .grid{stroke:var(--grid);stroke-width:1}.chart .axis{stroke:var(--axis);stroke-width:1}\n"
    ".chart .dash{stroke-dasharray:4 3}.chart .track{fill:var(--grid);fill-opacity:.5}"
    ".chart .box{fill:var(--grid);fill-opacity:.45;stroke:var(--axis);stroke-width:1}"
    ".chart .wire{stroke-width:1;stroke-opacity:.65}.chart .faint{fill-opacity:.5}.chart "
    ".wash{fill-opacity:.15}\n"
    ".chart .mark{fill:var(--mark);stroke:var(--paper);stroke-width:1.5}"
    ".chart .markline{stroke:var(--mark);stroke-width:1.5}.chart "
    "text.marktext{fill:var(--mark);paint-order:stroke;stroke:var(--paper);stroke-width:4px}\n"
    ".chart .joined{stroke:var(--ink);stroke-width:2;stroke-opacity:.6}.chart text.halo{paint-order:stroke;"
    "stroke:var(--paper);stroke-width:4px}\n"
    ".chart .frame{fill:none;stroke:var(--ink);stroke-width:2}\n";

std::string categories() {
    std::string css;
    for (const char n : std::string_view("12345678")) {
        css += fmt::format(".chart .c{0}{{fill:var(--c{0})}}.chart .s{0}{{stroke:var(--c{0})}}\n", n);
    }
    return css;
}

}  // namespace

std::string chart_style() {
    const std::string bright(light);
    const std::string dim(dark);
    return "\n:root{" + bright + "}\n@media screen and (prefers-color-scheme:dark){:root{" + dim + "}}\n" +
           "@media screen{:root[data-theme=light]{" + bright + "}\n:root[data-theme=dark]{" + dim + "}}\n" +
           std::string(rules) + categories();
}

}  // namespace gpumodel::chart
