// Jobs that run every few seconds share one tick.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { everySeconds } from '../../host/system/periodic-jobs.ts'

const test = suite('periodic jobs')
// The timers of the jobs do not keep this process running.
let hold: NodeJS.Timeout
test.before(() => {
  hold = setInterval(() => {}, 1000)
})
test.after(() => clearInterval(hold))

test('a job for every second and one for every two seconds run in the same tick of the event loop', async () => {
  const ticks: string[][] = []
  let tick: string[] = []
  const note = (name: string) => {
    if (tick.length === 0) {
      ticks.push(tick)
      setImmediate(() => {
        tick = []
      })
    }
    tick.push(name)
  }
  const stopFirst = everySeconds(1, () => note('1 s'))
  await new Promise<void>(resolve => {
    const stopSecond = everySeconds(2, () => {
      note('2 s')
      stopSecond()
      resolve()
    })
  })
  stopFirst()
  equal(ticks.at(-1), ['1 s', '2 s'])
})

test('a job that throws does not keep the others from running, and its error is an uncaught exception', async () => {
  const caught = new Promise<unknown>(resolve => process.once('uncaughtException', resolve))
  const error = new Error('of a job')
  const stopThrowing = everySeconds(1, () => {
    stopThrowing()
    throw error
  })
  await new Promise<void>(resolve => {
    const stop = everySeconds(1, () => {
      stop()
      resolve()
    })
  })
  is(await caught, error)
})

test('a job for a part of a second has a timer of its own, and does not run after it was stopped', async () => {
  let calls = 0
  await new Promise<void>(resolve => {
    const stop = everySeconds(0.02, () => {
      calls += 1
      stop()
      setTimeout(resolve, 100)
    })
  })
  is(calls, 1)
})

test.run()
