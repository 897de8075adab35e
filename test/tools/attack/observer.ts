// Child process with the well-behaved peers of the daemon: callers, a reader of events, and the agents of the fleet.

import { Agent as Connections, get } from 'node:http'
import { type Agent, connectAgent, type Request } from '../../../host/test-kit/simulated-agent.ts'
import { type CallResponse, call, token } from '../../harness/rest-call.ts'
import { quantile } from '../bench/measurement.ts'
import { now, serveParent } from '../bench/processes/child-process.ts'

export interface Observation {
  /** Requests of callers, and how many of them failed, with the first reasons. */
  calls: number
  failed: number
  reasons: string[]
  /** Milliseconds. */
  p99: number
  slowest: number
  /** Commands to agents of the fleet, and how many of them an agent did not get in time. */
  commands: number
  missed: number
  /** Connections of agents that the daemon closed. */
  dropped: number
  /** Jobs whose end was not reported to the reader of events. */
  lostEvents: number
}

interface Peers {
  ports: { rest: number; agents: number }
  /** The addresses of the agents. */
  fleet: string[]
  /** Milliseconds after which a command is missed, and a job's event is lost. */
  patience: number
}

/** Milliseconds between two requests of a caller, two new computers, and two commands. */
const callInterval = 25
const addInterval = 50
const commandInterval = 100

/** Milliseconds after which a request has failed. */
const callTimeout = 15_000

/** Few, as a console has them: requests wait for a free connection. */
const connections = new Connections({ keepAlive: true, maxSockets: 16 })
const requestOptions = { agent: connections, timeout: callTimeout }

let patience = 0
let latencies: number[] = []
let failed = 0
let reasons: string[] = []
let commands = 0
let missed = 0
let dropped = 0
let window = 0
let isLeaving = false
const acknowledged: string[] = []
/** Start times of running requests, by request; of commands that no agent has received, by path and address. */
const running = new Map<number, number>()
const underWay = new Map<string, number>()
/** When each job was accepted whose end was not reported. */
const unfinished = new Map<number, number>()
const finished = new Set<number>()
let agents: Agent[] = []

let requests = 0

async function measure(port: number, route: string, payload?: object): Promise<CallResponse | undefined> {
  requests += 1
  const number = requests
  const [began, sent] = [window, now()]
  running.set(number, sent)
  const result = await call(port, route, payload, {}, requestOptions).catch((error: Error) => error)
  running.delete(number)
  // A request that began in an earlier window was counted there.
  if (began === window) latencies.push(now() - sent)
  const problem = result instanceof Error ? result.message : problemOf(result)
  if (!(result instanceof Error) && problem === undefined) return result
  if (isLeaving) return undefined
  failed += 1
  if (reasons.length < 3) reasons.push(`${route}: ${problem}`)
  return undefined
}

const problemOf = ({ status, headers }: CallResponse) =>
  status === 200 ? undefined : `${status} ${headers['x-reason'] ?? ''}`

/** Starts `work` at each interval, whether earlier requests have their responses or not. */
async function repeat(interval: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let due = now()
  for (let index = 0; !isLeaving; index += 1) {
    void work(index)
    const reached = now()
    due = Math.max(due + interval, reached)
    await new Promise(resolve => setTimeout(resolve, due - reached))
  }
}

/** Commands alternate between two kinds, and from agent to agent. */
async function command(port: number, fleet: string[], index: number): Promise<void> {
  const addr = fleet[index % fleet.length] ?? ''
  const path = Math.floor(index / fleet.length) % 2 === 0 ? '/shell/run' : '/probe'
  const key = `${path} ${addr}`
  commands += 1
  underWay.set(key, now())
  const payload = { clients: [addr], ...(path === '/probe' ? {} : { run: 'true', echo: true }) }
  const route = path === '/probe' ? 'POST /clients' : 'POST /shell/run'
  const response = await measure(port, route, payload)
  if (!response) return void underWay.delete(key)
  const job = Number(response.headers['x-job-id'] ?? 0)
  if (job > 0 && !finished.has(job)) unfinished.set(job, now())
}

