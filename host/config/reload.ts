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
  /^(agents|limits|deadlines)\.|^rest\.(api_token|names|proxies)$/.test(key) && !readAtStart.includes(key)

/** Copies the reloadable options into `current`, which all departments share. */
export function applyOptions(current: Options, next: Options): ReloadResult {
  const before = flatten(current)
  const after = flatten(next)
  const keys = [...new Set([...before.keys(), ...after.keys()])]
  const changed = keys.filter(key => before.get(key) !== after.get(key)).sort()
  current.rest.api_token = next.rest.api_token
  current.rest.names = next.rest.names
  current.rest.proxies = next.rest.proxies
  const { ip, port } = current.agents
  Object.assign(current.agents, next.agents, { ip, port })
  const { request, hang_seconds } = current.limits
  Object.assign(current.limits, next.limits, { request, hang_seconds })
  for (const name of Object.keys(current.deadlines)) delete current.deadlines[name]
  Object.assign(current.deadlines, next.deadlines)
  return {
    applied: changed.filter(isReloadable),
    restartRequired: changed.filter(key => !isReloadable(key)),
  }
}

/** Maps each key, as `limits.request`, to its value as JSON. */
function flatten(options: Options): Map<string, string> {
  const pairs = Object.entries(options).flatMap(([section, value]): [string, string][] =>
    Array.isArray(value)
      ? [[section, JSON.stringify(value)]]
      : Object.entries(value).map(([key, option]) => [`${section}.${key}`, JSON.stringify(option)]),
  )
  return new Map(pairs)
}
