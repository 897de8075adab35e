// What a host reads of what all hosts have published: pages, and the presence again when it is outdated.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { FeedReader } from '../../host/cluster/feed.ts'
import type { ClusterEvent, Publications } from '../../stores/store.ts'

const event = (id: number) => ({ id }) as ClusterEvent // the reader passes on the others' fields

type Page = Awaited<ReturnType<Publications['read']>>

/** `pages`: what each read returns. */
function readerOf(pages: Partial<Page>[], onRead = (_reader: FeedReader) => {}) {
  const asked: { version: number; event: number }[] = []
  const calls: string[] = []
  const reader = new FeedReader({
    name: 'a',
    publications: {
      newest: async () => ({ newest: 0, first: 1 }),
      async read({ version, event }) {
        asked.push({ version, event })
        onRead(reader)
        return { version: 0, agents: [], events: [], ...pages.shift() }
      },
    },
    remote: { apply: () => void calls.push('apply'), clear: () => void calls.push('clear') },
    onEvent: ({ id }) => void calls.push(`event ${id}`),
  })
  return { reader, asked, calls }
}

const test = suite('feed reader')

test('a version that is lower than the last one is of a database that has lost the presence: it is read again', async () => {
  const { reader, asked } = readerOf([{ version: 7 }, { version: 2 }, { version: 3 }])
  await reader.readAll()
  await reader.readAll()
  equal(asked, [
    { version: 0, event: 0 },
    { version: 7, event: 0 },
    { version: 0, event: 0 },
  ])
})

test('the presence that is to be forgotten during a read is read again, and cleared before', async () => {
  let reads = 0
  const { reader, asked, calls } = readerOf(
    [{ version: 7 }, { version: 8, events: [event(1)] }, { version: 9 }],
    own => {
      reads += 1
      if (reads === 2) own.rereadPresence({ forget: true })
    },
  )
  await reader.readAll()
  await reader.readAll()
  equal(
    asked.map(({ version }) => version),
    [0, 7, 0],
  )
  equal(calls, ['apply', 'apply', 'event 1', 'clear', 'apply'])
})

test('after a full page the next one is read', async () => {
  const events = Array.from({ length: 1000 }, (_, index) => event(index + 1))
  const { reader, asked } = readerOf([{ version: 1, events }, { version: 1 }])
  await reader.readAll()
  equal(asked, [
    { version: 0, event: 0 },
    { version: 1, event: 1000 },
  ])
})

test.run()
