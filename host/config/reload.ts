// Options read again while the daemon runs: some take effect at once, the others with the next start.
import type { Options } from './options.ts'

export interface Reloaded {
  /** Keys that have a new value now. */
  applied: string[]
  /** Keys whose new value waits for a restart. */
  waiting: string[]
}

// What is read when it is needed, and not once at the start.
const live = /^(deadlines\.|limits\.(response|forward|output|answer_seconds|expiry_seconds|jobs_days|jobs_count)$)/

/** Puts what can change live into `current`, which the whole daemon shares. */
export function applyOptions(current: Options, next: Options): Reloaded {
  const [before, after] = [flat(current), flat(next)]
  const keys = [...new Set([...before.keys(), ...after.keys()])]
  const changed = keys.filter(key => before.get(key) !== after.get(key)).sort()
  Object.assign(current.limits, next.limits, { request: current.limits.request })
  for (const name of Object.keys(current.deadlines)) delete current.deadlines[name]
  Object.assign(current.deadlines, next.deadlines)
  return { applied: changed.filter(key => live.test(key)), waiting: changed.filter(key => !live.test(key)) }
}

/** `limits.request` → its value as text, for every option. */
function flat(options: Options): Map<string, string> {
  const pairs = Object.entries(options).flatMap(([section, value]): [string, string][] =>
    Array.isArray(value)
      ? [[section, JSON.stringify(value)]]
      : Object.entries(value).map(([key, one]) => [`${section}.${key}`, JSON.stringify(one)]),
  )
  return new Map(pairs)
}
