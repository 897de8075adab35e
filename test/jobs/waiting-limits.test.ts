// How many parts may wait in the queue: of one caller, and in all.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { jobIdOf } from '../harness/job-results.ts'
import { type CallResponse, call } from '../harness/rest-call.ts'
import { startSite } from '../harness/site-folder.ts'
import { startTestHost } from '../harness/test-host.ts'

const clients = Array.from({ length: 10 }, (_, index) => `127.0.87.${index + 1}`)
const steps = Array.from({ length: 10 }, (_, index) => ({
  command: 'shell-run',
  params: { run: `${index}`, echo: true },
}))
/** A job of 100 parts counts as some more, for its steps. */
const limits = { waiting_parts: 380, waiting_parts_per_caller: 260 }
const options = { limits, store: { path: './data' } }

async function startLab() {
  const lab = await startTestHost({ options })
  for (const addr of clients) await lab.addComputer(addr)
  await lab.call('POST /procedure/add', { center: '1', name: 'Ten', steps })
  await lab.call('POST /task/add', { center: '1', name: 'Ten', steps: [{ procedure: 1 }], clients })
  const run = () => lab.call('POST /procedure/run', { clients, procedure: '1' })
  const jobs = async (): Promise<{ id: number }[]> => (await lab.call('GET /jobs')).json.jobs
  return { lab, run, jobs }
}

const expectRefused = ({ status, text, headers }: CallResponse, pattern: RegExp) => {
  equal([status, text], [429, ''])
  match(String(headers['x-reason']), pattern)
}
const ofCaller = /^queue: expected at most 260 waiting parts of admin, got \d+$/

const test = suite('limits of waiting parts')

test('a run beyond the waiting parts of its caller is 429, and no job is stored', async () => {
  const { lab, run, jobs } = await startLab()
  try {
    const [first, second] = [await run(), await run()]
    equal([first.status, second.status], [200, 200])
    expectRefused(await run(), ofCaller)
    expectRefused(await lab.call('POST /task/run', { task: '1' }), ofCaller)
    const script = { clients, run: 'x'.repeat(5000), echo: true }
    expectRefused(await lab.call('POST /shell/run?queue=1', script), ofCaller)
    await lab.call('POST /job/cancel', { id: String(jobIdOf(first)) })
    is((await run()).status, 200)
    expectRefused(await lab.call('POST /job/retry', { id: String(jobIdOf(first)) }), ofCaller)
    equal((await jobs()).length, 3)
    // What does not wait is sent as ever.
    is((await lab.call('POST /shell/run', script)).status, 200)
  } finally {
    await lab.stop()
  }
})

test('a copy of an image that would wait for a slot counts, however its repository is named', async () => {
  const { lab, run, jobs } = await startLab()
  try {
    await lab.call('POST /repository/add', { name: 'images', ip: '10.1.1.1' })
    is((await lab.call('POST /repository/update', { repository: 2, slots: 1 })).status, 200)
    const [addr = ''] = clients
    await lab.agent(addr)
    equal([(await run()).status, (await run()).status], [200, 200])
    const image = { disk: '1', partition: '1', code: '131', name: 'x', id: '0', description: 'x'.repeat(5000) }
    for (const repository of [{ repository: '10.1.1.1' }, { repository_id: 2 }]) {
      expectRefused(await lab.call('POST /image/create', { clients: [addr], ...image, ...repository }), ofCaller)
    }
    equal((await jobs()).length, 2)
    equal((await lab.call('GET /images')).json.images, [])
  } finally {
    await lab.stop()
  }
})

test('clients that a site command adds to a request count', async () => {
  const { lab, save, stop } = await startSite({ limits: { waiting_parts_per_caller: 15 } })
  try {
    for (const addr of clients) await lab.addComputer(addr)
    await save(
      'whole.ts',
      `export default {
  summary: 'x', route: 'POST /whole',
  payload: { type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } },
  accept: () => ({ clients: ${JSON.stringify(clients)} }),
  forward: { to: 'POST /shell/run' },
}
`,
    )
    expectRefused(
      await lab.call('POST /whole?queue=1', { clients: clients.slice(9) }),
      /^queue: expected at most 15 waiting parts of admin, got \d+$/,
    )
    is((await lab.call('POST /whole', { clients: clients.slice(9) })).status, 200)
    equal((await lab.call('GET /jobs')).json.jobs.length, 1)
  } finally {
    await stop()
  }
})

test('runs at once get no more than is left, and other callers have their own until the limit of all', async () => {
  const { lab, run, jobs } = await startLab()
  try {
    const { token } = (await lab.call('POST /token/add', { name: 'lab', role: 'operate' })).json
    const other = () =>
      call(lab.host.ports.rest, 'POST /procedure/run', { clients, procedure: '1' }, { Authorization: token })
    const statuses = (await Promise.all([run(), run(), run(), run()])).map(({ status }) => status)
    is(statuses.filter(status => status === 429).length >= 2, true, statuses.join())
    while ((await run()).status === 200) {}
    is((await jobs()).length, 2)
    is((await other()).status, 200)
    expectRefused(await other(), /^queue: expected at most 380 waiting parts in all, got \d+$/)
    is((await jobs()).length, 3)
  } finally {
    await lab.stop()
  }
})

test('what waits counts after a restart, and no longer when it is cancelled or has been sent', async () => {
  const { lab, run } = await startLab()
  const { folder } = lab
  const ids = [jobIdOf(await run()), jobIdOf(await run())]
  await lab.stop('keep')
  const after = await startTestHost({ options, folder })
  try {
    const runAgain = () => after.call('POST /procedure/run', { clients, procedure: '1' })
    expectRefused(await runAgain(), ofCaller)
    await after.call('POST /job/cancel', { id: String(ids[0]) })
    is((await runAgain()).status, 200)
  } finally {
    await after.stop()
  }
})

test('a schedule beyond the limit of who made it is logged and in the audit log', async () => {
  const { lab, run } = await startLab()
  try {
    equal([(await run()).status, (await run()).status], [200, 200])
    await lab.call('POST /schedule/create', { task: '1', name: 'Nightly', type: 'task' })
    await lab.logged(/warn {2}schedules: \d+ Nightly: queue: expected at most 260 waiting parts of admin, got \d+$/m)
    const { audit } = (await lab.call('GET /audit')).json
    equal(audit.find(({ route }: { route: string }) => route === 'schedule 1')?.status, 429)
  } finally {
    await lab.stop()
  }
})

test.run()
