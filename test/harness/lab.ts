// Starts a host with what many tests do: clients and scripts, queued parts, tasks, limited tokens, boot files and images.
import { equal, is } from 'uvu/assert'
import type { Agent, Request } from '../../host/test-kit/simulated-agent.ts'
import { freePort } from './free-port.ts'
import { followJobs, jobIdOf } from './job-results.ts'
import { bootCalls, bootFolders } from './lab-boot.ts'
import { imageCalls, logCalls, serverAddress } from './lab-images.ts'
import type { CallResponse } from './rest-call.ts'
import { startTestHost, type TestHost, type TestHostOptions } from './test-host.ts'

export interface LabOptions extends TestHostOptions {
  /** The first three numbers of the addresses of new clients. */
  subnet?: string
  /** Computers `<subnet>.1` and `.2` are in room 1, `.3` and `.4` in room 2; `.4` is in maintenance. */
  rooms?: true
  /** Computers and rooms inside and outside the scope of tokens. */
  scope?: true
  /** Its own copy of the boot templates, and its own folder of boot files. */
  boot?: true
  /** The repository of images is this server's. */
  repository?: true
  /** Reads the logs of clients, with these options of `images.log`. */
  logs?: object
}

export type Lab = Awaited<ReturnType<typeof startLab>>

export async function startLab({ subnet = '127.0.5', rooms, scope, boot, repository, logs, ...more }: LabOptions = {}) {
  const folders = boot && bootFolders()
  const port = logs && (await freePort())
  const testHost = await startTestHost({
    ...(folders && { folder: folders.folder }),
    ...more,
    options: {
      ...(folders && { boot: { server: '10.1.1.1', lang: 'C', ...folders.options } }),
      ...(repository && { boot: { server: serverAddress } }),
      ...(logs && { images: { log: { port, ...logs } } }),
      ...more.options,
      ...(repository && { repository: { directory: './images', ...Object(more.options?.repository) } }),
    },
  })
  let clients = 0
  const nextAddress = () => {
    clients += 1
    return `${subnet}.${clients}`
  }
  const ownLogs = logCalls(testHost, nextAddress, port ?? 0)
  if (rooms) await addRooms(testHost, subnet)
  if (scope) await addOutsiders(testHost)
  return {
    ...testHost,
    ...clientCalls(testHost, nextAddress),
    ...queueCalls(testHost, nextAddress),
    ...stepCalls(testHost),
    ...accessCalls(testHost),
    ...bootCalls(testHost, folders?.options),
    ...imageCalls(testHost, nextAddress),
    ...ownLogs,
    async stop(keep?: 'keep') {
      await testHost.stop(keep)
      await ownLogs.closeLogs()
    },
  }
}

/** An entry of `GET /clients`. */
interface ClientJson {
  addr: string
  state: string
  speed?: number
  last_cmd: { result: string }
  status?: string
}

export const scriptPayload = { run: 'true', echo: true }

function clientCalls(testHost: TestHost, nextAddress: () => string) {
  const clients = async (): Promise<ClientJson[]> => (await testHost.call('GET /clients')).json.clients
  return {
    clients,
    client: async (addr: string) => (await clients()).find(client => client.addr === addr),
    /** Connects a new agent and waits until it has received the command. `ended` is the event `command-ended`. */
    async sendToNewAgent(route = 'POST /shell/run', payload: object = scriptPayload) {
      const addr = nextAddress()
      const agent = await testHost.agent(addr)
      const ended = testHost.event('command-ended', { addr })
      await testHost.call(route, { clients: [addr], ...payload })
      return { addr, agent, ended, request: await agent.next() }
    },
    /** What the last script printed. */
    output: async (addr: string): Promise<string | undefined> =>
      (await testHost.call('POST /shell/output', { clients: [addr] })).json.clients[0]?.output,
    /** Checks that the client has no last command: it is sent another one. */
    async expectFree(addr: string, agent: Agent): Promise<void> {
      await testHost.call('POST /run/schedule', { clients: [addr] })
      await agent.next('/run/schedule')
    },
  }
}

export const shellPayload = (addr: string, run: string) => ({ clients: [addr], run, echo: true })

function queueCalls(testHost: TestHost, nextAddress: () => string) {
  return {
    jobs: followJobs(testHost),
    /** Adds a computer record without an agent and resolves to its address. */
    async newComputer(): Promise<string> {
      const addr = nextAddress()
      await testHost.addComputer(addr)
      return addr
    },
    /** Calls shell/run with `?queue=1` and resolves to the job's id. */
    queueShell: async (addr: string, run: string, query = ''): Promise<number> =>
      jobIdOf(await testHost.call(`POST /shell/run?queue=1${query}`, shellPayload(addr, run))),
  }
}

