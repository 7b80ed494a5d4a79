# One static binary, no shell, no root: make image, or docker build -t sluice .
FROM --platform=$BUILDPLATFORM golang:1.26.8-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=devel REVISION TARGETOS TARGETARCH
# The binary of make release, byte for byte.
RUN GOOS=$TARGETOS GOARCH=$TARGETARCH make build BINARY=/image/sluice VERSION="$VERSION" REVISION="$REVISION"
# Certificates for https, a place for what is too large for memory, and the licences.
RUN mkdir -p /image/etc/ssl/certs /image/tmp /image/licenses \
 && cp /etc/ssl/certs/ca-certificates.crt /image/etc/ssl/certs/ \
 && chmod 1777 /image/tmp \
 && cp LICENSE /image/licenses/ \
 && make -s licences > /image/licenses/THIRD_PARTY

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
