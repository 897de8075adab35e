// The shell script that copies an image from its repository to the cache of a live system.
import { beginning, quoted } from './_cache-script.ts'

export interface Fetch {
  name: string
  repository: string
  type: string
}

/** `updateCache` is ogLive's; its output is long. */
export const fetchScript = ({ name, repository, type }: Fetch): string => `${beginning}
for tool in updateCache updateCache.sh; do command -v "$tool" >/dev/null 2>&1 && break; done
command -v "$tool" >/dev/null 2>&1 || end "this system has no updateCache"
output=$("$tool" ${quoted(repository)} ${quoted(`/${name}.img`)} ${quoted(type)} 2>&1)
code=$?
printf '%s\\n' "$output" | tail -n 20
[ "$code" -eq 0 ] || end "updateCache ended with exit code $code"
[ -s "$images/"${quoted(`${name}.img`)} ] || end "updateCache has not written "${quoted(`${name}.img`)}
end ok
`
