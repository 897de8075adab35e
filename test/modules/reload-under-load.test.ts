// A hundred edits of one command file under load: no request fails, no agent is disconnected, memory stays flat.
import { suite } from 'uvu'
import { equal, ok } from 'uvu/assert'
import { measureReloads } from '../tools/bench/measurements/reloads.ts'

export const runs = { seconds: 16 }

const test = suite('reload')

test('no request fails, no agent is disconnected and the heap does not grow over 100 edits', async () => {
  const { requests, failed, dropped, heapGrowth } = await measureReloads({ changes: 100, callers: 8, agents: 500 })
  ok(requests > 200)
  equal([failed, dropped], [0, 0])
  ok(heapGrowth < 5 * 2 ** 20, `${heapGrowth} bytes more`)
})

test.run()
