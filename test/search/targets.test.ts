// Queries and groups in place of clients: in commands, tasks, schedules and what packs run.
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { startLab } from '../harness/lab.ts'

const lab = await startLab({ subnet: '127.0.33', rooms: true })
const [one = '', two = '', three = '', four = ''] = [1, 2, 3, 4].map(number => `127.0.33.${number}`)
await lab.status('POST /client/update', { ip: one, tags: ['cad'] })
await lab.status('POST /client/update', { ip: three, tags: ['cad'] })
await lab.status('POST /client/update', { ip: four, maintenance: false })

const script = { run: 'true', echo: true }

const send = async (request: string, payload: object, token?: string) => {
  const { status, headers } = await lab.call(
    request,
    payload,
    token === undefined ? undefined : { Authorization: token },
  )
  return { status, reason: String(headers['x-reason'] ?? ''), job: Number(headers['x-job-id']), id: headers['x-id'] }
}

const readJob = async (id: number) => (await lab.call(`GET /jobs/${id}`)).json
const clientsOf = async (id: number): Promise<string[]> =>
  (await readJob(id)).parts.map(({ client }: { client: string }) => client)

const test = suite('queries in place of clients')
test.after(() => lab.stop())

const group = Number((await send('POST /group/add', { name: 'Seats', where: 'tag:cad' })).id)

test('a command works on the clients that its query finds, and its job keeps both', async () => {
  const agent = await lab.agent(one)
  const { status, job } = await send('POST /shell/run?queue=1', { where: 'tag:cad', ...script })
  is(status, 200, lab.log.at(-1))
  const { body } = await agent.next('/shell/run')
  equal(body, script)
  agent.destroy()
  const { where, parts } = await readJob(job)
  equal([where, parts.map(({ client }: { client: string }) => client)], ['tag:cad', [one, three]])
  const listed = (await lab.call('GET /jobs')).json.jobs.find(({ id }: { id: number }) => id === job)
  is(listed.where, 'tag:cad')
})

test('a group is resolved when the request comes', async () => {
  const { job } = await send('POST /shell/run?queue=1', { group, ...script })
  equal([(await readJob(job)).where, await clientsOf(job)], ['group:"Seats"', [one, three]])
})

test('the log and the audit log name the clients that were found', async () => {
  await send('POST /shell/run?queue=1', { where: 'name:* ip:127.0.33.2', ...script })
  ok(lab.log.some(line => line.includes('POST /shell/run by admin') && line.includes(two)))
  const { audit } = (await lab.call('GET /audit?route=/shell/run')).json
  equal(audit.at(-1).clients, [two])
})

test('a dry run says which clients a query finds', async () => {
  const { json } = await lab.call('POST /shell/run?dry_run=1', { where: 'tag:cad', ...script })
  equal(
    json.clients.map(({ client }: { client: string }) => client),
    [one, three],
  )
})

test('commands that answer take queries, too', async () => {
  is((await send('POST /shell/output', { where: `ip:${one}` })).status, 200)
})

const refused: [payload: object, reason: RegExp][] = [
  [{ where: 'tag:none' }, /^where: no computer matches$/],
  [{ where: 'rom:x' }, /^where: at 1: there is no field rom; is room meant\?$/],
  [{ where: 'tag:cad', clients: [one] }, /^payload: expected one of clients, where and group, got clients and where$/],
  [{ where: 'tag:cad', group }, /^payload: expected one of .*got where and group$/],
  [{ where: 7 }, /^where: expected a text, got 7$/],
  [{ group: 99 }, /^group: there is no group 99$/],
  [{ group: 'x' }, /^group: expected the id of a group, got "?x/],
]

for (const [payload, reason] of refused) {
  test(`a command with ${JSON.stringify(payload)} is refused, and begins nothing`, async () => {
    const before = (await lab.call('GET /jobs')).json.jobs.length
    const response = await send('POST /poweroff', payload)
    is(response.status, 400)
    match(response.reason, reason)
    is((await lab.call('GET /jobs')).json.jobs.length, before)
  })
}

test('a limited caller reaches its own computers only, and does not learn that there are others', async () => {
  const { token } = await lab.addToken('operator', 'operate')
  const own = await send('POST /shell/run?queue=1', { where: 'tag:cad', ...script }, token)
  equal(await clientsOf(own.job), [one])
  const foreign = await send('POST /shell/run?queue=1', { where: `ip:${three}`, ...script }, token)
  equal([foreign.status, foreign.reason], [400, 'where: no computer matches'])
})

test('a task finds its computers each time it runs', async () => {
  const steps = [{ command: 'shell-run', params: script }]
  const procedure = Number((await send('POST /procedure/add', { center: '1', name: 'Sync', steps })).id)
  const task = { center: '1', name: 'All seats', steps: [{ procedure }], group }
  const { id, status } = await send('POST /task/add', task)
  is(status, 200, lab.log.at(-1))
  equal(await clientsOf((await send('POST /task/run', { task: id })).job), [one, three])
  await lab.status('POST /client/update', { ip: two, tags: ['cad'] })
  equal(await clientsOf((await send('POST /task/run', { task: id })).job), [one, two, three])
  await lab.status('POST /client/update', { ip: two, tags: [] })
  match((await send('POST /group/delete', { group })).reason, /^group: Seats is used by task All seats$/)
  await lab.status('POST /task/update', { ...task, task: id, group: undefined, where: 'tag:none' })
  const { tasks } = (await lab.call('GET /tasks')).json
  equal([tasks.at(-1).where, 'group' in tasks.at(-1)], ['tag:none', false])
  const { token } = await lab.addToken('reader', 'read')
  const seen = (await lab.call('GET /tasks', undefined, { Authorization: token })).json.tasks.at(-1)
  equal([seen.name, 'where' in seen], ['All seats', false], 'the query may name what is outside the limits')
  equal((await send('POST /task/run', { task: id })).reason, 'where: no computer matches')
  const both = await send('POST /task/add', { ...task, name: 'Other', clients: [one] })
  match(both.reason, /^expected one of where and group, without clients and scope/)
  match((await send('POST /task/add', { ...task, name: 'x', group: undefined, where: 'rom:x' })).reason, /^where: at 1/)
})

test('a scheduled command finds its computers when it fires, and a run that finds none is a job without parts', async () => {
  const fire = async (where: string, token?: string) => {
    const finished = lab.event('job-finished', { name: 'shell-run' })
    const created = lab.event('job-created', { name: 'shell-run' })
    const { status } = await send('POST /schedule/command', { where, command: 'shell-run', params: script }, token)
    is(status, 200, lab.log.at(-1))
    const { job } = await created
    return { job: Number(job), finished }
  }
  equal(await clientsOf((await fire('tag:cad')).job), [one, three])
  const { token } = await lab.addToken('scheduler', 'operate')
  equal(await clientsOf((await fire('tag:cad', token)).job), [one])
  const empty = await readJob((await fire('tag:none')).job)
  equal([empty.where, empty.parts], ['tag:none', []])
  const { schedules } = (await lab.call('GET /schedules')).json
  equal(schedules.at(-1).scheduled.where, 'tag:none')
  match((await send('POST /schedule/command', { command: 'shell-run', params: script })).reason, /got none$/)
})

test('a step has no targets of its own', async () => {
  const steps = [{ command: 'shell-run', params: { ...script, where: 'tag:cad' } }]
  match((await send('POST /procedure/add', { center: '1', name: 'x', steps })).reason, /expected no where/)
})

test.run()
