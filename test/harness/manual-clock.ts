// A clock that a test sets: nothing waits, what is due runs when the time has been moved on.
import type { Clock } from '../../host/system/clock.ts'

export interface TestClock extends Clock {
  /** Moves the time on, running what falls due in its order, each at its own time. */
  advance(milliseconds: number): Promise<void>
  /** The same, up to an instant. */
  advanceTo(instant: Date | string): Promise<void>
}

export function testClock(start: Date | string = '2026-03-02T08:00:00'): TestClock {
  let now = new Date(start).getTime()
  const timers = new Set<{ at: number; run: () => void }>()
  const due = (until: number) => [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
  const clock: TestClock = {
    now: () => now,
    after(milliseconds, run) {
      const timer = { at: now + Math.max(0, milliseconds), run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async advance(milliseconds) {
      const until = now + milliseconds
      for (let next = due(until); next; next = due(until)) {
        timers.delete(next)
        now = Math.max(now, next.at)
        next.run()
        // What it began has its turn before later timers.
        await new Promise(setImmediate)
      }
      now = until
      await new Promise(setImmediate)
    },
    advanceTo: instant => clock.advance(new Date(instant).getTime() - now),
  }
  return clock
}
