#!/usr/bin/env python3
"""power_constants.py ENERGY.csv PATTERNS.csv DOUBLE.csv: the `power:` section of a product's spec from what power.cu measured
(PATTERNS.csv: accesses by what lanes ask for, DOUBLE.csv: FP64 products; perhaps of other boards).

Each energy is that of one kind of load, less what its loop executes besides; products run below clock.sm, and
are taken to it by the exponent, which whole products at the power limit determine (rows `ws ...`, `tma ...`).
"""
import csv
import re
import sys


def read(path):
    lines = open(path).read().splitlines()
    rows = {(r["load"], r["values"]): r for r in csv.DictReader(x for x in lines if not x.startswith("#"))}
    return lines, rows


def accesses(path):
    """Of a byte that a lane reads or writes, in shared memory and through L1, less what the loop computes."""
    rows = read(path)[1]
    idle = float(rows["idle", ""]["watts_second_half"])
    bank_rate = 128 * 132 * 1e6  # B/s and MHz; more than that are reads that the assembler joined

    def per_lane(load, nbytes, values="random"):
        r = rows[load, values]
        rate = float(r["rate_second_half"])
        if load.startswith(("shared", "ldmatrix")):
            rate = min(rate, bank_rate * float(r["mhz_second_half"]))
        return 1e12 * (float(r["watts_second_half"]) - idle) / rate * nbytes

    integer = per_lane("index arithmetic", 1, "")
    random_bits = per_lane("add and xor", 1)

    def read_energy(load, nbytes):  # address, its mask, the access itself; the words into a sum
        words = nbytes // 4
        return (per_lane(load, nbytes) - 3 * integer - (words + 1) // 2 * random_bits) / nbytes

    shared = [read_energy("shared reads 16 B volatile", 16), read_energy("shared reads 16 B broadcast", 16),
              read_energy("shared reads 4 B", 4), read_energy("ldmatrix x4", 16),
              (per_lane("shared writes 16 B", 16) - 2 * integer) / 16]
    l1 = [read_energy("L1 reads 16 B", 16), read_energy("L1 reads 4 B", 4), read_energy("L1 reads 4 B broadcast", 4)]
    print("# shared", [round(x, 1) for x in shared], "l1", [round(x, 1) for x in l1], file=sys.stderr)
    return {"shared": sum(shared) / len(shared), "l1": sum(l1) / len(l1)}


def double_products(path, clock, exponent):
    """Of a FLOP, at the clock `clock`: the mean of two shapes."""
    rows = read(path)[1]
    idle = float(rows["idle", ""]["watts_second_half"])
    each = [1e12 * (float(r["watts_second_half"]) - idle) / float(r["rate_second_half"]) *
            (clock / float(r["mhz_second_half"])) ** exponent
            for (load, _), r in rows.items() if load.endswith("f64")]
    print("# f64_product", [round(x, 1) for x in each], file=sys.stderr)
    return sum(each) / len(each)


def main():
    path, patterns_path, double_path = sys.argv[1:4]
    clock = 1980.0
    lines, rows = read(path)
    limit = next(line for line in lines if line.startswith("# power limit")).split(":")[1].strip()

    def row(load, values="random"):
        return rows[load, values]

    idle = float(row("idle", "")["watts_second_half"])

    def per_unit(load, values="random"):  # pJ
        r = row(load, values)
        return 1e12 * (float(r["watts_second_half"]) - idle) / float(r["rate_second_half"])

    def at_clock_sm(load, exponent):
        return per_unit(load) * (clock / float(row(load)["mhz_second_half"])) ** exponent

    e = {"fp32": 2 * per_unit("outer products ffma"), "fp64": 2 * per_unit("dfma"), "fp16": 4 * per_unit("hfma2"),
         "integer": per_unit("index arithmetic", ""), "special": per_unit("ex2")}
    e.update(accesses(patterns_path))
    addition = per_unit("steady ffma") * 2
    integer = e["integer"]
    loads = per_unit("L2 reads 24 MiB 16 B") - e["l1"] - (4 * addition + 2 * integer) / 16
    copies = per_unit("tensor copies 24 MiB") - e["shared"]
    e["l2"] = (loads + copies) / 2
    e["dram"] = (per_unit("DRAM reads 2 GiB 16 B") - per_unit("L2 reads 24 MiB 16 B") +
                 per_unit("DRAM writes 2 GiB 16 B") - per_unit("L2 writes 16 MiB 16 B")) / 2

    def products(exponent):
        return {"f16_product": (at_clock_sm("mma.sync 16x8x16 f16", exponent) +
                                at_clock_sm("mma.sync 16x8x16 bf16", exponent)) / 2,
                "tf32_product": at_clock_sm("mma.sync 16x8x8 tf32", exponent),
                "int8_product": at_clock_sm("mma.sync 16x8x32 s8", exponent),
                "group_product": sum(at_clock_sm(f"wgmma 64x{n}x16 f16", exponent) for n in (256, 128, 64)) / 3}

    def whole(exponent):
        """Measured over predicted power above idle of whole products, by row."""
        group = products(exponent)["group_product"]
        for (load, values), r in rows.items():
            tile = re.match(r"(?:ws|tma) (\d+)x(\d+)x\d+ .* f16 (\d+)x(\d+)x(\d+)$", load)
            if not tile or values != "random" or float(r["watts_second_half"]) < 600:
                continue
            bm, bn = float(tile[1]), float(tile[2])
            scale = (float(r["mhz_second_half"]) / clock) ** exponent
            bytes_per_flop = 1 / bm + 1 / bn  # 2 M N K (1/BM + 1/BN) bytes for 2 M N K FLOP
            predicted = scale * (group + bytes_per_flop * e["shared"]) + bytes_per_flop * e["l2"]
            yield load, 1e12 * (float(r["watts_second_half"]) - idle) / float(r["rate_second_half"]) / predicted

    def misfit(exponent):
        ratios = [ratio for _, ratio in whole(exponent)]
        return abs(sum(ratios) / len(ratios) - 1)

    exponent = min((i / 100 for i in range(0, 201)), key=misfit)
    for load, ratio in whole(exponent):
        print(f"# {load}: {ratio:.3f} of the power above idle", file=sys.stderr)
    e.update(products(exponent))
    e["f64_product"] = double_products(double_path, clock, exponent)
    source = f'"microbenchmarks (validate/data/{path.split("/")[-1]}, validate/measure/power_constants.py)"'
    print(f"power:\n  limit: {limit}")
    print(f"  idle: {{value: {idle:.0f} W, source: {source}}}")
    print(f"  clock_exponent: {{value: {exponent:.2f}, source: {source}}}\n  energy:")
    for key, value in e.items():
        print(f"    {key}: {{value: {value:.3g} pJ, source: {source}}}")


main()
