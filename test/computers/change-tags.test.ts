// Tags that two hosts change at once: both changes stay.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { changeTags } from '../../host/computers/change-tags.ts'
import openMemory from '../../stores/memory/index.ts'
import { addLab } from '../conformance/samples.ts'

const addr = '10.0.0.1'
const test = suite('tags that two hosts change')

test('what another host does to the tags since they were read stays', async () => {
  const store = await openMemory({ adapter: 'memory', path: '' }, { info() {}, warn() {} })
  await addLab(store, addr, '10.0.0.2')
  const merges: object[] = []
  const refusal = await changeTags(store, [addr, '10.0.0.2'], { add: ['cad'], remove: ['old'] }, async rows => {
    if (merges.length === 0) await store.computers.update([addr], { tags: ['exam', 'old'] })
    merges.push(rows)
    return store.computers.merge(rows)
  })
  equal([refusal, merges.length], [undefined, 2])
  const tags = (await store.computers.list()).map(computer => [...(computer.tags ?? [])].sort())
  equal(tags, [['cad', 'exam'], ['cad']])
})

test.run()
