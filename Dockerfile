# An image with `muster` and nothing else: no shell, no package manager, a user without rights. `make dist` makes the programs; then
#
#   docker build --tag muster target/dist/image
#   docker run --rm --volume "$PWD:/work" --user "$(id -u):$(id -g)" muster schemes
#
# The folder has amd64/muster and arm64/muster, and docker takes the one of the platform that it builds for.
FROM gcr.io/distroless/static-debian12:nonroot
ARG TARGETARCH
COPY --chmod=0555 ${TARGETARCH}/muster /usr/local/bin/muster
# Files of the caller, and the cache of SRS among them.
WORKDIR /work
ENV MUSTER_PARAMS=/work/params/srs
USER nonroot:nonroot
ENTRYPOINT ["/usr/local/bin/muster"]
CMD ["--help"]
