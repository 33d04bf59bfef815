#!/usr/bin/env python3
"""Writes listing_counts.csv: warp instructions per K tile of the main loop, from cuobjdump -sass listings of
validate/kernels (UNROLL = 0).

Usage: listing_counts.py LISTING... > listing_counts.csv     (one listing per target)

A tile's count is what stands in the tile loop outside its k loops plus, times their trips, what stands
inside; trips follow from the FFMA count that the tile arithmetic demands. Kernels whose accumulators are in
local memory are left out, and so are tiles that the families' rules reject. "other" is everything that is
not counted in a column of its own: addresses, moves, branches."""
import collections
import re
import sys

PARAMS = {
    "smem": ["BS"],
    "blocktile1d": ["BM", "BN", "BK", "TM"],
    "blocktile2d": ["BM", "BN", "BK", "TM", "TN"],
    "vectorized": ["BM", "BN", "BK", "TM", "TN"],
    "bank_linearize": ["BM", "BN", "BK", "TM", "TN"],
    "bank_extracol": ["BM", "BN", "BK", "TM", "TN"],
    "autotuned": ["BM", "BN", "BK", "TM", "TN"],
    "warptile": ["BM", "BN", "BK", "WM", "WN", "WNITER", "TM", "TN", "THREADS"],
}
PARAMS["doublebuffer"] = PARAMS["warptile"]
COLUMNS = ["ffma", "lds32", "lds64", "lds128", "sts32", "sts128", "ldg", "barrier", "other"]


def functions(path):
    name, found = None, {}
    for line in open(path):
        if match := re.search(r"Function : (\S+)", line):
            name = match.group(1)
            found[name] = []
        elif name and (match := re.match(r"\s+/\*([0-9a-f]{4,})\*/\s+(?:@!?\S+\s+)?(\S+)\s*([^;]*);", line)):
            found[name].append((int(match.group(1), 16), match.group(2), match.group(3)))
    return found


def column(op):
    parts = op.split(".")
    width = "128" if "128" in parts else "64" if "64" in parts else "32"
    if parts[0] in ("LDS", "STS"):
        return parts[0].lower() + width
    return {"FFMA": "ffma", "LDG": "ldg", "LD": "ldg", "BAR": "barrier", "NOP": "nop", "LDL": "local",
            "STL": "local"}.get(parts[0], "other")


def backward_branches(code):
    for address, op, operands in code:
        if op.startswith("BRA") and (match := re.search(r"0x([0-9a-f]+)", operands)):
            if int(match.group(1), 16) < address:
                yield int(match.group(1), 16), address


def tile_counts(code, demanded):
    loops = sorted(backward_branches(code), key=lambda loop: loop[1] - loop[0])
    begin, end = loops[-1]
    inner = [loop for loop in loops[:-1] if begin <= loop[0] and loop[1] <= end]
    outside, inside = collections.Counter(), collections.Counter()
    for address, op, _ in code:
        if begin <= address <= end:
            in_k_loop = any(low <= address <= high for low, high in inner)
            (inside if in_k_loop else outside)[column(op)] += 1
    trips = (demanded - outside["ffma"]) / inside["ffma"] if inside["ffma"] else 0
    if trips != int(trips) or outside["local"] or inside["local"]:
        return None
    return {key: outside[key] + int(trips) * inside[key] for key in COLUMNS}


def allowed(family, p):
    if family not in ("warptile", "doublebuffer", "autotuned"):
        return True
    return p["BM"] % (16 * p["TM"]) == 0 and p["BN"] % (16 * p["TN"]) == 0 and p["TN"] % 4 == 0


def products_per_tile(family, p):
    if family == "smem":
        return p["BS"]
    threads = p.get("THREADS") or (256 if family == "autotuned" else p["BM"] * p["BN"] // (p["TM"] * p.get("TN", 1)))
    return p["BM"] * p["BN"] * p["BK"] // threads


def main():
    print("family,params,sm," + ",".join(COLUMNS))
    rows = set()
    for path in sys.argv[1:]:
        sm = re.search(r"(\d\d)\.sass$", path).group(1)
        for name, code in functions(path).items():
            match = re.search(r"kernels\d+([a-z0-9_]+?)I((?:Li\d+E)+)E", name)
            if not match or match.group(1) not in PARAMS:
                continue
            family = match.group(1)
            values = [int(v) for v in re.findall(r"Li(\d+)E", match.group(2))]
            if values.pop() != 0:
                continue
            p = dict(zip(PARAMS[family], values))
            if not allowed(family, p):
                continue
            counts = tile_counts(code, products_per_tile(family, p))
            if counts:
                params = ";".join(f"{k}={v}" for k, v in p.items())
                rows.add(f"{family},{params},{sm}," + ",".join(str(counts[c]) for c in COLUMNS))
    print("\n".join(sorted(rows)))


if __name__ == "__main__":
    main()
