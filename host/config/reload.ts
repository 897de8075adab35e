// Applies changed options on SIGHUP: some take effect at once, the others after a restart.
import type { Options } from './options.ts'

export interface ReloadResult {
  /** Keys whose new value is in use now. */
  applied: string[]
  /** Keys whose new value needs a restart. */
  restartRequired: string[]
}

/** Of sections that the daemon reads at each use, what it reads at the start. */
const readAtStart = ['agents.ip', 'agents.port', 'limits.request', 'limits.hang_seconds']

const isReloadable = (key: string): boolean =>
  /^(agents|limits|deadlines|history)\.|^rest\.(api_token|names|proxies)$/.test(key) && !readAtStart.includes(key)

/** Copies the reloadable options into `current`, which all departments share. */
export function applyOptions(current: Options, next: Options): ReloadResult {
  const before = flatten(current)
  const after = flatten(next)
  const keys = [...new Set([...before.keys(), ...after.keys()])]
  const isChanged = (key: string) => JSON.stringify(before.get(key)) !== JSON.stringify(after.get(key))
  const changed = keys.filter(isChanged).sort()
  const applied = changed.filter(isReloadable)
  for (const key of applied) {
    const [, section = '', name = ''] = /^(\w+)\.(.*)$/.exec(key) ?? []
    const options: object = Reflect.get(current, section)
    if (after.get(key) === undefined) Reflect.deleteProperty(options, name)
    else Reflect.set(options, name, after.get(key))
  }
  return { applied, restartRequired: changed.filter(key => !isReloadable(key)) }
}

/** The values by their keys, as `limits.request`. */
function flatten(options: Options): Map<string, unknown> {
  const pairs = Object.entries(options).flatMap(([section, value]): [string, unknown][] =>
    Array.isArray(value) || typeof value !== 'object'
      ? [[section, value]]
      : Object.entries(value).map(([key, each]) => [`${section}.${key}`, each]),
  )
  return new Map(pairs)
}
