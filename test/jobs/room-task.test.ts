// A task for a room that is off: it runs despite broken connections, missing replies and a killed daemon.
import { EventEmitter, once } from 'node:events'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { type Agent, connectAgent, type Request } from '../../host/test-kit/simulated-agent.ts'
import { endPrograms, newFolder, type Program, removeFolder, startProgram } from '../harness/daemon-process.ts'
import { readEvents } from '../harness/event-reader.ts'
import type { PartJson } from '../harness/job-results.ts'
import { token } from '../harness/test-host.ts'

export const runs = { seconds: 8 }

const folder = newFolder()
const env = { FLEET_API_TOKEN: token }
/** What happens to the restore on each of twelve computers. */
const scenarios: string[] = [
  ...Array(5).fill('done'),
  ...Array(3).fill('connection lost'),
  'no reply',
  ...Array(3).fill('daemon killed'),
]
const addrOf = (index: number) => `127.0.13.${index + 1}`
const requestPaths = new Map<string, string[]>()
/** Emits the address of each agent that gets a restore. */
const restores = new EventEmitter()

const partsOf = async (program: Program): Promise<PartJson[]> => (await program.call(token, 'GET /jobs/1')).json.parts
const readJobEvents = async (program: Program) => readEvents(await program.port(), '?type=job')

/** Connects an agent that records its requests and handles a restore according to its scenario. */
function boot(index: number, port: number): Promise<Agent> {
  const addr = addrOf(index)
  const record = ({ path }: Request) => requestPaths.set(addr, [...(requestPaths.get(addr) ?? []), path])
  const restored = { disk: '1', partition: '1', image_id: '1' }
  return connectAgent({
    port,
    addr,
    keep: false,
    auto: {
      '/refresh': { status: 200 },
      '/run/schedule': { status: 200 },
      '/image/restore': (request, agent) => {
        record(request)
        restores.emit(addr)
        if (scenarios[index] === 'connection lost') agent.destroy()
        return scenarios[index] === 'done' ? { status: 200, body: restored } : undefined
      },
      '/poweroff': (request, agent) => {
        record(request)
        setImmediate(() => void agent.close())
        return { status: 202 }
      },
    },
  })
}

/** Returns a function that calls a route and expects 200. */
const createPost = (program: Program) => async (route: string, payload: object) => {
  const { status } = await program.call(token, route, payload)
  is(status, 200, `${route}: ${program.output()}`)
}

/** Adds a room with twelve computers, and a task that wakes them, restores an image and powers them off. */
async function addTask(post: (route: string, payload: object) => Promise<void>): Promise<void> {
  await post('POST /center/add', { name: 'Center' })
  await post('POST /room/add', { name: 'Room', netmask: '255.255.255.0', center: 1 })
  for (const index of scenarios.keys()) {
    const mac = `0200000000${(index + 10).toString(16)}`.padEnd(12, '0')
    await post('POST /client/add', { name: `pc-${index}`, ip: addrOf(index), mac, room: 1 })
  }
  const restore = {
    disk: '1',
    partition: '1',
    name: 'image',
    repository: '10.1.1.1',
    type: 'UNICAST',
    profile: '1',
    id: '1',
  }
  const steps = [
    { command: 'wol', params: { type: 'unicast' } },
    { command: 'image/restore', params: restore },
    { command: 'poweroff', params: {} },
  ]
  await post('POST /procedure/add', { center: '1', name: 'Renew', steps })
  const scope = { type: 'room', id: 1 }
  await post('POST /task/add', { center: '1', name: 'Renew room', steps: [{ procedure: 1 }], scope })
}

const test = suite('task for a room')

test('the job has the right outcome for every computer, nothing runs twice, and everything that can run does', async () => {
  // Nothing serves the log of a restore here: what the agents reply counts.
  const options = { deadlines: { 'image-restore': 3 }, images: { log: { off: true } } }
  const first = startProgram(folder, { env, options })
  const ports = { rest: { port: await first.port() }, agents: { ip: '127.0.0.1', port: await first.agentsPort() } }
  const post = createPost(first)
  await addTask(post)
  await post('POST /task/run', { task: '1' })
  const woken = (await first.call(token, 'GET /clients')).json.clients
  equal(woken.filter(({ state }: { state: string }) => state === 'WOL_SENT').length, scenarios.length)

  const indexes = (...names: string[]) =>
    scenarios.flatMap((scenario, index) => (names.includes(scenario) ? [index] : []))
  const events = await readJobEvents(first)
  const ended = (index: number, command: string, state: string) =>
    events.first({ type: 'job-part', clients: [addrOf(index)], command, state })
  await Promise.all(indexes('done', 'connection lost', 'no reply').map(index => boot(index, ports.agents.port)))
  await Promise.all([
    ...indexes('done').map(index => ended(index, 'image-restore', 'success')),
    ...indexes('connection lost', 'no reply').map(index => ended(index, 'image-restore', 'failure')),
    ...indexes('done', 'no reply').map(index => ended(index, 'poweroff', 'success')),
  ])
  // These boot late, so that their deadline has not passed when the daemon is killed. A part is stored as sent before
  // its bytes are written, so wait for the agent's event.
  const received = indexes('daemon killed').map(index => once(restores, addrOf(index)))
  await Promise.all(indexes('daemon killed').map(index => boot(index, ports.agents.port)))
  await Promise.all(received)
  is((await partsOf(first)).filter(({ state }) => state === 'sent').length, 3)
  first.kill('SIGKILL')
  await first.ended

  const second = startProgram(folder, { env, options: { ...ports, ...options } })
  await second.agentsPort()
  // The computers whose connection broke connect again; the others have been powered off.
  const laterEvents = await readJobEvents(second)
  await Promise.all(indexes('connection lost', 'daemon killed').map(index => boot(index, ports.agents.port)))
  await laterEvents.first({ type: 'job-finished', job: 1 })
  laterEvents.close()
  const parts = await partsOf(second)
  const outcomesOf = (index: number) =>
    parts.filter(({ client }) => client === addrOf(index)).map(({ state, reason }) => reason ?? state)
  const restoreOutcomes: Record<string, string> = {
    done: 'success',
    'connection lost': 'connection lost',
    'no reply': 'no answer in time',
    'daemon killed': 'daemon restarted',
  }
  for (const [index, scenario] of scenarios.entries()) {
    equal(outcomesOf(index), ['success', restoreOutcomes[scenario], 'success'], addrOf(index))
    equal(requestPaths.get(addrOf(index)), ['/image/restore', '/poweroff'], addrOf(index))
  }
  second.kill('SIGTERM')
  is((await second.ended).code, 0)
})

test.after(async () => {
  await endPrograms()
  removeFolder(folder)
})
test.run()