function onRequest({ path }: Request, { addr }: Agent): void {
  const sent = underWay.get(`${path} ${addr}`)
  underWay.delete(`${path} ${addr}`)
  if (sent !== undefined && now() - sent > patience) missed += 1
}

const done = (body: object) => (request: Request, agent: Agent) => {
  onRequest(request, agent)
  return { status: 200, body }
}

async function connectFleet(port: number, fleet: string[]): Promise<void> {
  const auto = {
    '/refresh': { status: 200 },
    '*': { status: 200 },
    '/probe': done({ status: 'OPG', speed: 1000 }),
    '/shell/run': done({ out: 'done\n' }),
  }
  agents = await Promise.all(fleet.map(addr => connectAgent({ port, addr, auto, keep: false })))
  for (const agent of agents) {
    void agent.closed.then(() => {
      if (!isLeaving) dropped += 1
    })
  }
}

/** Reads the events of jobs for ever, and calls `onFinished` with the id of each job that has ended. */
function readFinishedJobs(port: number, onFinished: (job: number) => void): void {
  const headers = { Authorization: token }
  const options = { host: '127.0.0.1', port, path: '/events?type=job-finished', headers, agent: false } as const
  const stream = get(options, response => {
    let text = ''
    response.setEncoding('utf8')
    response.on('error', () => {})
    response.on('data', chunk => {
      text += chunk
      const end = text.lastIndexOf('\n\n') + 1
      for (const [, job] of text.slice(0, end).matchAll(/^data: .*"job":(\d+)/gm)) onFinished(Number(job))
      text = text.slice(end)
    })
  })
  // Jobs whose events are missing are counted.
  stream.on('error', () => {})
}

export type Observer = typeof calls
const calls = serveParent({
  async connect({ ports, fleet }: Pick<Peers, 'ports' | 'fleet'>): Promise<void> {
    await connectFleet(ports.agents, fleet)
  },
  /** Starts all callers. `fleet[0]` is the computer that one of them reads. */
  start({ ports: { rest }, fleet, patience: milliseconds }: Peers): void {
    patience = milliseconds
    readFinishedJobs(rest, job => {
      finished.add(job)
      unfinished.delete(job)
    })
    const info = { client: [fleet[0]] }
    void repeat(callInterval, () => measure(rest, 'GET /clients'))
    void repeat(callInterval, () => measure(rest, 'GET /client/info', info))
    void repeat(addInterval, async index => {
      const ip = `127.61.${index >> 8}.${index & 255}`
      const mac = (0x02_61_00_00_00_00 + index).toString(16).padStart(12, '0')
      const computer = { name: `new-${index}`, ip, mac, room: 2, boot: 'none' }
      const added = await measure(rest, 'POST /client/add', computer)
      if (added) acknowledged.push(ip)
    })
    void repeat(commandInterval, index => command(rest, fleet, index))
  },
  /** What was observed since the last report. */
  report(): Observation {
    const time = now()
    for (const sent of running.values()) latencies.push(time - sent)
    for (const [key, sent] of underWay) {
      if (time - sent < patience) continue
      missed += 1
      underWay.delete(key)
    }
    const lost = [...unfinished].filter(([, accepted]) => time - accepted > patience)
    for (const [job] of lost) unfinished.delete(job)
    const [p99, slowest] = latencies.length === 0 ? [0, 0] : [quantile(latencies, 0.99), quantile(latencies, 1)]
    const counts = { calls: latencies.length, failed, reasons, commands, missed, dropped, lostEvents: lost.length }
    window += 1
    latencies = []
    reasons = []
    failed = commands = missed = dropped = 0
    return { ...counts, p99, slowest }
  },
  /** The addresses of the computers that the daemon has acknowledged. */
  acknowledged: (): string[] => acknowledged,
  /** Ends all requests. */
  leave(): void {
    isLeaving = true
    connections.destroy()
    for (const agent of agents) agent.destroy()
  },
})
