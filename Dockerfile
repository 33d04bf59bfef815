# gpumodel in a container, from Debian's packages alone:
#   docker build -t gpumodel . && docker run --rm gpumodel predict --arch v100_sxm2 --kernel warptile
FROM debian:bookworm-slim AS build
WORKDIR /gpumodel
COPY tools/setup.sh tools/
# dpkg-dev and file: for the package's list of libraries
RUN bash -c '. tools/setup.sh && ensure_packages "${build_packages[@]}" dpkg-dev file'
COPY . .
RUN cmake --preset release -DGPUMODEL_TESTS=OFF -DGPUMODEL_MPI=OFF \
    && cmake --build build/release --target package

FROM debian:bookworm-slim
COPY --from=build /gpumodel/build/release/gpumodel_*.deb /tmp/
RUN apt-get -q update && apt-get -q -y install --no-install-recommends /tmp/*.deb && rm -rf /tmp/*.deb /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["gpumodel"]
CMD ["--help"]
