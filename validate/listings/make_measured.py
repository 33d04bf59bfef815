#!/usr/bin/env python3
"""Prints the CUDA source of every kernel that a file of times holds and that leaves its loops to the compiler:

  make_measured.py validate/data/h200_sxm_times.csv > measured.cu
  nvcc -std=c++17 -arch=sm_90 -I REPOSITORY -cubin -diag-suppress 20168 -o measured.cubin measured.cu    (CUDA 13.0)

then as make_listings.sh does with instances.cu: the two ELF fields set back, cuobjdump -sass of CUDA 11.8, gzip -9n.
"""
import csv
import os
import sys

SIMPLE = {"ab_simple", "ab_coalesced", "ab_shared", "aat_simple", "aat_coalesced", "aat_padded", "transpose_naive",
          "transpose_shared", "transpose_padded"}
here = os.path.dirname(os.path.abspath(__file__))
instances = open(os.path.join(here, "instances.cu")).read()
head = instances[:instances.index("GEMM(naive, 0)")].replace("../kernels", "validate/kernels")
guides = instances[instances.index("AB(ab_simple)"):instances.index("// BM, BN, BK, TM, UNROLL")]
kernels = {}
for row in csv.DictReader(line for line in open(sys.argv[1]) if not line.startswith("#")):
    params = dict(p.split("=") for p in row["params"].split(";") if p)
    if params.get("UNROLL") == "0" and row["family"] not in SIMPLE:
        kernels[f"GEMM({row['family']}, {', '.join(params.values())})"] = None
print(head + guides + "\n".join(kernels) + "\n\n}  // namespace gpumodel::kernels")
