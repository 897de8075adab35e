// The programs by which scripts for the cache of images reach it in a live system: those of the family have them, too.

/** Where the cache is mounted. */
export const cacheFolder = '/opt/opengnsys/cache'

/** Without a cache the folder is not there. */
const mountCache = `#!/bin/sh
# Mounts the partition with the label CACHE.
mountpoint -q ${cacheFolder} && exit 0
device=$(findfs LABEL=CACHE) || exit 1
mkdir -p ${cacheFolder}
mount -t ext4 "$device" ${cacheFolder} || { rmdir ${cacheFolder}; exit 1; }
`

/** The agent names in the environment what the daemon has issued for the command. */
const updateCache = `#!/bin/sh
# Copies an image from the daemon into the cache: updateCache REPOSITORY /NAME.img PROTOCOL
set -eu
[ -n "\${FLEET_TRANSFER-}" ] || { echo "expected the repository of this server, got $1" >&2; exit 1; }
get() { curl --silent --show-error --fail-with-body --header "Authorization: $FLEET_TICKET" "$@"; }
about=$(get "$FLEET_TRANSFER/about") || { echo "$about" >&2; exit 1; }
md5=$(echo "$about" | sed -n 's/.*"md5":"\\([0-9a-f]*\\)".*/\\1/p')
[ -n "$md5" ] || { echo "expected a checksum of the image, got none" >&2; exit 1; }
images=${cacheFolder}/opt/opengnsys/images
mkdir -p "$images"
file=$images$2
if [ -f "$file" ] && [ "$(cat "$file.full.sum" 2> /dev/null)" = "$md5" ]; then
  echo "the cache has it"
  exit 0
fi
rm -f "$file" "$file.full.sum"
trap 'rm -f "$file.part"' EXIT
get --retry 5 --output "$file.part" "$FLEET_TRANSFER/image"
got=$(md5sum < "$file.part" | cut -c1-32)
[ "$got" = "$md5" ] || { echo "the image is damaged: expected MD5 $md5, got $got" >&2; exit 1; }
mv "$file.part" "$file"
echo "$md5" > "$file.full.sum"
`

/** By their paths in the live system. */
export const cachePrograms = {
  'opt/opengnsys/bin/ogMountCache': mountCache,
  'opt/opengnsys/bin/updateCache': updateCache,
}
