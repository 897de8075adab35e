// Creates the services and connects them, in dependency order.
import type { Socket } from 'node:net'
import type { Store } from '../stores/store.ts'
import type { Audit } from './access/audit.ts'
import { Admission } from './agents/admission.ts'
import { Fleet } from './agents/fleet.ts'
import { Introductions } from './agents/introductions.ts'
import { LoggedIn } from './agents/logged-in.ts'
import { Neighbours } from './agents/neighbours.ts'
import { createBoot } from './boot/boot-files.ts'
import { createComputerFiles } from './boot/computer-files.ts'
import { createBootService } from './boot/service.ts'
import { createAdopt } from './computers/adopt.ts'
import { AutoAdopt } from './computers/auto-adopt.ts'
import { createInventory } from './computers/inventory.ts'
import type { PacketSender } from './computers/magic-packet.ts'
import { createRefresh } from './computers/refresh-adopted.ts'
import { createComputers } from './computers/service.ts'
import { createWake } from './computers/wake-on-lan.ts'
import type { Options } from './config/options.ts'
import { serverAddress } from './config/server-address.ts'
import { openRepository } from './images/repository.ts'
import { createImages } from './images/service.ts'
import { CommandServices } from './jobs/command-services.ts'
import type { Execute } from './jobs/execute.ts'
import { fireSchedule } from './jobs/fire-schedule.ts'
import { createJobs, type Jobs } from './jobs/jobs.ts'
import type { Loader } from './modules/loader.ts'
import type { Registry } from './modules/registry.ts'
import { Scheduler } from './schedules/scheduler.ts'
import { createSchedulesService } from './schedules/service.ts'
import type { AccessService, EventsService, Rights, Services } from './services.ts'
import { backupBlocks } from './system/backup-lines.ts'
import type { Clock } from './system/clock.ts'
import type { Events } from './system/events.ts'
import type { Health } from './system/health.ts'
import type { Log } from './system/log.ts'
import type { Metrics } from './system/metrics.ts'

export interface AssembleDeps {
  options: Options
  log: Log
  events: Events
  clock: Clock
  store: Store
  /** See `ObservedStore`. */
  ensureWritable(): Promise<void>
  packets: PacketSender
  /** See `HostDeps`. */
  neighbourTable: string | undefined
  registry: Registry
  loader: Loader
  pages: Pick<Services, 'apiDocs' | 'console' | 'agentProgram'>
  access: AccessService
  audit: Audit
  /** The present rights of who made a schedule; undefined when that account is gone, disabled or expired. */
  resolveRights(reference: string): Promise<Rights | undefined>
  eventStream: EventsService
  health: Health
  metrics: Metrics
}

export interface Assembly {
  execute: Execute
  /** Adds the connection of an agent, or closes it when there are too many. */
  connectAgent(addr: string, socket: Socket): void
  /** Continues the jobs and schedules of the store. To be called when commands are loaded and before agents connect. */
  start(): Promise<void>
  closeAgents(): void
  /** Starts nothing new; resolves when all known outcomes are stored. */
  close(): Promise<void>
}

export function assemble(deps: AssembleDeps): Assembly {
  const { options, log, events, clock, store, registry, loader, metrics } = deps
  const commandServices = new CommandServices(log, registry.signalOf)
  const agents = createAgents(deps)
  const { admission, fleet, neighbours } = agents
  const wake = createWake({ store, fleet, packets: deps.packets })
  const jobs = createJobs({
    store,
    fleet,
    wake,
    events,
    log,
    clock,
    limits: options.limits,
    ensureWritable: deps.ensureWritable,
    deadlines: options.deadlines,
    services: commandServices,
    findCommand: registry.find,
    findFlagged: flag => registry.commands.find(({ command }) => command.forward?.[flag]),
  })
  const { schedules, scheduler } = createSchedules(deps, jobs)
  const { autoAdopt, ...records } = createRecordServices(deps, agents, jobs)
  commandServices.provide({
    store,
    fleet,
    wake,
    ...records,
    jobs: jobs.service,
    schedules,
    drain: jobs.drain,
    modules: loader,
    events: deps.eventStream,
    ...deps.pages,
    access: deps.access,
    audit: deps.audit.service,
    health: deps.health,
    metrics,
  })
  addSources(deps, agents, jobs)
  return {
    execute: jobs.execute,
    connectAgent(addr, socket) {
      if (admission.admit(addr, socket)) fleet.connect(addr, socket, () => jobs.connectRequest(addr))
    },
    async start() {
      admission.addComputers(await store.computers.list())
      await jobs.start()
      await scheduler.start()
    },
    closeAgents: () => fleet.close(),
    async close() {
      neighbours.close()
      autoAdopt.close()
      scheduler.close()
      await jobs.close()
    },
  }
}

