#!/usr/bin/env python3
"""summarise.py deal.csv[.gz] > summary.csv: one row per launch of block_deal.cu's rows.

Of the first wave, over SMs that hold all their `resident` blocks from the start: `wave_us`, the mean time to a block's end;
`ends_pct`, how far from that mean the first, second ... of an SM's blocks ends, in per cent, mean over SMs; `sm_std_pct`,
the standard deviation of an SM's mean end over SMs. `blocks_of_sms`: so many SMs got so many blocks, of the whole launch.
"""
import collections
import csv
import gzip
import statistics
import sys

path = sys.argv[1]
launches = collections.OrderedDict()
with (gzip.open if path.endswith(".gz") else open)(path, "rt") as rows:
    for row in csv.DictReader(rows):
        key = tuple(row[name] for name in ("family", "arguments", "M", "N", "K", "resident", "us"))
        launches.setdefault(key, []).append((int(row["sm"]), int(row["begin_ns"]), int(row["end_ns"])))
print("family,arguments,M,N,K,resident,us,blocks,wave_us,ends_pct,sm_std_pct,busiest,blocks_of_sms")
for key, blocks in launches.items():
    resident = int(key[5])
    by_sm = collections.defaultdict(list)
    for block in blocks:
        by_sm[block[0]].append(block)
    counts = collections.Counter(len(of_sm) for of_sm in by_sm.values())
    first = [sorted(end for _, _, end in sorted(of_sm, key=lambda b: b[1])[:resident]) for of_sm in by_sm.values()]
    first = [ends for ends in first if len(ends) == resident]
    wave = ends = spread = ""
    if first:
        mean = statistics.mean(statistics.mean(of_sm) for of_sm in first)
        wave = f"{mean / 1e3:.1f}"
        ends = " ".join(f"{100 * (statistics.mean(of_sm[i] for of_sm in first) / mean - 1):.1f}" for i in range(resident))
        spread = f"{100 * statistics.pstdev([statistics.mean(of_sm) for of_sm in first]) / mean:.2f}"
    family, arguments, *rest = key
    print(",".join([family, '"' + arguments.replace(" ", "") + '"', *rest, str(len(blocks)), wave, ends, spread,
                    str(max(counts)), " ".join(f"{n}:{counts[n]}" for n in sorted(counts))]))
