// Tokens and users that are limited to groups: what they see and reach, and what such groups may be made of.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { startLab } from '../harness/lab.ts'

const lab = await startLab({ subnet: '127.0.34', rooms: true })
const ips = [1, 2, 3, 4].map(number => `127.0.34.${number}`)
const [one = '', two = '', three = '', four = ''] = ips
await lab.status('POST /client/update', { ip: one, tags: ['cad'], name: 'alpha' })
await lab.status('POST /client/update', { ip: two, serial_number: 'S2', name: 'beta' })
await lab.status('POST /client/update', { ip: three, tags: ['cad', 'seat:left'], name: 'gamma' })
await lab.status('POST /client/update', { ip: four, maintenance: false, boot: 'pxe', name: 'delta' })

const call = (request: string, payload?: object, token?: string) =>
  lab.call(request, payload, token === undefined ? undefined : { Authorization: token })

const refusal = async (request: string, payload: object) => {
  const { status, headers } = await call(request, payload)
  return `${status} ${headers['x-reason']}`
}

const add = async (group: object) => Number((await call('POST /group/add', group)).headers['x-id'])

const cad = await add({ name: 'cad', where: 'tag:cad' })
const listed = await add({ name: 'listed', clients: [two] })
const large = await add({ name: 'large', where: 'ram>8GB' })

let tokens = 0
const addToken = async (limits: object, role = 'operate'): Promise<string> => {
  tokens += 1
  const { status, json } = await call('POST /token/add', { name: `limited ${tokens}`, role, ...limits })
  is(status, 200, lab.log.at(-1))
  return json.token
}

const find = async (where: string, token?: string): Promise<{ total: number; clients: string[] }> => {
  const { json } = await call(`GET /search?limit=1000&where=${encodeURIComponent(where)}`, undefined, token)
  return { total: json.total, clients: json.computers.map(({ client }: { client: string }) => client) }
}

const test = suite('rights by groups')
test.after(() => lab.stop())

test('a token of groups has their computers, in lists, trees and commands', async () => {
  const token = await addToken({ groups: [cad] })
  equal((await find('', token)).clients, [one, three])
  equal((await call('GET /me', undefined, token)).json.groups, [cad])
  const tree = (await call('GET /scopes', undefined, token)).json.scope
  const seen = tree.flatMap((center: { scope: { scope: { ip: string }[] }[] }) =>
    center.scope.flatMap(room => room.scope.map(({ ip }) => ip)),
  )
  equal(seen, [one, three])
  const script = { run: 'true', echo: true }
  is((await call('POST /shell/run?queue=1', { clients: [one], ...script }, token)).status, 200)
  is((await call('POST /shell/run?queue=1', { clients: [two], ...script }, token)).status, 403)
  const jobs = (await call('GET /jobs', undefined, token)).json.jobs.length
  await call('POST /shell/run?queue=1', { clients: [two], ...script })
  is((await call('GET /jobs', undefined, token)).json.jobs.length, jobs)
})

test('groups add to rooms, and a list grants its computers', async () => {
  equal((await find('', await addToken({ groups: [listed] }))).clients, [two])
  equal((await find('', await addToken({ rooms: [2], groups: [listed] }))).clients, [two, three, four])
})

test('a tag, a move, and a change of the group are in force at once', async () => {
  const token = await addToken({ groups: [cad] })
  await lab.status('POST /client/update', { ip: two, tags: ['cad'] })
  equal((await find('', token)).clients, [one, two, three])
  await lab.status('POST /client/update', { ip: two, tags: [] })
  equal((await find('', token)).clients, [one, three])
  await lab.status('POST /room/update', { room: 2, tags: ['cad'] })
  equal((await find('', token)).clients, [one, three, four])
  await lab.status('POST /room/update', { room: 2, tags: [] })
  await lab.status('POST /group/update', { group: cad, where: 'group:listed or tag:seat:left' })
  equal((await find('', token)).clients, [two, three])
  await lab.status('POST /group/update', { group: listed, clients: [four] })
  equal((await find('', token)).clients, [three, four])
  await lab.status('POST /group/update', { group: cad, where: 'tag:cad' })
  await lab.status('POST /group/update', { group: listed, clients: [two] })
})

