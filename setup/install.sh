#!/usr/bin/env bash
# What setup/action.yml runs: it downloads the archive of VERSION from RELEASES, checks its sum, and puts the program on
# PATH. The other variables are those of a runner of GitHub. It runs in bash of Linux, macOS and Windows.
set -euo pipefail

version=${VERSION#v}
if [ -z "$version" ]; then
  version=$(awk -F '[][]' '/^## \[[0-9]/ { print $2; exit }' "$GITHUB_ACTION_PATH/../CHANGELOG.md")
fi
if [[ ! $version =~ ^[0-9A-Za-z.+-]+$ ]]; then
  echo "::error::'$version' is no version of sluice, such as 0.1.0"
  exit 1
fi

case "$RUNNER_OS/$RUNNER_ARCH" in
Linux/X64) platform=linux_amd64 ;;
Linux/ARM64) platform=linux_arm64 ;;
macOS/X64) platform=darwin_amd64 ;;
macOS/ARM64) platform=darwin_arm64 ;;
Windows/X64) platform=windows_amd64 ;;
Windows/ARM64) platform=windows_arm64 ;;
*)
  echo "::error::sluice has no release for $RUNNER_OS on $RUNNER_ARCH"
  exit 1
  ;;
esac
folder=sluice_${version}_$platform
archive=$folder.tar.gz
if [ "$RUNNER_OS" = Windows ]; then
  archive=$folder.zip
fi

# Names stay relative: the tar of Windows takes the colon of a drive for a host.
mkdir -p "$RUNNER_TEMP/sluice"
cd "$RUNNER_TEMP/sluice"
for name in SHA256SUMS "$archive"; do
  curl --fail --silent --show-error --location --retry 3 --output "$name" "$RELEASES/v$version/$name"
done

awk -v name="$archive" '$2 == name' SHA256SUMS >SUM
if [ ! -s SUM ]; then
  echo "::error::SHA256SUMS of $version lacks $archive"
  exit 1
fi
if command -v sha256sum >/dev/null; then
  sha256sum --check SUM
else
  shasum --algorithm 256 --check SUM
fi

case "$archive" in
*.zip) unzip -q -o "$archive" ;;
*) tar -xzf "$archive" ;;
esac
echo "$PWD/$folder" >>"$GITHUB_PATH"
echo "version=$version" >>"$GITHUB_OUTPUT"
