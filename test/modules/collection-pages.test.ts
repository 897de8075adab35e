// Collections that are longer than a page.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { createLog } from '../../host/log/log.ts'
import { createCollections } from '../../host/modules/packs/collections.ts'
import openMemory from '../../stores/memory/index.ts'

const test = suite('collections in pages')

test('all documents come in the order of their keys, also those of a prefix', async () => {
  const store = await openMemory({ adapter: 'memory', path: '' }, createLog())
  const pack = { name: 'notes', checkDocuments: new Map([['days', () => undefined]]), declared: {} }
  const secrets = { encrypt: String, decrypt: String }
  // `as`: this collection has no secrets.
  const deps = { documents: store.documents, limits: { collection_bytes: 1_000_000 }, secrets } as never
  // `as`: nothing else of a pack is read.
  const { days } = createCollections(pack as never, deps)
  const keys = Array.from({ length: 600 }, (_, at) => `${at % 2 === 0 ? 'even' : 'odd'}-${1000 + at}`)
  for (const key of keys) await days?.put(key, key.length)
  const read = async (prefix?: string) => {
    const found: string[] = []
    for await (const { key } of days?.all(prefix) ?? []) found.push(key)
    return found
  }
  equal(await read(), keys.toSorted())
  equal(
    await read('odd-'),
    keys.filter(key => key.startsWith('odd-')),
  )
  equal(await read('none'), [])
})

test.run()
