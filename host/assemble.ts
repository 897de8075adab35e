// Creates the services and connects them, in dependency order.
import type { Socket } from 'node:net'
import type { Store } from '../stores/store.ts'
import type { Audit } from './access/audit.ts'
import type { Access } from './access/service.ts'
import { type AgentServices, createAgents } from './agents/create-agents.ts'
import { createBoot } from './boot/boot-files.ts'
import { ClusterFiles } from './boot/cluster-files.ts'
import { ComputerFiles } from './boot/computer-files.ts'
import { createBootService } from './boot/service.ts'
import type { Cluster } from './cluster/cluster.ts'
import { createOneHost } from './cluster/one-host.ts'
import { AutoAdopt, createAdopt } from './computers/adopt.ts'
import { createInventory } from './computers/inventory.ts'
import { createOnAdopted } from './computers/on-adopted.ts'
import type { PacketSender } from './computers/packet-sender.ts'
import { createComputers } from './computers/service.ts'
import { createWakes } from './computers/wake-on-lan.ts'
import type { Certificate } from './config/certificate.ts'
import type { Options } from './config/options.ts'
import { bootServer } from './config/server-address.ts'
import type { AccessService, EventsService, Services } from './contract/services.ts'
import { createDiagnosis } from './diagnosis/service.ts'
import { createHooks } from './hooks/service.ts'
import { caches } from './images/cache-scripts.ts'
import { createPlannedRestores } from './images/planned-restores/service.ts'
import { createPreflight } from './images/preflight/service.ts'
import { createImages, createImaging, type Imaging } from './images/service.ts'
import { CommandServices } from './jobs/command-services.ts'
import { createSchedules } from './jobs/create-schedules.ts'
import { createJobs, type Jobs } from './jobs/jobs.ts'
import { createReadJobs } from './jobs/read-jobs.ts'
import type { Log } from './log/log.ts'
import { createHostServices } from './modules/host-services.ts'
import type { Loader } from './modules/loader.ts'
import { ModuleRuns } from './modules/module-runs.ts'
import type { Packs } from './modules/packs/packs.ts'
import { createPacksService } from './modules/packs/service.ts'
import type { Registry } from './modules/registry.ts'
import { createFinding } from './search/create-finding.ts'
import { backupBlocks } from './store/backup-lines.ts'
import { recordInventory } from './store/recorded-inventory.ts'
import type { Keep } from './store/undo-bin.ts'
import type { Clock } from './system/clock.ts'
import type { DiskSpace } from './system/disk-space.ts'
import type { Events } from './system/events.ts'
import type { Health } from './system/health.ts'
import type { Metrics } from './system/metrics.ts'
import { createUndo, type UndoDeps } from './undo/service.ts'
import { createViews } from './views/service.ts'

export interface AssembleDeps extends Pick<Access, 'reload' | 'resolveRights'> {
  options: Options
  log: Log
  events: Events
  clock: Clock
  store: Store
  /** See `UndoBin`. */
  keep: Keep
  /** See `ObservedStore`. */
  ensureWritable(): Promise<void>
  packets: PacketSender
  /** See `HostDeps`. */
  neighbourTable?: string
  registry: Registry
  packs: Packs
  loader: Loader
  pages: Pick<Services, 'apiDocs' | 'console' | 'agentProgram'>
  access: AccessService
  audit: Audit
  eventStream: EventsService
  health: Health
  disks: DiskSpace
  certificate: Certificate | undefined
  /** See `ObservedStore`. */
  probe(): Promise<void>
  metrics: Metrics
  /** The other hosts of the fleet; absent in a daemon that runs alone. */
  cluster?: Cluster
}

