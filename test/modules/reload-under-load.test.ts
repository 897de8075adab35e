// Two hundred edits of one module under load: nobody is refused, no agent is dropped, memory stays flat.
import { suite } from 'uvu'
import { equal, ok } from 'uvu/assert'
import { measureReloads } from '../bench/reload.ts'

const test = suite('reload')

test('no request fails, no agent is dropped and the heap stays as it was over 200 edits', async () => {
  const { requests, failed, dropped, heapGrowth } = await measureReloads({ edits: 200, callers: 8, agents: 500 })
  ok(requests > 200)
  equal([failed, dropped], [0, 0])
  ok(heapGrowth < 10 * 2 ** 20, `${heapGrowth} bytes more`)
})

test.run()
