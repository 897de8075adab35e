// GET and POST /places: where computers are on the maps of their rooms.
import { suite } from 'uvu'
import { equal, is, match, not } from 'uvu/assert'
import type { FleetEvent } from '../../host/system/events.ts'
import { inside, outside, startLab } from '../harness/lab.ts'

const lab = await startLab({ scope: true })
const { addToken } = lab
const [one = '', two = ''] = inside
const [three = ''] = outside
const places = async () => (await lab.call('GET /places')).json.places
const set = (...list: object[]) => lab.call('POST /places', { places: list })

const test = suite('places')
test.after(() => lab.stop())

test('an arrangement of many computers is stored at once, with one event, and places are removed by a row of null', async () => {
  const events: FleetEvent[] = []
  const unsubscribe = lab.host.events.on(event => void events.push(event), ['computer-changed'])
  const arrangement = [one, two, three].map((client, at) => ({ client, row: 1, column: at + 1 }))
  is((await set(...arrangement)).status, 200)
  unsubscribe()
  equal(events, [{ type: 'computer-changed', addrs: [one, two, three], room: undefined }])
  equal(await places(), arrangement)
  is((await set({ client: one, row: 2, column: 1 }, { client: two, row: null })).status, 200)
  equal(await places(), [{ client: one, row: 2, column: 1 }, arrangement[2]])
  equal((await lab.call('GET /client/info', { client: [one] })).json.place, { row: 2, column: 1 })
})

const refusedPlaces: Record<string, object[]> = {
  'of an address without a record': [{ client: '10.9.9.9', row: 5, column: 5 }],
  'that comes twice': [
    { client: two, row: 5, column: 5 },
    { client: two, row: 6, column: 6 },
  ],
  'with a row alone': [{ client: two, row: 5 }],
  'with a column alone': [{ client: two, row: null, column: 5 }],
  'in row 100': [{ client: two, row: 100, column: 5 }],
}

for (const [name, list] of Object.entries(refusedPlaces)) {
  test(`one place ${name} is 400, and none of the request is stored`, async () => {
    const before = await places()
    const { status, headers } = await set({ client: one, row: 9, column: 9 }, ...list)
    is(status, 400)
    match(String(headers['x-reason']), 'places')
    equal(await places(), before)
  })
}

test('a limited caller gets the places of its rooms, and sets none', async () => {
  const admin = await addToken('limited admin', 'admin')
  const { text, json } = await admin.call('GET /places')
  equal(
    json.places.map(({ client }: { client: string }) => client),
    [one],
  )
  not.match(text, three)
  is(await admin.status('POST /places', { places: [{ client: one, row: 1, column: 1 }] }), 403)
})

test('places survive that a computer moves to another room, and end with its record', async () => {
  await lab.call('POST /client/update', { ip: one, room: 2 })
  equal((await places())[0], { client: one, row: 2, column: 1 })
  await lab.call('POST /client/delete', { clients: [one] })
  not.ok((await places()).some(({ client }: { client: string }) => client === one))
})

test.run()
