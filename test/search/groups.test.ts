// Groups of computers: queries and lists that have names, which queries and other groups name.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { startLab } from '../harness/lab.ts'

const lab = await startLab({ subnet: '127.0.32', rooms: true })
const [one = '', two = '', three = '', four = ''] = [1, 2, 3, 4].map(number => `127.0.32.${number}`)

await lab.status('POST /client/update', { ip: one, tags: ['cad'] })
await lab.status('POST /room/update', { room: 2, tags: ['exam'] })

const add = async (group: object) => {
  const { status, headers } = await lab.call('POST /group/add', group)
  is(status, 200, lab.log.at(-1))
  return Number(headers['x-id'])
}

const found = async (where: string) => {
  const { json } = await lab.call(`GET /search?where=${encodeURIComponent(where)}`)
  return json.computers.map(({ client }: { client: string }) => client)
}

const refusal = async (request: string, payload: object) => {
  const { status, headers } = await lab.call(request, payload)
  return `${status} ${headers['x-reason']}`
}

interface Entry {
  id: number
  name: string
  computers: number
  clients?: string[]
  problem?: string
}

const groups = async (token?: string): Promise<Entry[]> =>
  (await lab.call('GET /groups', undefined, token === undefined ? {} : { Authorization: token })).json.groups

const test = suite('groups of computers')
test.after(() => lab.stop())

const exam = await add({ name: 'Exam seats', where: 'tag:exam' })
const left = await add({ name: 'left', clients: [one, three, '127.0.32.99'] })

test('a query finds the computers of a group by its name or its id, and groups may name groups', async () => {
  const both = await add({ name: 'both', where: 'group:"Exam seats" group:left' })
  equal(await found('group:"exam SEATS"'), [three, four])
  equal(await found(`group:${left}`), [one, three])
  equal(await found('group:both or tag:cad'), [one, three])
  equal(await found('not group:both'), [one, two, four])
  await lab.status('POST /group/delete', { group: both })
})

test('a group without a query is refused: it would have all computers', async () => {
  is(await refusal('POST /group/add', { name: 'all', where: ' ' }), '400 where: expected a query, got " "')
})

test('groups are listed with their computers', async () => {
  equal(await groups(), [
    { id: exam, name: 'Exam seats', where: 'tag:exam', computers: 2 },
    { id: left, name: 'left', clients: [one, three, '127.0.32.99'], computers: 2 },
  ])
})

test('a limited caller gets names and counts of its own computers, neither queries nor lists nor problems', async () => {
  const { token } = await lab.addToken('reader', 'read')
  const gone = await add({ name: 'gone', where: 'group:left' })
  await lab.status('POST /group/update', { group: left, name: 'right' })
  match(String((await groups()).find(({ id }) => id === gone)?.problem), 'is not there')
  const listed = (await groups(token)).map(({ id, ...group }) => group)
  equal(listed, [
    { name: 'Exam seats', computers: 0 },
    { name: 'right', computers: 1 },
    { name: 'gone', computers: 0 },
  ])
  await lab.status('POST /group/update', { group: left, name: 'left' })
  await lab.status('POST /group/delete', { group: gone })
})

test('a list replaces a query, and a query a list', async () => {
  const id = await add({ name: 'changing', where: 'tag:cad' })
  await lab.status('POST /group/update', { group: id, name: 'changed' })
  equal(await found('group:changed'), [one])
  await lab.status('POST /group/update', { group: id, clients: [two] })
  equal(await found('group:changed'), [two])
  await lab.status('POST /group/update', { group: String(id), where: 'tag:exam' })
  equal(await found('group:changed'), [three, four])
  is(await lab.status('POST /group/delete', { group: id }), 200)
})

const refused: [request: string, payload: object, reason: RegExp][] = [
  ['add', { name: 'x', where: 'rom:x' }, /^400 where: at 1: there is no field rom; is room meant\?$/],
  ['add', { name: 'x', where: 'tag:a group:y' }, /^400 where: at 13: group: there is no group y$/],
  ['add', { name: 'x', where: 'tag:a group:x' }, /^400 where: at 13: group x names itself$/],
  ['add', { name: 'LEFT', where: 'tag:a' }, /^400 name: group LEFT exists$/],
  ['add', { name: '7', where: 'tag:a' }, /^400 name: expected one that is no number, got 7$/],
  ['add', { name: 'a"b', where: 'tag:a' }, /^400 name: /],
  ['add', { name: 'x' }, /^400 /],
  ['add', { name: 'x', where: 'tag:a', clients: [one] }, /^400 /],
  ['update', { group: 1, where: 'tag:a', clients: [one] }, /^400 /],
  ['update', { group: 999, where: 'tag:a' }, /^400 group: there is no group 999$/],
  ['delete', { group: 999 }, /^400 group: there is no group 999$/],
]

for (const [name, payload, reason] of refused) {
  test(`group/${name} of ${JSON.stringify(payload)} is refused`, async () => {
    match(await refusal(`POST /group/${name}`, payload), reason)
  })
}

test('a group cannot name itself through another one, and a circle that a new name makes finds nothing', async () => {
  const inner = await add({ name: 'inner', where: 'tag:cad' })
  const outer = await add({ name: 'outer', where: 'group:inner' })
  match(
    await refusal('POST /group/update', { group: inner, where: 'group:outer' }),
    /^400 where: at 7: .* names itself$/,
  )
  match(await refusal('POST /group/delete', { group: inner }), /^400 group: inner is used by group outer$/)
  const third = await add({ name: 'third', where: 'tag:exam' })
  await lab.status('POST /group/update', { group: inner, where: 'group:third' })
  await lab.status('POST /group/update', { group: third, name: 'fourth' })
  const broken = (await groups()).find(({ id }) => id === outer)
  is(broken?.computers, 0)
  // Limited callers read it when they name the group, and do not get what is in its query.
  match(broken?.problem ?? '', /: group inner names a group which is not there$/)
  for (const group of [outer, inner, third]) is(await lab.status('POST /group/delete', { group }), 200)
})

test('streams say which groups are added, changed and removed', async () => {
  const events = ['group-added', 'group-changed', 'group-removed'] as const
  const seen = Promise.all(events.map(type => lab.event(type, { name: 'seen' })))
  const group = await add({ name: 'seen', clients: [] })
  await lab.status('POST /group/update', { group, clients: [one] })
  await lab.status('POST /group/delete', { group })
  equal((await seen).length, 3)
})

test.run()
