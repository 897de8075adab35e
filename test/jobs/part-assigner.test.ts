// Parts that may be stored as sent, and were not sent, are given back.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { PartAssigner } from '../../host/jobs/queue/part-assigner.ts'
import type { QueueDeps } from '../../host/jobs/queue/queue-deps.ts'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'

const test = suite('parts that are given back')

test('each second until the store takes it, but not when the host has joined again and may have sent them', async () => {
  const clock = createManualClock()
  const state = { epoch: 1, tries: 0 }
  const deps = {
    clock,
    throttledLog: () => ({ error() {} }),
    cluster: { key: () => ({ name: 'a', epoch: state.epoch }) },
    recorder: {
      async updateNow() {
        state.tries += 1
        throw new Error('the database does not respond')
      },
    },
  }
  // `as`: it uses nothing else of these here.
  const given = new PartAssigner(deps as unknown as QueueDeps).giveBack({ job: 1, index: 0 })
  const nextSecond = async () => {
    await new Promise(setImmediate)
    await clock.advance(1000)
  }
  await nextSecond()
  await new Promise(setImmediate)
  equal(state.tries, 2)
  state.epoch = 2
  await nextSecond()
  await given
  equal(state.tries, 2)
})

test.run()
