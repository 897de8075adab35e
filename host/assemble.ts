// Creates the services and connects them, in dependency order.
import type { Socket } from 'node:net'
import type { Schedule, Store } from '../stores/store.ts'
import { Admission } from './agents/admission.ts'
import { Fleet } from './agents/fleet.ts'
import { createBoot } from './boot/boot-files.ts'
import { createComputerFiles } from './boot/computer-files.ts'
import { createBootService } from './boot/service.ts'
import { createInventory } from './computers/inventory.ts'
import type { PacketSender } from './computers/magic-packet.ts'
import { createComputers } from './computers/service.ts'
import { createWake } from './computers/wake-on-lan.ts'
import type { Options } from './config/options.ts'
import { serverAddress } from './config/server-address.ts'
import { openRepository } from './images/repository.ts'
import { createImages } from './images/service.ts'
import { CommandServices } from './jobs/command-services.ts'
import type { Execute } from './jobs/execute.ts'
import { createJobs, type Jobs } from './jobs/jobs.ts'
import type { Loader } from './modules/loader.ts'
import type { Registry } from './modules/registry.ts'
import { isRefusal } from './refusal.ts'
import { Scheduler } from './schedules/scheduler.ts'
import { createSchedulesService } from './schedules/service.ts'
import type { ApiDocsService, EventsService } from './services.ts'
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
  registry: Registry
  loader: Loader
  apiDocs: ApiDocsService
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
  const { limits } = options
  const commandServices = new CommandServices(log, registry.signalOf)
  const admission = new Admission({ log, events, options: options.agents })
  const hasRecord = (addr: string) => admission.hasRecord(addr)
  const fleet = new Fleet({ log, events, limits, osStates: options.rest.os_states, hasRecord })
  const wake = createWake({ store, fleet, packets: deps.packets })
  const jobs = createJobs({
    store,
    fleet,
    wake,
    events,
    log,
    clock,
    limits,
    ensureWritable: deps.ensureWritable,
    deadlines: options.deadlines,
    services: commandServices,
    findCommand: registry.find,
    findFlagged: flag => registry.commands.find(({ command }) => command.forward?.[flag]),
  })
  const scheduler = new Scheduler({ store, clock, log, run: schedule => runSchedule(schedule, jobs, log) })
  commandServices.provide({
    store,
    fleet,
    wake,
    ...createRecordServices(deps, fleet, jobs),
    jobs: jobs.service,
    schedules: createSchedulesService({ store, clock, scheduler }),
    modules: loader,
    events: deps.eventStream,
    apiDocs: deps.apiDocs,
    health: deps.health,
    metrics,
  })
  metrics.addGauges({
    agents: () => fleet.clients().flatMap(({ state, status }) => (status === undefined ? [] : [state])),
    queued: () => jobs.queue.depth,
  })
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
      scheduler.close()
      await jobs.close()
    },
  }
}

/** The services for what is stored of computers and images. */
function createRecordServices({ options, log, store }: AssembleDeps, fleet: Fleet, jobs: Jobs) {
  const repository = openRepository(options.repository.directory, serverAddress(options))
  const boot = createBoot({ ...options.boot, server: repository.address, log })
  const computerFiles = createComputerFiles({ store, boot, repository })
  const cancelFor = (clients: string[]) => void jobs.queue.cancel({ clients }, 'computer deleted')
  return {
    repository,
    inventory: createInventory(store),
    images: createImages({ store, fleet, repository }),
    boot: createBootService({ store, boot, computerFiles, oglives: options.boot.oglives }),
    computers: createComputers({ store, fleet, computerFiles, cancelFor }),
  }
}

async function runSchedule({ id, type, task, name }: Schedule, jobs: Jobs, log: Log): Promise<void> {
  const job = await jobs.service.runSchedule(type, task, name)
  if (isRefusal(job)) log.warn('schedules', `${id} ${name}: ${job.refused}`)
}