/** What health and metrics read. */
function addSources({ health, metrics }: AssembleDeps, { fleet, admission }: Agents, jobs: Jobs): void {
  health.addState('drain', () => (jobs.drain.state().draining ? 'no new work is accepted' : undefined))
  metrics.addSources({
    agents: () => fleet.clients().flatMap(({ state, status }) => (status === undefined ? [] : [state])),
    queued: () => jobs.queue.depth,
    refused: () => admission.refusals(),
  })
}

type Agents = ReturnType<typeof createAgents>

/** Which agents may connect, those that are connected, and what they and the network say of their computers. */
function createAgents({ options, log, events, store, neighbourTable }: AssembleDeps) {
  const { agents, limits, rest } = options
  const admission = new Admission({ log, events, options: agents })
  const hasRecord = (addr: string) => admission.hasRecord(addr)
  const fleet = new Fleet({ log, events, limits, osStates: rest.os_states, hasRecord })
  const neighbours = new Neighbours({ log, events, store, hasRecord, table: neighbourTable })
  const introductions = new Introductions({ events, hasRecord, table: neighbourTable, limits })
  return { admission, fleet, neighbours, introductions }
}

/** The services for what is known of computers and images. */
function createRecordServices(deps: AssembleDeps, agents: Agents, jobs: Jobs) {
  const { options, log, events, store } = deps
  const { fleet, introductions } = agents
  const repository = openRepository(options.repository.directory, serverAddress(options))
  const boot = createBoot({ ...options.boot, server: repository.address, log })
  const computerFiles = createComputerFiles({ store, boot, repository })
  const cancelFor = (clients: string[], reason: string) => void jobs.queue.cancel({ clients }, reason)
  const adopt = createAdopt({ store, computerFiles, introductions, onAdopted: createOnAdopted(deps, agents, jobs) })
  return {
    repository,
    autoAdopt: new AutoAdopt({ log, events, options: options.agents, adopt, introductions }),
    pending: introductions,
    sessions: new LoggedIn(events),
    backup: { blocks: () => backupBlocks(store.backup.dump()) },
    inventory: createInventory(store),
    images: createImages({ store, fleet, repository }),
    boot: createBootService({ store, boot, computerFiles, oglives: options.boot.oglives }),
    computers: createComputers({ store, fleet, computerFiles, cancelFor, adopt }),
  }
}

/** What adopted clients are sent, and the comparison of their hardware addresses. */
function createOnAdopted({ events }: AssembleDeps, { fleet, neighbours }: Agents, jobs: Jobs) {
  const refresh = createRefresh({
    events,
    send(addr) {
      const request = jobs.connectRequest(addr)
      return request ? fleet.send(addr, request) : 'sent'
    },
  })
  return (addrs: string[]) => {
    refresh(addrs)
    for (const addr of addrs) neighbours.add(addr)
  }
}

function createSchedules({ store, clock, log, audit, resolveRights }: AssembleDeps, { service, resolveRuns }: Jobs) {
  const suspend = (id: number) => schedules.suspend(id)
  const fireDeps = { runner: service, log, audit, resolveRights, suspend }
  const scheduler = new Scheduler({ store, clock, log, run: schedule => fireSchedule(schedule, fireDeps) })
  const schedules = createSchedulesService({
    store,
    clock,
    scheduler,
    isInside: resolveRuns.isInside,
    resolveTarget: resolveRuns.target,
    checkCommand: resolveRuns.checkCommand,
  })
  return { schedules, scheduler }
}
