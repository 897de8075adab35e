// Logs connections that replace the older one of their address: two lines a minute at most for each address.

import type { Log } from '../../log/log.ts'
import type { Events } from '../../system/events.ts'
import { Counts } from '../../system/throttle.ts'

export interface ReplacementDeps {
  log: Log
  events: Events
  /** The time in milliseconds; tests set it. */
  now?: () => number
}

/** Replacements within a minute that no restart of a computer or its agent causes. */
const flapping = 3

export function logReplacements({ log, events, now }: ReplacementDeps): void {
  const replacements = new Counts({ now })
  events.on(
    event => {
      if (event.type !== 'client-replaced') return
      const { addr } = event
      const count = replacements.add(addr)
      if (count === 1) log.info(`agent ${addr}`, 'connected again, older connection closed')
      if (count !== flapping) return
      const problem = `flapping: ${count} connections replaced within a minute`
      log.warn(`agent ${addr}`, `${problem}; do two programs or computers use this address?`)
    },
    ['client-replaced'],
  )
}
