// Reading jobs: GET /jobs with its filters, GET /jobs/<id> in pages, and the deletion of old jobs.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { followJobs, jobIdOf, type PartJson } from '../harness/job-results.ts'
import { pollUntil } from '../harness/poll.ts'
import { startTestHost } from '../harness/test-host.ts'

const testHost = await startTestHost()
const jobs = followJobs(testHost)
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index)
const shell = (...clients: string[]) => ({ clients, run: 'id', echo: true })

const test = suite('job list')

test('GET /jobs lists counts, the newest first, filtered by state, command, client and limit', async () => {
  const addr = '127.0.16.1'
  const agent = await testHost.agent(addr)
  const ids: number[] = []
  for (const route of ['POST /shell/run', 'POST /session', 'POST /shell/run']) {
    const job = jobIdOf(await testHost.call(route, { ...shell(addr, '10.5.5.5'), disk: '1', partition: '1' }))
    ids.push(job)
    await agent.next()
    agent.answer(200)
    await jobs.finished(job)
  }
  const list = async (query: string) => (await testHost.call(`GET /jobs?${query}`)).json.jobs
  const [newest] = await list('limit=1')
  const { created, ...rest } = newest
  match(created, /^\d{4}-\d\d-\d\dT/)
  equal(rest, {
    id: ids[2],
    origin: 'request',
    name: 'shell-run',
    by: 'admin',
    caller: '127.0.0.1',
    commands: ['shell-run'],
    counts: { queued: 0, sent: 0, success: 1, failure: 0, skipped: 1, expired: 0, cancelled: 0 },
    computers: { queued: 0, sent: 0, success: 1, failure: 0, skipped: 1, expired: 0, cancelled: 0, stopped: 0 },
    arguments: [{ run: 'id', echo: true, disk: '1', partition: '1' }],
  })
  const listIds = async (query: string) => (await list(query)).map(({ id }: { id: number }) => id)
  equal(await listIds(`client=${addr}`), [...ids].reverse())
  equal(await listIds(`client=${addr}&command=session`), [ids[1]])
  equal(await listIds(`client=${addr}&state=success&limit=2`), [ids[2], ids[1]])
  equal(await listIds(`client=${addr}&state=failure`), [])
  for (const query of ['state=done', 'limit=x', 'limit=-1']) {
    is((await testHost.call(`GET /jobs?${query}`)).status, 400)
  }
})

test('GET /jobs and GET /jobs/<id> show the arguments and the caller; long texts are cut', async () => {
  const { addr } = await testHost.agent('127.0.16.2')
  const clients = [addr, '10.5.5.5']
  const job = jobIdOf(await testHost.call('POST /shell/run', { clients, run: 'x'.repeat(5000), echo: true }))
  const { json } = await testHost.call(`GET /jobs/${job}`)
  equal([json.caller, json.arguments], ['127.0.0.1', [{ run: `${'x'.repeat(4096)}…`, echo: true }]])
  const [listed] = (await testHost.call('GET /jobs?limit=1')).json.jobs
  equal([listed.id, listed.caller, listed.arguments], [job, '127.0.0.1', json.arguments])
})

test('the arguments of a list of jobs stay within the response limit: of many long ones the newest are shown', async () => {
  for (const _ of upTo(40)) {
    await testHost.call('POST /shell/run', { clients: ['10.5.5.5'], run: '€'.repeat(4200), echo: true })
  }
  const { status, json } = await testHost.call('GET /jobs?limit=40')
  is(status, 200)
  equal(
    json.jobs.map((job: { arguments: (object | null)[] }) => job.arguments[0] !== null),
    upTo(40).map(index => index < 5),
  )
})

test('the arguments of many steps stay within the response limit', async () => {
  const steps = upTo(25).map(() => ({ command: 'shell-run', params: { run: 'x'.repeat(4200), echo: false } }))
  await testHost.addComputer('10.5.5.6')
  const { headers } = await testHost.call('POST /procedure/add', { center: '1', name: 'Long', steps })
  const run = { clients: ['10.5.5.6'], procedure: String(headers['x-id']) }
  const job = jobIdOf(await testHost.call('POST /procedure/run', run))
  const { json, status } = await testHost.call(`GET /jobs/${job}`)
  is(status, 200)
  equal(
    json.arguments.map((one: object | null) => one !== null),
    upTo(20).map(index => index < 15),
  )
  is(json.caller, '127.0.0.1')
})

test('GET /jobs/<id> returns parts in pages of 500; next is where the following page begins', async () => {
  const clients = Array.from({ length: 1200 }, (_, index) => `10.4.${Math.floor(index / 250)}.${(index % 250) + 1}`)
  const job = jobIdOf(await testHost.call('POST /shell/run', shell(...clients)))
  const listedClients: string[] = []
  let query = ''
  for (const size of [500, 500, 200]) {
    const { json } = await testHost.call(`GET /jobs/${job}${query}`)
    is(json.parts.length, size)
    listedClients.push(...json.parts.map(({ client }: PartJson) => client))
    query = `?after=${json.next}`
  }
  is(query, '?after=undefined')
  equal(listedClients, clients)
})

test('a job that does not exist is 400; the route matches only at its end or at a /', async () => {
  for (const path of ['/jobs/999999', '/jobs/x', '/jobs/1/2']) {
    is((await testHost.call(`GET ${path}`)).status, 400, path)
  }
  is((await testHost.call('GET /jobsX')).status, 404)
})

test('after many new jobs the old ones are deleted before the hourly cleanup', async () => {
  const smallHost = await startTestHost({ options: { limits: { jobs_count: 5 } } })
  try {
    const listIds = async (): Promise<number[]> =>
      (await smallHost.call('GET /jobs?limit=1000')).json.jobs.map(({ id }: { id: number }) => id)
    for (let count = 0; count < 100; count += 1) await smallHost.call('POST /shell/run', shell('10.5.5.5'))
    await pollUntil(async () => (await listIds()).length <= 5)
    equal(await listIds(), [100, 99, 98, 97, 96])
  } finally {
    await smallHost.stop()
  }
})

test.after(() => testHost.stop())
test('GET /jobs names the room of all computers of a job, or says how many rooms they are in', async () => {
  const { call } = testHost
  await testHost.addComputer('10.5.6.1')
  await testHost.addComputer('10.5.6.2')
  is((await call('POST /room/add', { name: 'Studio', center: 1, netmask: '255.255.255.0' })).status, 200)
  const studio = (await call('GET /scopes')).json.scope[0].scope.find(({ name }: { name: string }) => name === 'Studio')
  const [one, other] = ['10.5.6.1', '10.5.6.2']
  is((await call('POST /client/move', { clients: [other], room: studio.id })).status, 200)
  for (const clients of [['10.5.9.9'], [other], [one, other]]) await call('POST /shell/run', shell(...clients))
  const roomsOf = async (loginToken?: string) => {
    const { json } = await call('GET /jobs?limit=3', undefined, loginToken ? { Authorization: loginToken } : {})
    return json.jobs.map(({ room, rooms }: { room?: string; rooms?: number }) => [room, rooms])
  }
  const all = [
    [undefined, 2],
    ['Studio', undefined],
    [undefined, undefined],
  ]
  equal(await roomsOf(), all)
  equal(await roomsOf(), all)
  // Of others than its own rooms a token learns nothing.
  const { json } = await call('POST /token/add', { name: 'studio', role: 'operate', rooms: [studio.id] })
  equal(await roomsOf(json.token), [
    ['Studio', undefined],
    ['Studio', undefined],
  ])
})

test.run()
