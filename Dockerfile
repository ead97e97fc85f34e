# The gate as a container: one static binary, certificates for the GitHub API,
# an empty /tmp, and nothing else. The same image is the GitHub action (whose
# action.yml passes "gate") and the command line in any other CI:
#
#   docker run --rm --volume "$PWD:/repo" --workdir /repo IMAGE verify docs/evals/x.md

# The only image this build starts from.
ARG GO_IMAGE=golang:1.26.8-bookworm

FROM ${GO_IMAGE} AS build
WORKDIR /src

# Modules are a layer of their own: a change of the code doesn't fetch them again.
COPY go.mod go.sum ./
RUN go mod download

COPY . .
ARG VERSION=
ARG COMMIT=
ARG DATE=
RUN cli=github.com/replay-gate/replay-gate/internal/cli \
    && CGO_ENABLED=0 go build -trimpath -buildvcs=false \
        -ldflags "-s -w -X $cli.version=${VERSION} -X $cli.commit=${COMMIT} -X $cli.date=${DATE}" \
        -o /out/replay-gate . \
    && install -D -m 0644 /etc/ssl/certs/ca-certificates.crt /out/etc/ssl/certs/ca-certificates.crt \
    && install -d -m 1777 /out/tmp

FROM scratch
LABEL org.opencontainers.image.title="Replay Gate" \
      org.opencontainers.image.description="Checks recorded eval evidence in a pull request, field by field" \
      org.opencontainers.image.source="https://github.com/replay-gate/replay-gate" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /out/ /
# No USER and no WORKDIR: a container action must run as root, in the folder that
# the runner mounts.
ENTRYPOINT ["/replay-gate"]
