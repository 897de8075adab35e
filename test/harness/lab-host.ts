// One host of a jobs lab: its jobs, and clients in place of connected agents.
import { adminRights } from '../../host/access/rights.ts'
import type { AgentOutcome, AgentRequest } from '../../host/agents/agent-request.ts'
import type { Limits } from '../../host/config/options.ts'
import type { Request, Rights } from '../../host/contract/services.ts'
import { CommandServices } from '../../host/jobs/command-services.ts'
import type { JobsDeps } from '../../host/jobs/deps.ts'
import { createJobs, type Jobs } from '../../host/jobs/jobs.ts'
import { createLog } from '../../host/log/log.ts'
import type { Clock } from '../../host/system/clock.ts'
import { createEvents, type FleetEvent } from '../../host/system/events.ts'
import type { ClusterJobs, EndedParts, HostKey, Store } from '../../stores/store.ts'
import { labCommand } from './lab-command.ts'
import type { LabFleet } from './lab-fleet.ts'
import { pollUntil } from './poll.ts'

/** What one host of the lab has of the store. */
export interface LabStore {
  store: Store
  work: ClusterJobs
  key: HostKey
  /** Calls the listener when the host has got parts. */
  onNotice(listener: () => void): void
  /** Ends the membership; resolves to what that ended. */
  remove(reason: string): Promise<EndedParts[]>
  /** Becomes a member again. */
  join(): Promise<HostKey>
}

export const everyone: Rights = {
  name: 'admin',
  reference: 'admin',
  role: 'admin',
  isLimited: false,
  hasClient: () => true,
  hasRoom: () => true,
  reachesRoom: () => true,
  hasCenter: () => true,
  reachesCenter: () => true,
}

interface LabAgent {
  request?: AgentRequest | undefined
  part: number
}

const limits: Partial<Limits> = {
  forward: 1_000_000,
  expiry_seconds: 900,
  run_steps: 100,
  run_parts: 100_000,
  jobs_days: 90,
  jobs_count: 10_000,
}

/** The files of these hosts are in no pack. */
const signalOf = () => new AbortController().signal
const noPacks = { contextOf: () => ({ settings: {}, collections: {} }), rightsOf: () => undefined }

export class LabHost {
  readonly name: string
  readonly jobs: Jobs
  readonly work: ClusterJobs
  /** Its own events, in their order. */
  readonly emitted: FleetEvent[] = []
  readonly log: string[] = []
  /** What its clients were sent: address and command. */
  readonly sent: string[] = []
  readonly commands = new Map([
    ['shell-run', labCommand('shell-run')],
    ['reboot', labCommand('reboot', { whileBusy: 'interrupt' })],
    ['run-schedule', labCommand('run-schedule', { beforeQueue: true })],
  ])
  key: HostKey
  isMember = true
  readonly #fleet: LabFleet
  readonly #store: LabStore
  readonly #log = createLog(line => this.log.push(line))
  readonly events = createEvents(this.#log)
  readonly #agents = new Map<string, LabAgent>()
  readonly #onWork: (() => void)[] = []

  constructor(fleet: LabFleet, store: LabStore, clock: Clock) {
    this.#fleet = fleet
    this.#store = store
    this.key = store.key
    this.name = store.key.name
    this.work = store.work
    store.onNotice(() => this.tick())
    this.events.on((event, isRelayed) => {
      if (!isRelayed) this.emitted.push(event)
      if (!isRelayed) fleet.publish(this.name, event)
    })
    this.jobs = createJobs({
      store: store.store,
      fleet: this.#createFleet(),
      cluster: fleet.add(this, listener => void this.#onWork.push(listener)),
      wake: { send: async () => ({ result: 'success' }), lastSent: () => undefined },
      events: this.events,
      log: this.#log,
      clock,
      limits: limits as Limits, // `as`: the others are not used here.
      ensureWritable: async () => {},
      deadlines: {},
      watchImaging: undefined,
      services: new CommandServices({ log: this.#log, events: this.events, signalOf, packs: noPacks }),
      audit: { add() {} },
      findCommand: name => this.commands.get(name),
      search: { targets: async () => ({ where: '', clients: [] }) },
      access: { rightsOf: () => adminRights },
      resolveRights: async () => adminRights,
      decider: { concerns: () => false, ask: async () => new Map() },
      findFlagged: flag => [...this.commands.values()].find(({ command }) => command.forward?.[flag]),
    })
  }

  /** Calls a command, by its name, and resolves to the job's id. */
  async run(name: string, clients: string[], query: Record<string, string> = {}): Promise<number> {
    const loaded = this.commands.get(name)
    if (!loaded) throw new Error(`expected a command, got ${name}`)
    let id = 0
    const job = (stored: number) => {
      id = stored
    }
    const request = { query, caller: '127.0.0.1', rights: everyone, job }
    const answer = await this.jobs.execute(loaded, { clients }, request as unknown as Request) // `as`: enough here
    if (answer) throw new Error(JSON.stringify(answer))
    return id
  }

  connect(addr: string): void {
    this.#agents.set(addr, { part: -1 })
    this.events.emit({ type: 'client-connected', addr })
    this.#fleet.hold(addr, this.name)
    this.events.emit({ type: 'client-ready', addr })
  }

  readonly disconnect = (addr: string): void => {
    const agent = this.#agents.get(addr)
    if (!agent) return
    this.#agents.delete(addr)
    agent.request?.onEnd?.(addr, { result: 'failure', reason: 'disconnected', answered: false }, agent.part)
    this.events.emit({ type: 'client-gone', addr })
    this.#fleet.release(addr, this.name)
  }

  isWorking(addr: string): boolean {
    return this.#agents.get(addr)?.request !== undefined
  }

  /** Ends the request that the client works on. */
  reply(addr: string, outcome: Partial<AgentOutcome> = {}): void {
    const agent = this.#agents.get(addr)
    if (!agent?.request) throw new Error(`expected a request, got none: ${addr}`)
    const { request, part } = agent
    agent.request = undefined
    request.onEnd?.(addr, { result: 'success', answered: true, ...outcome }, part)
    const { result = 'success' } = outcome
    this.events.emit({ type: 'command-ended', addr, command: request.command, result })
  }

  /** Resolves when the client works on a request of this command. */
  works(addr: string, name = 'shell-run'): Promise<void> {
    return pollUntil(() => this.#agents.get(addr)?.request?.command === name)
  }

  /** Becomes a member again, in a new epoch. */
  async rejoin(): Promise<void> {
    this.key = await this.#store.join()
    this.isMember = true
    this.#fleet.rejoin(this.name, this.#agents.keys())
  }

  /** Notifies as the cluster does each second. */
  tick(): void {
    for (const listener of this.#onWork) listener()
  }

  #createFleet(agents = this.#agents): JobsDeps['fleet'] {
    return {
      has: addr => agents.has(addr) || this.#fleet.hasRemote(addr, this.name),
      hasLocal: addr => agents.has(addr),
      isReady: addr => agents.has(addr) && !this.isWorking(addr),
      isLeaving: () => false,
      batchWrites: work => work(),
      clearOutput: () => {},
      clientsOf: job => [...agents].flatMap(([addr, { request }]) => (request?.step?.job.id === job ? [addr] : [])),
      send: (addr, request, part = -1) => {
        const agent = agents.get(addr)
        if (!agent) return 'not connected'
        if (agent.request && !request.forward.whileBusy) return 'busy'
        agents.set(addr, { request, part })
        this.sent.push(`${addr} ${request.command}`)
        return 'sent'
      },
    }
  }
}
