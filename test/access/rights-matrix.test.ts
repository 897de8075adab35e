// Every loaded command × every kind of caller × computers inside and outside its limits: the status that must result.
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import { includesRole } from '../../host/access/rights.ts'
import { payloadExample } from '../../host/api-docs/answer-example.ts'
import type { LoadedCommand } from '../../host/contract/loaded-command.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
const inside = '127.0.0.2'
const outside = '127.0.0.3'

interface Caller {
  name: string
  role: 'none' | 'read' | 'operate' | 'admin'
  isLimited: boolean
  token: string
}

const places = ['inside', 'outside'] as const
type Place = (typeof places)[number]
type Expected = 'served' | 401 | 403

interface Case {
  loaded: LoadedCommand
  caller: Caller
  place: Place
  expected: Expected
}

const add = async (route: string, payload: object) => {
  const { status, json, headers } = await lab.call(route, payload)
  is(status, 200, `${route}: ${lab.log.at(-1)}`)
  return { json, id: Number(headers['x-id']) }
}

/** The present schedules, which limited callers may delete. */
const schedules: Record<Place, number> = { inside: 0, outside: 0 }

async function addMissingSchedules(): Promise<void> {
  const { schedule } = (await lab.call('POST /schedule/get')).json
  for (const [index, place] of places.entries()) {
    const task = String(index + 1)
    if (schedule.some(({ id }: { id: number }) => id === schedules[place])) continue
    const { id } = await add('POST /schedule/create', { task, name: 'Schedule', type: 'task', suspended: 1 })
    schedules[place] = id
  }
}

/** Records with the id 1 are inside, with the id 2 outside. */
async function addRecords(): Promise<void> {
  await lab.addComputer(inside)
  await add('POST /center/add', { name: 'Other center' })
  await add('POST /room/add', { name: 'Other room', netmask: '255.255.255.0', center: 2 })
  await lab.addComputer(outside, { room: 2 })
  for (const [center, addr] of [
    ['1', inside],
    ['2', outside],
  ] as const) {
    const steps = [{ command: 'shell-run', params: { run: 'id', echo: false } }]
    const { id } = await add('POST /procedure/add', { center, name: 'Procedure', steps })
    const task = { center, name: 'Task', steps: [{ procedure: id }], scope: { type: 'room', id: Number(center) } }
    await add('POST /task/add', task)
    await add('POST /poweroff', { clients: [addr] })
  }
  await addMissingSchedules()
  // The examples of commands for tokens and users have the id 1.
  await add('POST /token/add', { name: 'first', role: 'read' })
  await add('POST /user/add', { name: 'anna', password: 'a password of hers', role: 'read' })
}

async function addCallers(): Promise<Caller[]> {
  const roles = ['read', 'operate', 'admin'] as const
  const callers: Caller[] = [{ name: 'no token', role: 'none', isLimited: true, token: '' }]
  for (const role of roles) {
    for (const limits of [{}, { rooms: [1] }, { centers: [1] }]) {
      const name = `${role} ${JSON.stringify(limits)}`
      const { json } = await add('POST /token/add', { name, role, ...limits })
      callers.push({ name, role, isLimited: Object.keys(limits).length > 0, token: json.token })
    }
  }
  return callers
}

function exampleOf({ command }: LoadedCommand): Record<string, unknown> {
  const example = payloadExample(command)
  return example instanceof Object ? Object.fromEntries(Object.entries(example)) : {}
}

function requiredKeys({ command: { payload } }: LoadedCommand): unknown[] {
  return payload && 'required' in payload && Array.isArray(payload.required) ? payload.required : []
}

/** The example of the command for a place: its clients and the ids of records. */
function payloadFor(loaded: LoadedCommand, place: Place): Record<string, unknown> | undefined {
  if (payloadExample(loaded.command) === undefined) return undefined
  const [addr, id] = place === 'inside' ? [inside, 1] : [outside, 2]
  const values: [string, unknown][] = Object.entries(exampleOf(loaded)).map(([key, value]) => {
    if (key === 'clients' || key === 'client') return [key, [addr]]
    if (key === 'ip') return [key, addr]
    if (key === 'rooms' && loaded.name === 'image-plan') return [key, [id]]
    if (key === 'id' && /^.(schedule|image.unplan)/.test(loaded.path)) return [key, String(schedules[place])]
    if (recordKeys.includes(key) && loaded.name !== 'undo') return [key, typeof value === 'string' ? `${id}` : id]
    return [key, value]
  })
  // A limited caller makes new images only with their records.
  if (loaded.name === 'image-create') values.push(['description', 'Ubuntu'])
  return Object.fromEntries(values)
}

const recordKeys = ['id', 'task', 'room', 'center', 'procedure']
const namesRecord = (loaded: LoadedCommand) =>
  ['software-result', 'inventory-history', 'doctor'].includes(loaded.name) ||
  queryFor(loaded, 'inside').includes('id=') ||
  recordKeys.some(key => requiredKeys(loaded).includes(key))

