// When computers were last connected: it outlasts a restart, and queries and columns ask for it.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import { createManualClock } from '../../host/test-kit/manual-clock.ts'
import { startLab } from '../harness/lab.ts'

const clock = createManualClock('2026-09-14T08:00:30Z')
const subnet = '127.0.40'
const options = { store: { adapter: 'lowdb', path: './data' } }
const first = await startLab({ subnet, rooms: true, clock, options })
const days = (count: number) => count * 86_400_000

/** One is gone ten days before the end of its daemon, another is connected until then; two were never seen. */
const gone = await first.agent(`${subnet}.1`)
const left = first.event('client-gone', { addr: `${subnet}.1` })
gone.destroy()
await left
await clock.advance(days(10))
await first.agent(`${subnet}.3`)
await first.stop('keep')
await clock.advance(days(20))
const lab = await startLab({ subnet, clock, options, folder: first.folder })
await lab.agent(`${subnet}.4`)

const test = suite('last connections')
test.after(() => lab.stop())

const search = async (where: string) => {
  const { json } = await lab.call(
    `GET /search?${new URLSearchParams({ where, columns: 'client,seen', sort: 'client' })}`,
  )
  return json.computers
}
const found = async (where: string) =>
  (await search(where)).map(({ client }: { client: string }) => Number(client.slice(-1)))

test('a computer is seen while it is connected, and at the end of its connection or of the daemon', async () => {
  equal(await search(''), [
    { client: `${subnet}.1`, seen: '2026-09-14T08:00:00.000Z' },
    { client: `${subnet}.2` },
    { client: `${subnet}.3`, seen: '2026-09-24T08:00:00.000Z' },
    { client: `${subnet}.4`, seen: '2026-10-14T08:00:30.000Z' },
  ])
})

test('a query asks how long ago that was; who was never seen was seen longer ago than any time', async () => {
  equal(await found('seen<1h'), [4])
  equal(await found('seen<25d'), [3, 4])
  equal(await found('seen>25d'), [1, 2])
  equal(await found('seen<=9999w'), [1, 3, 4])
  equal(await found('not seen>3w'), [3, 4])
})

test.run()
