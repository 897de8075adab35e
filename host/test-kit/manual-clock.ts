// A clock that a test advances: timers run at once when their time has come.
import type { Clock } from '../system/clock.ts'

export interface ManualClock extends Clock {
  /** Advances the time and runs the timers that become due, in their order, each at its own time. */
  advance(milliseconds: number): Promise<void>
  advanceTo(instant: Date | string): Promise<void>
  /** When the next timer is due; undefined without one. */
  nextDue(): number | undefined
  /** Sets the clock forward, as an administrator does: the timers wait as long as they would have. */
  setForward(milliseconds: number): void
}

export function createManualClock(start: Date | string = '2026-03-02T08:00:00'): ManualClock {
  let now = new Date(start).getTime()
  const timers = new Set<{ time: number; run: () => void }>()
  const firstDue = (until: number) => [...timers].filter(({ time }) => time <= until).sort((a, b) => a.time - b.time)[0]
  const clock: ManualClock = {
    now: () => now,
    after(milliseconds, run) {
      const timer = { time: now + Math.max(0, milliseconds), run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async advance(milliseconds) {
      const until = now + milliseconds
      for (let timer = firstDue(until); timer; timer = firstDue(until)) {
        timers.delete(timer)
        now = Math.max(now, timer.time)
        timer.run()
        // What the timer started runs before later timers.
        await new Promise(setImmediate)
      }
      now = until
      await new Promise(setImmediate)
    },
    advanceTo: instant => clock.advance(new Date(instant).getTime() - now),
    nextDue: () => firstDue(Number.POSITIVE_INFINITY)?.time,
    setForward(milliseconds) {
      now += milliseconds
      for (const timer of timers) timer.time += milliseconds
    },
  }
  return clock
}
