// The shell scripts that read and change the image cache of a live system.

/** The last line of each script: without it the script was not run to its end. */
export const marker = 'fleet-cache: '

/**
 * The layout of ogLive: the cache is mounted at `$OGCAC`, and has the images below the path that they have in the
 * repository, `$OGIMG`. The script must run with any POSIX shell.
 */
export const beginning = `
OPENGNSYS=\${OPENGNSYS:-/opt/opengnsys}
[ -r "$OPENGNSYS/etc/preinit/loadenviron.sh" ] && . "$OPENGNSYS/etc/preinit/loadenviron.sh" >/dev/null 2>&1
PATH="$PATH:$OPENGNSYS/bin:$OPENGNSYS/scripts"
end() { echo "${marker}$1"; exit 0; }
command -v ogMountCache >/dev/null 2>&1 && ogMountCache >/dev/null 2>&1
cache="\${OGCAC:-$OPENGNSYS/cache}"
images="$cache\${OGIMG:-/opt/opengnsys/images}"
[ -d "$cache" ] || end "this system has no image cache at $cache"
`.trimStart()

/** Prints the space of the cache, and bytes and name of each image. */
export const listScript = `${beginning}
df -Pk "$cache" | awk 'NR == 2 { print $4 " of " $2 " KiB free" }'
for file in "$images"/*.img; do
  [ -f "$file" ] || continue
  name="\${file##*/}"
  echo "$(stat -c %s "$file") \${name%.img}"
done
end ok
`

export const deleteScript = (names: readonly string[]): string => `${beginning}
for name in ${names.map(quoted).join(' ')}; do
  file="$images/$name.img"
  [ -e "$file" ] || { echo "not in the cache: $name"; continue; }
  rm -f -- "$file" "$file.sum" "$file.full.sum" "$file.torrent" "$file.info" || end "$name cannot be deleted"
  echo "deleted: $name"
done
end ok
`

/** The schemas allow no quote; what an earlier version has stored may have one. */
export const quoted = (text: string) => `'${text.replaceAll("'", '')}'`
