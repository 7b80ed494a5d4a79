# One static binary, no shell, no root: make image, or docker build -t sluice .
FROM --platform=$BUILDPLATFORM golang:1.26.8-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=devel TARGETOS TARGETARCH
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -tags urfave_cli_no_docs -ldflags "-s -w -X sluice/cli.version=${VERSION}" -o /image/sluice .
# Certificates for https, and a place for what is too large for memory.
RUN mkdir -p /image/etc/ssl/certs /image/tmp \
 && cp /etc/ssl/certs/ca-certificates.crt /image/etc/ssl/certs/ \
 && chmod 1777 /image/tmp

FROM scratch
ARG VERSION=devel REVISION
LABEL org.opencontainers.image.title="sluice" \
      org.opencontainers.image.description="Drains paged HTTP APIs into pipes, files and buckets" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
COPY --from=build /image/ /
USER 65532:65532
ENTRYPOINT ["/sluice"]
