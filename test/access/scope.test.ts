// What a caller that is limited to a room sees: nothing of what lies outside, in any response.
import { suite } from 'uvu'
import { equal, is, not, ok } from 'uvu/assert'
import { hidden, inside, outside, shellStep, startLab } from '../harness/lab.ts'

const lab = await startLab({ scope: true })
const { add, addToken } = lab
const assistant = await addToken('assistant', 'operate')
const [here = '', here2 = ''] = inside
const [there = '', far = ''] = outside
const all = [...inside, ...outside]

for (const addr of all.slice(1)) await lab.agent(addr)
const jobOf = async (route: string, payload: object) => Number((await lab.call(route, payload)).headers['x-job-id'])
const mixedJob = await jobOf('POST /poweroff?queue=1', { clients: [here, there, far] })
const foreignJob = await jobOf('POST /poweroff?queue=1', { clients: [there] })
const ownJob = Number((await assistant.call('POST /poweroff?queue=1', { clients: [here, here2] })).headers['x-job-id'])
await add('POST /procedure/add', { center: '1', name: 'Procedure', steps: [shellStep('id')] })
const foreignProcedure = await add('POST /procedure/add', {
  center: '2',
  name: 'Outsider',
  steps: [shellStep('outsider')],
})
const addTask = (name: string, more: object) =>
  add('POST /task/add', { center: '1', name, steps: [{ procedure: 1 }], ...more })
const tasks = {
  room: await addTask('Room', { scope: { type: 'room', id: 1 } }),
  clients: await addTask('Clients', { clients: inside }),
  hiddenRoom: await addTask('Outsider room', { scope: { type: 'room', id: 2 } }),
  hiddenMixed: await addTask('Outsider mixed', { clients: [here, there] }),
  hiddenCenter: await addTask('Outsider center', {}),
  hiddenComputer: await addTask('Outsider computer', { scope: { type: 'computer', id: 3 } }),
}

const test = suite('scope')
test.after(() => lab.stop())

test('a payload is checked before the rights: one that breaks the schema is 400, whatever computers it names', async () => {
  const { status } = await assistant.call('POST /shell/run', { clients: [there], run: 7 })
  is(status, 400)
  is((await assistant.call('POST /shell/run', { clients: [there], run: 'id', echo: false })).status, 403)
})

test('lists show only what lies inside, to callers for all rooms everything', async () => {
  const { json: own } = await assistant.call('GET /clients')
  equal(
    own.clients.map(({ addr }: { addr: string }) => addr),
    [here2],
  )
  is((await lab.call('GET /clients')).json.clients.length, 3)
  const [center, ...others] = (await assistant.call('GET /scopes')).json.scope
  equal(others, [])
  equal(
    center.scope.map(({ id }: { id: number }) => id),
    [1],
  )
  equal(
    center.scope[0].scope.map(({ ip }: { ip: string }) => ip),
    inside,
  )
  const names = (await assistant.call('GET /tasks')).json.tasks.map(({ name }: { name: string }) => name)
  equal(names, ['Room', 'Clients'])
  is((await assistant.call('GET /procedures')).json.procedures.length, 1)
  is((await assistant.call('GET /client/export')).text.trim().split('\n').length, 1 + inside.length)
  is((await lab.call('GET /client/export')).text.trim().split('\n').length, 1 + all.length)
})

test('jobs have only the parts inside, counted alone, and the address of nobody else who asked', async () => {
  const { json } = await assistant.call('GET /jobs')
  equal(
    json.jobs.map(({ id }: { id: number }) => id),
    [ownJob, mixedJob],
  )
  const [own, mixed] = json.jobs
  equal([own.counts.queued + own.counts.sent + own.counts.success, own.caller], [2, '127.0.0.1'])
  equal([mixed.counts.queued, mixed.counts.sent + mixed.counts.success, mixed.caller], [1, 0, undefined])
  const one = (await assistant.call(`GET /jobs/${mixedJob}`)).json
  equal(
    one.parts.map(({ client }: { client: string }) => client),
    [here],
  )
  is(one.counts.queued, 1)
  equal((await assistant.call(`GET /jobs?client=${there}`)).json, { jobs: [] })
  equal((await assistant.call(`GET /jobs/${mixedJob}?client=${there}`)).json.parts, [])
  is((await lab.call(`GET /jobs/${mixedJob}`)).json.parts.length, 3)
})

