// Parts that may be stored as sent, and were not sent, are given back.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { PartAssigner } from '../../host/jobs/queue/part-assigner.ts'
import type { QueueDeps } from '../../host/jobs/queue/queue-deps.ts'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'

const test = suite('parts that are given back')

/** Whose store does not respond. */
function createTestAssigner() {
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
  const nextSecond = async () => {
    await new Promise(setImmediate)
    await clock.advance(1000)
  }
  // `as`: it uses nothing else of these here.
  return { assigner: new PartAssigner(deps as unknown as QueueDeps), state, nextSecond }
}

const part = { job: 1, index: 0 }

test('each second until the store takes it, but not when the host has joined again and may have sent them', async () => {
  const { assigner, state, nextSecond } = createTestAssigner()
  const given = assigner.giveBack(part)
  await nextSecond()
  await new Promise(setImmediate)
  equal(state.tries, 2)
  state.epoch = 2
  await nextSecond()
  await given
  equal(state.tries, 2)
})

test('not when the store had taken one, whose answer was lost, and it was read there and claimed since', async () => {
  const { assigner, state, nextSecond } = createTestAssigner()
  const given = assigner.giveBack(part)
  equal([assigner.stopGivingBack({ ...part }), assigner.stopGivingBack(part)], [true, false])
  await nextSecond()
  equal(await given, false)
  equal(state.tries, 1)
})

test.run()
