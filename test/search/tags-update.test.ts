// POST /tags/update: tags of many computers are added and removed with one request.
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import type { FleetEvent } from '../../host/system/events.ts'
import { startLab } from '../harness/lab.ts'

const lab = await startLab({ subnet: '127.0.35', rooms: true })
const [one = '', two = '', three = ''] = [1, 2, 3, 4].map(number => `127.0.35.${number}`)

const update = async (payload: object) => {
  const { status, headers } = await lab.call('POST /tags/update', payload)
  return status === 200 ? 200 : `${status} ${headers['x-reason']}`
}
const tagsOf = async (client: string) => (await lab.call('GET /client/info', { client: [client] })).json.tags ?? []

const test = suite('tags of many computers')
test.after(() => lab.stop())

test('tags are added and removed at once, with one event for the computers that change', async () => {
  await lab.call('POST /client/update', { ip: one, tags: ['exam', 'left'] })
  const events: FleetEvent[] = []
  const unsubscribe = lab.host.events.on(event => void events.push(event), ['computer-changed'])
  is(await update({ clients: [one, two, one], add: ['CAD'], remove: ['exam'] }), 200)
  is(await update({ clients: [one, two], add: ['cad'] }), 200)
  unsubscribe()
  equal(await Promise.all([one, two].map(tagsOf)), [['cad', 'left'], ['cad']])
  // In any order: it is that of the store.
  const sorted = events.map(event => ({ ...event, addrs: 'addrs' in event && [...event.addrs].sort() }))
  equal(sorted, [{ type: 'computer-changed', addrs: [one, two].sort(), room: undefined }])
})

test('a query and a group name the computers, too', async () => {
  const { headers } = await lab.call('POST /group/add', { name: 'One', clients: [one] })
  is(await update({ where: 'tag:cad', add: ['loan'] }), 200)
  is(await update({ group: Number(headers['x-id']), remove: ['loan'] }), 200)
  equal(await Promise.all([one, two, three].map(tagsOf)), [['cad', 'left'], ['cad', 'loan'], []])
  is(await update({ where: 'tag:none', add: ['x'] }), '400 where: no computer matches')
})

test('what cannot be done for one computer is done for none', async () => {
  const full = Array.from({ length: 31 }, (_, index) => `t${index}`)
  is(await update({ clients: [three], add: full }), 200)
  is(await update({ clients: [two, three], add: ['x', 'y'] }), `400 tags: expected at most 32 of ${three}, got 33`)
  is(await update({ clients: [two, '10.9.9.9'], add: ['x'] }), '400 clients: there is no computer 10.9.9.9')
  is(
    await update({ clients: [two], add: ['x'], remove: ['X'] }),
    '400 tags: expected x in add or in remove, got it in both',
  )
  is(await lab.status('POST /tags/update', { clients: [two] }), 400)
  is(await lab.status('POST /tags/update', { clients: [two], add: ['a b'] }), 400)
  is(await lab.status('POST /tags/update', { add: ['x'] }), 400)
  equal(await tagsOf(two), ['cad', 'loan'])
})

test('only administrators without limits write tags: those of a limited caller decide what others may use', async () => {
  for (const role of ['operate', 'admin'] as const) {
    const limited = await lab.addToken(`limited ${role}`, role)
    is(await limited.status('POST /tags/update', { clients: [one], add: ['x'] }), 403)
  }
})

test.run()