export function assemble(base: AssembleDeps) {
  const deps = { ...base, store: recordInventory(base.store, base.clock), runs: new ModuleRuns(base.metrics) }
  const { options, log, events, store, registry, packs } = deps
  const commandServices = new CommandServices({ log, events, packs, signalOf: loaded => registry.signalOf(loaded) })
  const agents = createAgents(deps)
  const { admission, fleet, neighbours } = agents
  const imaging = createImaging(deps, agents.sessions)
  const jobsCluster = deps.cluster ?? createOneHost(store, events)
  const { wake, wakes } = createWakes({ ...deps, ...agents, cluster: jobsCluster, seconds: options.wol.seconds })
  const { hooks, hooksService } = createHooks(deps, jobsCluster, loaded => commandServices.contextOf(loaded))
  const { lastSeen, recorder, ...found } = createFinding({ ...deps, ...agents, cluster: jobsCluster })
  const jobs = createJobs({
    ...deps,
    search: found.search,
    decider: hooks.decisions,
    cluster: jobsCluster,
    fleet,
    wake,
    limits: options.limits,
    ...imaging,
    services: commandServices,
    ...commandsOf(deps),
  })
  const { schedules, scheduler } = createSchedules(deps, jobsCluster, jobs)
  const { autoAdopt, clusterFiles, ...records } = createRecordServices({ ...deps, ...imaging, scheduler }, agents, jobs)
  const jobServices = createJobServices({ ...deps, fleet, wake }, imaging, jobs)
  const services = { store, fleet, wake, ...records, ...jobServices, ...found, schedules }
  commandServices.provide({
    ...services,
    views: createViews({ ...deps, contextOf: loaded => commandServices.contextOf(loaded) }),
    plans: createPlannedRestores(services),
    ...createHostServices({ ...deps, agents: () => fleet.states().length }),
    packs: createPacksService({ ...deps, services: commandServices }),
    ...madeBefore(deps),
    hooks: hooksService,
    diagnosis: createDiagnosis({ ...deps, ...agents, ...records, ...deps.pages, lastSeen, wakes, schedules }),
  })
  addSources(deps, agents, jobs)
  return {
    execute: jobs.execute,
    findTargets: found.search.targets,
    /** Adds the connection of an agent, or closes it when there are too many. */
    connectAgent(addr: string, socket: Socket) {
      if (admission.admit(addr, socket)) fleet.connect(addr, socket, () => jobs.connectRequest(addr))
    },
    /** Continues the jobs and schedules of the store. To be called when commands are loaded and before agents connect. */
    async start() {
      admission.addComputers(await store.computers.list())
      void clusterFiles?.writeAll()
      await Promise.all([lastSeen.load(), wakes.load(), hooks.load()])
      await jobs.start()
      await scheduler.start()
      hooks.start()
    },
    stopHooks: () => hooks.stop(),
    stopHistory: () => recorder.stop(),
    closeAgents: () => fleet.close(),
    jobs,
    /** Starts nothing new; resolves when all known outcomes are stored. */
    async close() {
      for (const each of [neighbours, autoAdopt, scheduler, imaging.transfers]) each.close()
      await wakes.close()
      await jobs.close()
      await hooks.close()
      await Promise.all([clusterFiles?.close(), records.images.close(), lastSeen.close(), recorder.close()])
    },
  }
}

const madeBefore = ({ clock, eventStream, pages, access, audit, health, metrics }: AssembleDeps) => ({
  now: () => clock.now(),
  events: eventStream,
  ...pages,
  access,
  audit: audit.service,
  health,
  metrics,
})

/** What jobs ask of commands. */
const commandsOf = ({ registry, options: { deadlines } }: AssembleDeps) => ({
  deadlines,
  findCommand: (name: string) => registry.find(name),
  findFlagged: (flag: 'onConnect' | 'beforeQueue' | 'stopsJobs') =>
    registry.commands.find(({ command }) => command.forward?.[flag]),
})

function createJobServices(deps: AssembleDeps & Pick<Services, 'fleet' | 'wake'>, imaging: Imaging, jobs: Jobs) {
  const readJobs = createReadJobs({ ...deps, ...imaging, ...jobs, waitsOf: jobs.service.waitsOf })
  return { jobs: { ...jobs.service, ...readJobs }, drain: jobs.drain }
}

/** What health and metrics read. */
function addSources({ health, metrics, cluster }: AssembleDeps, { fleet, admission }: AgentServices, jobs: Jobs): void {
  health.addState('drain', () => (jobs.drain.state().draining ? 'no new work is accepted' : undefined))
  metrics.addSource('agents', () => fleet.states().map(state => [[state], 1]))
  metrics.addSource('refused', () => Array.from(admission.refused.counts, ([reason, count]) => [[reason], count]))
  metrics.addSource('queued', () => jobs.queue.depth)
  if (cluster) metrics.addSource('hosts', () => cluster.members().length)
}

/** The services for what is known of computers and images. */
function createRecordServices(
  deps: AssembleDeps & Imaging & Pick<UndoDeps, 'scheduler'>,
  agents: AgentServices,
  jobs: Jobs,
) {
  const { options, log, events, store, keep, cluster, repository } = deps
  const { fleet, reports, sessions } = agents
  const boot = createBoot({ ...options.boot, server: bootServer(options), log })
  const computerFiles = new ComputerFiles({ store, boot, repository })
  const { cancelFor } = jobs
  const onAdopted = createOnAdopted(events, agents, jobs)
  const adopt = createAdopt({ store, computerFiles, reports, refusals: agents.admission.refused, onAdopted })
  const hosts = cluster && { local: cluster.key().name, members: () => cluster.members().map(({ name }) => name) }
  const clusterFiles = cluster && new ClusterFiles({ events, store, computerFiles, log })
  cluster?.feed.onGap(() => void clusterFiles?.writeAll())
  const images = createImages({ ...deps, fleet, options: options.repository, ...(hosts && { hosts }) })
  const computers = createComputers({ store, keep, fleet, computerFiles, cancelFor, adopt })
  return {
    clusterFiles,
    autoAdopt: new AutoAdopt({ log, events, options: options.agents, adopt, reports }),
    pending: reports,
    sessions,
    backup: { blocks: () => backupBlocks(store.backup.dump()) },
    inventory: createInventory(store),
    images,
    repository: images,
    imageFiles: images,
    caches,
    preflight: createPreflight({ ...deps, fleet, sessions, images }),
    boot: createBootService({ store, boot, computerFiles, options }),
    computers,
    undo: createUndo({ ...deps, ...commandsOf(deps), reloadAccounts: deps.reload, computerFiles, computers, images }),
  }
}
