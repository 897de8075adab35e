// Many edits of module files under load: no request fails, no event is lost, no agent is disconnected, memory stays flat.
import { suite } from 'uvu'
import { equal, ok } from 'uvu/assert'
import { roundsOf } from '../harness/rounds.ts'
import { measureReloads } from '../tools/bench/measurements/reloads.ts'

export const runs = { seconds: 16 }

const test = suite('reload')

test('no request fails, no agent is disconnected and the heap does not grow over 100 edits', async () => {
  const { requests, failed, dropped, heapGrowth } = await measureReloads({ changes: 100, callers: 8, agents: 500 })
  ok(requests > 200)
  equal([failed, dropped], [0, 0])
  ok(heapGrowth < 5 * 2 ** 20, `${heapGrowth} bytes more`)
})

test('no request fails and no event is lost over edits of a command, a hook and a view', async () => {
  const { failed, lost } = await measureReloads({ changes: roundsOf(30), callers: 4, agents: 0, isMixed: true })
  equal([failed, lost], [0, 0])
})

test.run()
