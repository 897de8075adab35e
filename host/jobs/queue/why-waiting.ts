// Why a queued part has not begun, in the words that it keeps when it expires.
import type { QueueDeps } from './queue-deps.ts'
import type { Wait } from './start-groups.ts'

const words: Record<Wait['for'], string> = {
  logout: 'somebody is logged in',
  slot: 'its repository has no free slot',
  batch: 'the batch has not come to it',
}

/** `wait`: of the start gate, which is asked for clients that are ready only; '' when nothing is known. */
export function whyWaiting(addr: string, wait: Wait['for'] | undefined, { fleet, wake }: QueueDeps): string {
  if (wait) return words[wait]
  if (fleet.has(addr)) return fleet.isReady(addr) ? '' : 'busy'
  const woken = wake.lastSent(addr)
  return woken === undefined ? 'off' : `off, woken ${minuteText(woken)}, did not connect`
}

/** Computers that were woken together have the same reason. */
const minuteText = (time: number) => new Date(time - (time % 60_000)).toISOString()