/** Waits for the next request, which must have this path, and replies to it. */
export async function replyToNext(agent: Agent, path: string, status = 200, body?: object): Promise<Request> {
  const request = await agent.next(path)
  agent.answer(status, body)
  return request
}

/** A step that runs a script. */
export const shellStep = (text: string) => ({ command: 'shell-run', params: { run: text, echo: false } })

async function addRooms(testHost: TestHost, subnet: string): Promise<void> {
  await testHost.addComputer(`${subnet}.1`)
  await testHost.addComputer(`${subnet}.2`)
  await testHost.call('POST /room/add', { name: 'Second', netmask: '255.255.255.0', center: 1 })
  await testHost.addComputer(`${subnet}.3`, { room: 2 })
  await testHost.addComputer(`${subnet}.4`, { room: 2, maintenance: true })
  await testHost.call('POST /center/add', { name: 'Other center' })
}

/** Procedures and tasks of center 1. */
function stepCalls({ call, log }: TestHost) {
  // biome-ignore lint/suspicious/noExplicitAny: each test expects a shape of its own
  const procedures = async (): Promise<any[]> => (await call('GET /procedures')).json.procedures
  // biome-ignore lint/suspicious/noExplicitAny: each test expects a shape of its own
  const tasks = async (): Promise<any[]> => (await call('GET /tasks')).json.tasks
  const expectEmpty200 = ({ status, text }: CallResponse) => equal([status, text], [200, ''], log.at(-1))
  return {
    procedures,
    tasks,
    /** Resolves to its id, as `addTask` does. */
    async addProcedure(name: string, steps: object[]): Promise<number> {
      expectEmpty200(await call('POST /procedure/add', { center: '1', name, steps }))
      return (await procedures()).at(-1).id
    },
    /** `target`: keys `scope` or `clients`. */
    async addTask(name: string, steps: object[], target: object = {}): Promise<number> {
      expectEmpty200(await call('POST /task/add', { center: '1', name, steps, ...target }))
      return (await tasks()).at(-1).id
    },
    /** Resolves to the job's id. */
    runTask: async (id: number): Promise<number> => jobIdOf(await call('POST /task/run', { task: String(id) })),
  }
}

/** Room 1 of center 1 is inside the scope of tokens; room 2 of the same center and center 2 are outside. */
export const inside = ['127.0.31.1', '127.0.31.2']
export const outside = ['127.0.32.1', '127.0.33.1']

/** In no response to a limited caller: names and addresses of what lies outside. */
export const hidden = /127\.0\.3[23]\.|outsider/i

async function addOutsiders(testHost: TestHost): Promise<void> {
  const { add } = accessCalls(testHost)
  for (const ip of inside) await testHost.addComputer(ip)
  await add('POST /room/add', { name: 'Outsider room', netmask: '255.255.255.0', center: 1 })
  await add('POST /center/add', { name: 'Outsider center' })
  await add('POST /room/add', { name: 'Outsider lab', netmask: '255.255.255.0', center: 2 })
  for (const [at, ip] of outside.entries()) {
    await testHost.addComputer(ip, { name: `outsider-${at}`, room: 2 + at })
  }
}

export type LimitedCaller = Awaited<ReturnType<ReturnType<typeof accessCalls>['addToken']>>

function accessCalls({ call, log }: TestHost) {
  return {
    status: async (route: string, payload?: unknown): Promise<number> => (await call(route, payload)).status,
    /** Calls a route as admin, expects 200, and resolves to the id of what was added. */
    async add(route: string, payload: object): Promise<number> {
      const { status, headers } = await call(route, payload)
      is(status, 200, `${route}: ${log.at(-1)}`)
      return Number(headers['x-id'])
    },
    /** Adds a token that is limited to room 1, or as `more` limits it. */
    async addToken(name: string, role: string, more: object = { rooms: [1] }) {
      const { status, json } = await call('POST /token/add', { name, role, ...more })
      is(status, 200, log.at(-1))
      const own = (route: string, payload?: unknown) => call(route, payload, { Authorization: json.token })
      const statusOf = async (route: string, payload?: unknown): Promise<number> => (await own(route, payload)).status
      return { id: Number(json.id), token: String(json.token), call: own, status: statusOf }
    },
  }
}