test('a group that computers themselves could enter does not grant rights', async () => {
  const limits = { name: 'x', role: 'read', groups: [large] }
  match(await refusal('POST /token/add', limits), /^400 group large grants rights: expected tag, room, .* got ram$/)
  match(await refusal('POST /user/add', { ...limits, password: 'a password' }), /^400 group large grants rights/)
  match(await refusal('POST /token/add', { ...limits, groups: [99] }), /^400 groups: expected ids of groups, got 99/)
  await addToken({ groups: [cad] })
  match(await refusal('POST /group/update', { group: cad, where: 'name:*' }), /^400 group cad grants rights/)
  match(await refusal('POST /group/update', { group: cad, where: 'group:large' }), /^400 group cad grants rights/)
  match(await refusal('POST /group/delete', { group: cad }), /^400 group: cad is used by token limited/)
})

test('only administrators without limits change groups and tags', async () => {
  for (const token of [await addToken({ groups: [cad] }, 'admin'), await addToken({ rooms: [1] }, 'admin')]) {
    for (const [request, payload] of [
      ['POST /group/add', { name: 'y', clients: [one] }],
      ['POST /group/update', { group: cad, clients: [one, two] }],
      ['POST /group/delete', { group: large }],
      ['POST /client/update', { ip: one, tags: ['seat:left'] }],
      ['POST /room/update', { room: 1, tags: ['cad'] }],
      ['POST /client/import', { format: 'csv', room: 1, text: 'name,ip,tags\nx,127.0.34.9,cad\n' }],
    ] as const) {
      is((await call(request, payload, token)).status, 403, request)
    }
  }
})

/** A random query of the fields and words of this lab. */
function createQueries(seed: number): () => string {
  let state = seed
  const next = (count: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * count)
  }
  const terms = [
    ...['tag:cad', 'tag:seat:*', 'name:*', 'name:beta', 'alpha', 'serial:s2', 'serial:*', 'boot:pxe', 'maintenance:no'],
    ...['ip:127.0.34.0/30', `ip:${four}`, 'state:off', 'state:on', 'room:*', 'center:*', 'group:cad', 'group:listed'],
    ...['user:*', 'failed:*', 'ram>1GB', 'os:*', '34.3'],
  ]
  const query = (depth: number): string => {
    const kind = depth === 0 ? 0 : next(4)
    if (kind === 0) return terms[next(terms.length)] ?? ''
    if (kind === 1) return `not (${query(depth - 1)})`
    return `(${query(depth - 1)}${kind === 2 ? ' or ' : ' '}${query(depth - 1)})`
  }
  return () => query(3)
}

test('no query of 500 shows, counts or reaches a computer outside, for rooms and for groups', async () => {
  const callers: [string, string[]][] = [
    [await addToken({ rooms: [1] }), [one, two]],
    [await addToken({ groups: [cad] }), [one, three]],
  ]
  const nextQuery = createQueries(7)
  let hits = 0
  for (let at = 0; at < 500; at += 1) {
    const where = nextQuery()
    const { clients: all } = await find(where)
    for (const [number, [token, own]] of callers.entries()) {
      const expected = all.filter(ip => own.includes(ip))
      hits += expected.length
      equal(await find(where, token), { total: expected.length, clients: expected }, where)
      // A dry run takes longer: each caller has one for every second query.
      if (at % 2 !== number) continue
      const run = { where, run: 'true', echo: true }
      const { status, headers, json } = await call('POST /shell/run?dry_run=1', run, token)
      if (expected.length === 0) equal([status, headers['x-reason']], [400, 'where: no computer matches'], where)
      else
        equal(
          json.clients.map(({ client }: { client: string }) => client),
          expected,
          where,
        )
    }
  }
  ok(hits > 100)
})

test('groups count only what the caller may see, who gets neither queries nor lists', async () => {
  const token = await addToken({ groups: [cad] })
  const { groups } = (await call('GET /groups', undefined, token)).json
  equal(groups, [
    { id: cad, name: 'cad', computers: 2 },
    { id: listed, name: 'listed', computers: 0 },
    { id: large, name: 'large', computers: 0 },
  ])
})

test.run()