test('what lies outside is 403 as what does not exist is, with an empty body', async () => {
  const requests: [string, object?][] = [
    [`GET /jobs/${foreignJob}`],
    ['GET /jobs/999'],
    ['GET /room/info', { room: 2 }],
    ['GET /room/info', { room: 99 }],
    ['GET /client/info', { client: [there] }],
    ['GET /client/info', { client: ['10.9.9.9'] }],
    ['POST /job/cancel', { id: String(foreignJob) }],
    ['POST /job/retry', { id: '999' }],
    ['POST /job/retry', { id: String(foreignJob) }],
    ['POST /task/run', { task: '999' }],
    ['POST /poweroff', { clients: [here, there] }],
    ['POST /procedure/run', { clients: [here, there], procedure: '1' }],
    ['POST /procedure/run', { clients: [here], procedure: String(foreignProcedure) }],
    ['POST /procedure/run', { clients: [here], procedure: '999' }],
    ...Object.entries(tasks)
      .filter(([name]) => name.startsWith('hidden'))
      .map(([, id]): [string, object] => ['POST /task/run', { task: String(id) }]),
  ]
  for (const [route, payload] of requests) {
    const { status, text, headers } = await assistant.call(route, payload)
    equal([status, text], [403, ''], `${route} ${JSON.stringify(payload)}`)
    not.match(JSON.stringify(headers), hidden)
  }
})

test('tasks and procedures run on computers inside, and their job names who asked', async () => {
  for (const id of [tasks.room, tasks.clients]) is(await assistant.status('POST /task/run', { task: String(id) }), 200)
  is(await assistant.status('POST /procedure/run', { clients: [here], procedure: '1' }), 200)
  const [job] = (await lab.call('GET /jobs')).json.jobs
  equal([job.origin, job.by], ['procedure', 'token assistant'])
})

test('cancel and retry of a mixed job concern the parts inside', async () => {
  const cancelled = lab.event('job-part', { job: mixedJob, state: 'cancelled' })
  is(await assistant.status('POST /job/cancel', { id: String(mixedJob) }), 200)
  await cancelled
  const states = (await lab.call(`GET /jobs/${mixedJob}`)).json.parts.map(
    ({ client, state }: { client: string; state: string }) => [client, state === 'cancelled'],
  )
  equal(states, [
    [here, true],
    [there, false],
    [far, false],
  ])
  const { status, headers } = await assistant.call('POST /job/retry', { id: String(mixedJob) })
  is(status, 200)
  const retried = (await lab.call(`GET /jobs/${headers['x-job-id']}`)).json
  equal(
    retried.parts.map(({ client }: { client: string }) => client),
    [here],
  )
  equal([retried.origin, retried.by], ['retry', 'token assistant'])
})

test('no GET shows a limited caller an address or a name from outside', async () => {
  const reads = lab.host.registry.commands.filter(({ method, path }) => method === 'GET' && path !== '/events')
  ok(reads.length > 20)
  let served = 0
  for (const { path, command } of reads) {
    const payloads = [command.example, { client: [here] }, { clients: [here] }, { room: 1 }, undefined]
    for (const payload of payloads) {
      const { status, text, headers } = await assistant.call(`GET ${path}`, payload)
      if (status === 200) served += 1
      not.match(text, hidden, `GET ${path}`)
      not.match(JSON.stringify(headers), hidden, `GET ${path}`)
    }
  }
  for (const [path] of [[`/jobs/${mixedJob}`], [`/jobs/${mixedJob}?client=${here}`]]) {
    not.match((await assistant.call(`GET ${path}`)).text, hidden)
  }
  ok(served > 20)
})

test('a computer that moves out disappears, one that moves in appears', async () => {
  await lab.call('POST /client/update', { ip: here2, room: 2 })
  equal((await assistant.call('GET /clients')).json.clients, [])
  is(await assistant.status('POST /poweroff', { clients: [here2] }), 403)
  await lab.call('POST /client/update', { ip: here2, room: 1 })
  is((await assistant.call('GET /clients')).json.clients.length, 1)
})

test('a token whose room is deleted sees nothing', async () => {
  const room = await add('POST /room/add', { name: 'Short', netmask: '255.255.255.0', center: 1 })
  const { call } = await addToken('short', 'read', { rooms: [room] })
  is((await call('GET /scopes')).json.scope.length, 1)
  await add('POST /room/delete', { id: String(room) })
  equal((await call('GET /scopes')).json.scope, [])
  equal((await call('GET /jobs')).json.jobs, [])
})

test.run()
