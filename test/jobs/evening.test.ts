// An evening in a lab: a task for a room that is off runs through broken connections, silence and a killed daemon.
import { EventEmitter, once } from 'node:events'
import { suite } from 'uvu'
import { equal, is } from 'uvu/assert'
import { endPrograms, newFolder, type Program, removeFolder, startProgram } from '../harness/daemon-process.ts'
import { readEvents } from '../harness/event-reader.ts'
import { type Agent, connectAgent, type Request } from '../harness/simulated-agent.ts'
import { token } from '../harness/test-host.ts'

const folder = newFolder()
const env = { FLEET_API_TOKEN: token }
/** What becomes of the restore on each of twelve computers. */
const fates = [...Array(5).fill('done'), ...Array(3).fill('killed'), 'silent', ...Array(3).fill('overtaken')]
const addrOf = (index: number) => `127.0.13.${index + 1}`
const received = new Map<string, string[]>()
/** Tells the address of each agent that gets a restore. */
const restores = new EventEmitter()

interface Told {
  client: string
  command: string
  state: string
  reason?: string
}

const partsOf = async (program: Program): Promise<Told[]> => (await program.call(token, 'GET /jobs/1')).json.parts
const newsOf = async (program: Program) => readEvents(await program.port(), '?type=job')

/** An agent that has been woken: it notes what it gets, and deals with a restore as its fate is. */
function boot(index: number, port: number): Promise<Agent> {
  const addr = addrOf(index)
  const note = ({ path }: Request) => received.set(addr, [...(received.get(addr) ?? []), path])
  const restored = { disk: '1', partition: '1', image_id: '1' }
  return connectAgent({
    port,
    addr,
    keep: false,
    auto: {
      '/refresh': { status: 200 },
      '/run/schedule': { status: 200 },
      '/image/restore': (request, agent) => {
        note(request)
        restores.emit(addr)
        if (fates[index] === 'killed') agent.destroy()
        return fates[index] === 'done' ? { status: 200, body: restored } : undefined
      },
      '/poweroff': (request, agent) => {
        note(request)
        setImmediate(() => void agent.close())
        return { status: 202 }
      },
    },
  })
}

const test = suite('a lab evening')

test('the job tells the truth for every computer, nothing runs twice, everything that can run does', async () => {
  const deadlines = { 'image-restore': 3 }
  const first = startProgram(folder, { env, options: { deadlines } })
  const ports = { rest: { port: await first.port() }, agents: { ip: '127.0.0.1', port: await first.agentsPort() } }
  const ask = async (route: string, payload: object) => {
    const { status } = await first.call(token, route, payload)
    is(status, 200, `${route}: ${first.output()}`)
  }
  await ask('POST /center/add', { name: 'Center' })
  await ask('POST /room/add', { name: 'Room', netmask: '255.255.255.0', center: 1 })
  for (const index of fates.keys()) {
    const mac = `0200000000${(index + 10).toString(16)}`.padEnd(12, '0')
    await ask('POST /client/add', { name: `pc-${index}`, ip: addrOf(index), mac, room: 1 })
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
  await ask('POST /procedure/add', { center: '1', name: 'Renew', steps })
  const scope = { type: 'room', id: 1 }
  await ask('POST /task/add', { center: '1', name: 'Evening', steps: [{ procedure: 1 }], scope })
  await ask('POST /task/run', { task: '1' })
  const woken = (await first.call(token, 'GET /clients')).json.clients
  equal(woken.filter(({ state }: { state: string }) => state === 'WOL_SENT').length, fates.length)

  // The machine that overtakes the daemon boots late, so that its deadline has not passed when the daemon is killed.
  const those = (...wanted: string[]) => [...fates.keys()].filter(index => wanted.includes(fates[index]))
  const news = await newsOf(first)
  const ended = (index: number, command: string, state: string) =>
    news.first({ type: 'job-part', clients: [addrOf(index)], command, state })
  await Promise.all(those('done', 'killed', 'silent').map(index => boot(index, ports.agents.port)))
  await Promise.all([
    ...those('done').map(index => ended(index, 'image-restore', 'success')),
    ...those('killed', 'silent').map(index => ended(index, 'image-restore', 'failure')),
    ...those('done', 'silent').map(index => ended(index, 'poweroff', 'success')),
  ])
  // A part is stored as sent before it is written: only the agent can tell that it has got it.
  const got = those('overtaken').map(index => once(restores, addrOf(index)))
  await Promise.all(those('overtaken').map(index => boot(index, ports.agents.port)))
  await Promise.all(got)
  is((await partsOf(first)).filter(({ state }) => state === 'sent').length, 3)
  first.kill('SIGKILL')
  await first.ended

  const second = startProgram(folder, { env, options: { ...ports, deadlines } })
  await second.agentsPort()
  // Those whose connection broke come back; the others have been powered off.
  const end = await newsOf(second)
  await Promise.all(those('killed', 'overtaken').map(index => boot(index, ports.agents.port)))
  await end.first({ type: 'job-finished', job: 1 })
  end.close()
  const parts = await partsOf(second)
  const outcome = (index: number) =>
    parts.filter(({ client }) => client === addrOf(index)).map(({ state, reason }) => reason ?? state)
  const wanted: Record<string, string> = {
    done: 'success',
    killed: 'connection lost',
    silent: 'no answer in time',
    overtaken: 'daemon restarted',
  }
  for (const [index, fate] of fates.entries()) {
    equal(outcome(index), ['success', wanted[fate], 'success'], addrOf(index))
    equal(received.get(addrOf(index)), ['/image/restore', '/poweroff'], addrOf(index))
  }
  second.kill('SIGTERM')
  is((await second.ended).code, 0)
})

test.after(async () => {
  await endPrograms()
  removeFolder(folder)
})
test.run()
