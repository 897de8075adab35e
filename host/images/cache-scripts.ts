// The shell scripts that read and change the image cache of a live system, and how their output is understood.
import type { CachesService } from '../contract/services.ts'

/** The last line of each script: without it the script was not run to its end. */
const marker = 'fleet-cache: '

/**
 * The layout of ogLive: the cache is mounted at `$OGCAC`, and has the images below the path that they have in the
 * repository, `$OGIMG`. The script must run with any POSIX shell.
 */
const beginning = `
OPENGNSYS=\${OPENGNSYS:-/opt/opengnsys}
[ -r "$OPENGNSYS/etc/preinit/loadenviron.sh" ] && . "$OPENGNSYS/etc/preinit/loadenviron.sh" >/dev/null 2>&1
PATH="$PATH:$OPENGNSYS/bin:$OPENGNSYS/scripts"
end() { echo "${marker}$1"; exit 0; }
command -v ogMountCache >/dev/null 2>&1 && ogMountCache >/dev/null 2>&1
cache="\${OGCAC:-$OPENGNSYS/cache}"
images="$cache\${OGIMG:-/opt/opengnsys/images}"
[ -d "$cache" ] || end "this system has no image cache at $cache"
`.trimStart()

export const caches: CachesService = {
  listScript: `${beginning}
df -Pk "$cache" | awk 'NR == 2 { print $4 " of " $2 " KiB free" }'
for file in "$images"/*.img; do
  [ -f "$file" ] || continue
  name="\${file##*/}"
  echo "$(stat -c %s "$file") \${name%.img}"
done
end ok
`,

  deleteScript: names => `${beginning}
for name in ${names.map(quoted).join(' ')}; do
  file="$images/$name.img"
  [ -e "$file" ] || { echo "not in the cache: $name"; continue; }
  rm -f -- "$file" "$file.sum" "$file.full.sum" "$file.torrent" "$file.info" || end "$name cannot be deleted"
  echo "deleted: $name"
done
end ok
`,

  /** `updateCache` is ogLive's; its output is long. */
  fetchScript: ({ name, repository, type }) => `${beginning}
for tool in updateCache updateCache.sh; do command -v "$tool" >/dev/null 2>&1 && break; done
command -v "$tool" >/dev/null 2>&1 || end "this system has no updateCache"
output=$("$tool" ${quoted(repository)} ${quoted(`/${name}.img`)} ${quoted(type)} 2>&1)
code=$?
printf '%s\\n' "$output" | tail -n 20
[ "$code" -eq 0 ] || end "updateCache ended with exit code $code"
[ -s "$images/"${quoted(`${name}.img`)} ] || end "updateCache has not written "${quoted(`${name}.img`)}
end ok
`,

  readOutput({ out = '' }, client) {
    const lines = out.trimEnd().split('\n')
    const last = lines.at(-1) ?? ''
    if (!last.startsWith(marker)) {
      client.setOutput(out)
      return { result: 'failure', reason: 'the script was not run to its end' }
    }
    client.setOutput(lines.slice(0, -1).join('\n'))
    const reason = last.slice(marker.length)
    return reason === 'ok' ? undefined : { result: 'failure', reason }
  },
}

/** The schemas allow no quote; what an earlier version has stored may have one. */
const quoted = (text: string) => `'${text.replaceAll("'", '')}'`
