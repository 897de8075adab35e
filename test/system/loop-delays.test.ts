// The delays of the event loop: what is recorded, and that measuring wakes no idle process.
import { readFileSync } from 'node:fs'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { suite } from 'uvu'
import { equal, ok } from 'uvu/assert'
import { LoopDelays } from '../../host/system/process/loop-delays.ts'

export const runs = { alone: true }

const delays = new LoopDelays()
const test = suite('delays of the event loop')
test.after(() => delays.stop())

function block(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

/** How often the main thread of this process has slept until something woke it. */
function wakeUps(): number {
  const status = readFileSync(`/proc/self/task/${process.pid}/status`, 'utf8')
  return Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(status)?.[1])
}

test('a turn of the event loop counts with the time for which it was busy', async () => {
  await nextTurn()
  delays.take()
  block(40)
  await nextTurn()
  const { min, max, mean, p99 } = delays.take()
  ok(max >= 0.04 && max < 5, `${max} s`)
  ok(p99 >= 0.04 && mean >= min && mean <= max)
})

test('time in which nothing happens is no delay', async () => {
  await nextTurn()
  delays.take()
  const began = process.cpuUsage()
  await wait(200)
  const { user, system } = process.cpuUsage(began)
  // Also what else this process has done meanwhile, such as collecting garbage.
  ok(delays.take().max <= (user + system) / 1e6 + 0.1)
})

test('many short turns do not hide a long one', async () => {
  await nextTurn()
  delays.take()
  const end = performance.now() + 200
  while (performance.now() < end) await nextTurn()
  block(50)
  await nextTurn()
  ok(delays.take().p99 >= 0.05)
})

test('each delay is taken once, and without one all values are 0', async () => {
  block(20)
  await nextTurn()
  ok(delays.take().max >= 0.02)
  equal(delays.take(), { min: 0, max: 0, mean: 0, stddev: 0, p50: 0, p90: 0, p99: 0 })
})

test('an idle process is neither woken nor kept busy', async () => {
  // A sample every 10 ms would be 50, an immediate that keeps the loop running half a second.
  const isQuiet = () => woken < 25 && busy < 250_000
  let [woken, busy] = [Number.POSITIVE_INFINITY, 0]
  // In the first seconds the threads of the loader for TypeScript wake this one.
  for (let tries = 0; tries < 20 && !isQuiet(); tries += 1) {
    const [before, began] = [wakeUps(), process.cpuUsage()]
    await wait(500)
    woken = wakeUps() - before
    busy = process.cpuUsage(began).user
  }
  ok(isQuiet(), `${woken} wake-ups, ${busy} µs`)
})

test.run()