function expectedFor(loaded: LoadedCommand, caller: Caller, place: Place): Expected {
  const { access, clientKeys, command, method } = loaded
  if (access === 'none') return 'served'
  if (caller.role === 'none') return 401
  if (!includesRole(caller.role, access)) return 403
  if (!caller.isLimited) return 'served'
  const listsClients = clientKeys.some(key => key in exampleOf(loaded))
  if (listsClients) return place === 'inside' ? 'served' : 403
  // No schedule here is a planned restore, and no change is undone.
  if (!command.scoped || ['image-unplan', 'undo'].includes(loaded.name)) return 403
  // A list is filtered; what names a record outside is refused.
  const isList = (method === 'GET' || access === 'read') && !namesRecord(loaded)
  return isList || place === 'inside' ? 'served' : 403
}

/** Whether a request that is served may end the records of later ones. */
const isLast = ({ loaded: { command, name } }: Case) => command.confirm !== undefined || /delete|update/.test(name)

function queryFor({ command: { route } }: LoadedCommand, place: Place): string {
  if (route === 'GET /job/report') return `?id=${place === 'inside' ? 1 : 2}`
  if (route === 'GET /schedule/next') return `?id=${schedules[place]}`
  return route === 'GET /search/values' ? '?field=room' : ''
}
await addRecords()
const callers = await addCallers()
const casesOf = (loaded: LoadedCommand, caller: Caller) =>
  places.map((place): Case => ({ loaded, caller, place, expected: expectedFor(loaded, caller, place) }))
const cases = lab.host.registry.commands.flatMap(loaded => callers.flatMap(caller => casesOf(loaded, caller)))

/** Limited callers first: others delete what they are limited to, and make images that belong to nobody. */
const servedCases = cases
  .filter(({ expected }) => expected === 'served')
  .toSorted((a, b) => Number(b.caller.isLimited) - Number(a.caller.isLimited))

async function statusOf({ loaded, caller, place }: Case): Promise<number> {
  const { route } = loaded.command
  const path = route + queryFor(loaded, place)
  const { status, text, headers } = await lab.call(path, payloadFor(loaded, place), { Authorization: caller.token })
  if (status === 401 || status === 403) equal([route, text], [route, ''])
  // An address of a computer outside would show that it exists.
  ok(!String(headers['x-reason']).includes(outside) || !caller.isLimited, `${route}: ${headers['x-reason']}`)
  return status
}

const matches = ({ expected, loaded: { method, command, access } }: Case, status: number) =>
  expected === 'served'
    ? status === 200 || ((method === 'POST' || command.http?.rest) && status === 400) || access === 'none'
    : status === expected

/** Adds what an earlier request has deleted: the computers, which exist otherwise, and the schedules. */
async function restore(): Promise<void> {
  for (const [room, ip] of [inside, outside].entries()) {
    await lab.call('POST /client/add', { name: `pc-${ip}`, ip, mac: `02000000000${room}`, room: room + 1 })
  }
  await addMissingSchedules()
}

async function mismatches(selected: Case[]): Promise<string[]> {
  const found: string[] = []
  for (const one of selected) {
    if (one.expected === 'served' && isLast(one)) await restore()
    const status = await statusOf(one)
    if (!matches(one, status)) {
      found.push(
        `${one.loaded.command.route}, ${one.caller.name}, ${one.place}: expected ${one.expected}, got ${status}: ${lab.log.at(-1)}`,
      )
    }
  }
  return found
}

const reads = [
  ...['scopes', 'tasks', 'procedures', 'jobs', 'tokens', 'users', 'repositories', 'drain'].map(path => `GET /${path}`),
  'POST /schedule/get',
]
/** The answers, without the last uses of tokens: these change also when a right is lacking. */
async function records(): Promise<string[]> {
  const answers = await Promise.all(reads.map(path => lab.call(path)))
  return answers.map(({ text }, index) => `${reads[index]} ${text.replaceAll(/"used":\d+/g, '')}`)
}

const test = suite('rights matrix')
test.after(() => lab.stop())

test('all loaded commands and callers are in the matrix', () => {
  ok(lab.host.registry.commands.length > 60)
  is(cases.length, lab.host.registry.commands.length * 10 * 2)
})

test('what a caller has no right to is 401 or 403 with an empty body, and changes nothing', async () => {
  const before = await records()
  equal(await mismatches(cases.filter(({ expected }) => expected !== 'served')), [])
  equal(await records(), before)
})

test('what a caller has the right to is served, also to limited callers', async () => {
  equal(await mismatches(servedCases.filter(one => !isLast(one))), [])
})

test('the same holds for commands that delete or change records', async () => {
  equal(await mismatches(servedCases.filter(isLast)), [])
})

test.run()
