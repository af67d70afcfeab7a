# goldmem in a container: docker build -t goldmem . && docker run --rm goldmem run workload:spmv
FROM debian:12 AS build
COPY . /source
RUN cd /source && scripts/setup.sh run && make -s -j"$(nproc)" install PREFIX=/opt/goldmem

FROM debian:12-slim
RUN apt-get update -qq && apt-get install -y -qq --no-install-recommends libjansson4 liblzma5 libyaml-0-2 libzstd1 zlib1g && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/goldmem /usr/local
ENTRYPOINT ["goldmem"]
