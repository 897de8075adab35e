// Starts and stops the daemon's parts in order. The program starts one host; tests start hosts in their own process.
import type { AddressInfo, Server as AgentServer } from 'node:net'
import { openAudit } from './access/audit.ts'
import { openAccess } from './access/service.ts'
import { listenForAgents } from './agents/connection/connection.ts'
import { createApiDocs } from './api-docs/service.ts'
import { assemble } from './assemble.ts'
import { type Followed, followChanges } from './cluster/follow-changes.ts'
import type { OpenCluster } from './cluster/open-cluster.ts'
import { openPacketSender } from './computers/packet-sender.ts'
import { openCertificate } from './config/certificate.ts'
import { firstSteps } from './config/first-steps.ts'
import { type Options, OptionsError } from './config/options.ts'
import { createConsole } from './console/service.ts'
import type { PackContext } from './contract/pack.ts'
import { createEventStream } from './event-stream/service.ts'
import { listenForCallers } from './http/server.ts'
import { createAgentProgram } from './linux-agent/service.ts'
import { type Log, message } from './log/log.ts'
import { digestsOf } from './modules/host-services.ts'
import type { Loader } from './modules/loader.ts'
import { closeModules, createModules, warnOfUnknownDeadlines } from './modules/loader.ts'
import type { IsEnabled } from './modules/pack-names.ts'
import { Packs } from './modules/packs/packs.ts'
import { Registry } from './modules/registry.ts'
import { observeStore } from './store/observed-store.ts'
import { loadAdapter, storeOf } from './store/open-store.ts'
import { UndoBin } from './store/undo-bin.ts'
import { type Clock, systemClock } from './system/clock.ts'
import { createDiskProbe } from './system/disk-probe.ts'
import { DiskSpace, writtenFolders } from './system/disk-space.ts'
import { createEvents, type Events } from './system/events.ts'
import { createHealth } from './system/health.ts'
import { createMetrics } from './system/metrics.ts'
import { descriptorShortage } from './system/process/descriptors.ts'
import { version } from './system/version.ts'

export interface HostDeps {
  options: Options
  /** The API token; it may change at any time. */
  token: { readonly value: string }
  log: Log
  /** UDP port of the magic packets; tests listen on a port of their own. */
  wakePort?: number
  /** The file of the kernel's neighbour table; tests name another one. */
  neighbourTable?: string
  /** The time of schedules and the queue; tests set it. */
  clock?: Clock
}

export interface Host {
  /** The ports in use; with port 0 in the options the system chooses them. */
  ports: { rest: number; agents: number }
  events: Events
  loader: Loader
  /** The modules in service. */
  registry: Registry
  packs: Packs
  /** Reads the files of the certificate again, when there is one. */
  reloadCertificate(): void
  /** Lines that say what to do next, see first-steps.ts; none when there are rooms. */
  firstSteps(isSecret: boolean): Promise<string[]>
  /** What the functions of a pack's files have: for tests of modules. */
  packContext(pack: string): PackContext
  /** With several hosts: publishes what has happened here, and reads what the others have published. */
  synchronize(): Promise<void>
  stop(): Promise<void>
}

/** What was started, in order; stopped in reverse order. */
type Closers = (() => unknown)[]

/** Returns what it is given, to be closed at the end. */
type Closing = <Part extends { close(): unknown }>(part: Part) => Part

/** Rejects when a port or the store cannot be opened; everything that was opened before is closed again. */
export async function startHost(deps: HostDeps): Promise<Host> {
  const closers: Closers = []
  const stop = () => closeAll(closers, deps.log)
  try {
    return { ...(await start(deps, closers)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function start(deps: HostDeps, closers: Closers): Promise<Omit<Host, 'stop'>> {
  const closing: Closing = part => {
    closers.push(() => part.close())
    return part
  }
  const base = await openBase(deps, closing)
  const { options, log, events, store, certificate, registry, loader, packs } = base
  const others = options.cluster && closing(await joinCluster(base))
  const cluster = others?.cluster
  const access = closing(await openAccess(base))
  const follow = (followed: Followed) => closers.push(followChanges(followed, { events, log, cluster }))
  follow({ type: 'accounts-changed', what: 'tokens and users', reload: () => access.reload() })
  follow({ type: 'packs-changed', what: 'settings of packs', reload: () => packs.reload() })
  const eventStream = await createEventStream({ ...base, ...access, feed: cluster?.feed })
  const { service, loginLink } = access
  const pages = createPages(options, registry)
  const assembly = closing(assemble({ ...base, ...access, pages, access: service, eventStream, cluster }))
  const cancelRefused = () => void access.refreshScopes().then(assembly.jobs.cancelRefused)
  access.onChange(cancelRefused)
  await loader.start()
  closers.push(() => closeModules(loader, registry))
  closers.push(packs.onChange(() => void loader.renewService()))
  closers.push(packs.onRightsChange(cancelRefused))
  warnOfUnknownDeadlines(options, registry, log)
  // Before modules go out of service, also when the start fails: hooks without a file would be forgotten.
  closers.push(assembly.stopHooks)
  await assembly.start()
  cancelRefused()
  others?.start({ emitEnded: assembly.jobs.emitEnded })
  const agents = await listenForAgents(options.agents, assembly.connectAgent, log)
  closers.push(() => {
    agents.close()
    assembly.stopHistory()
    assembly.closeAgents()
  })
  addHealthChecks(base, agents)
  const callers = closing(await listenForCallers({ ...base, ...access, ...assembly }))
  // Closed before the server waits for its callers: a stream does not end by itself.
  closing(eventStream)
  return {
    ports: { rest: callers.port, agents: portOf(agents.address()) },
    events,
    loader,
    registry,
    packs,
    reloadCertificate: () => certificate?.reload(),
    firstSteps: isSecret => firstSteps({ store, loginLink, rest: options.rest, port: callers.port }, isSecret),
    packContext: pack => packs.contextOf(pack),
    synchronize: async () => others?.synchronize(),
  }
}

/** What needs nothing else of the daemon, from metrics to the folders of commands. */
async function openBase(deps: HostDeps, closing: Closing) {
  const { options, log, wakePort, clock = systemClock } = deps
  const { limits } = options
  const events = createEvents(log)
  const metrics = closing(createMetrics(events))
  const certificate = openCertificate(options.rest, log, clock)
  if (certificate) {
    closing(certificate)
    metrics.addSource('certificateDays', () => certificate.days)
  }
  const health = createHealth()
  const disks = closing(new DiskSpace({ folders: writtenFolders(options), log, health }))
  const opened = closing(await openStore(options, log))
  const observed = observeStore(opened, events, metrics.observeWrite)
  const packets = closing(await openPacketSender({ interface: options.wol.interface, port: wakePort }, log))
  const audit = closing(await openAudit({ ...observed, folder: options.store.path, limits, clock, log, events }))
  health.addState('audit log', () => audit.problem())
  const { keep } = closing(new UndoBin({ ...observed, clock, log }))
  const { documents } = observed.store
  const registry = new Registry()
  const packs = new Packs({ documents, registry, options, limits, log, health })
  await packs.reload()
  const isEnabled: IsEnabled = (pack, origin) => packs.isEnabled(pack, origin)
  const loader = createModules({ options, log, events, registry, isEnabled })
  const modules = { registry, loader, packs }
  const own = { limits, clock, events, metrics, certificate, health, disks, packets, audit, keep }
  return { ...deps, ...observed, ...modules, ...own }
}

type Base = Awaited<ReturnType<typeof openBase>>

/** With the option `cluster`: nothing of it is loaded otherwise. */
async function joinCluster(base: Base): Promise<OpenCluster> {
  const { openCluster } = await import('./cluster/open-cluster.ts')
  return openCluster({ ...base, version, modules: () => digestsOf(base.registry.modules) })
}

/** What is served that is not made of records. */
const createPages = (options: Options, registry: Registry) => ({
  apiDocs: createApiDocs(() => registry.commands),
  console: createConsole(),
  agentProgram: createAgentProgram(options),
})

function addHealthChecks({ health, options, probe, registry }: Base, agents: AgentServer): void {
  health.add('store', async () => void (await probe()))
  health.add('disk', createDiskProbe(options.store.path))
  health.add('descriptors', async () => descriptorShortage())
  health.addState('agents', () => (agents.listening ? undefined : 'the port does not listen'))
  health.addState('modules', () => (registry.commands.length > 0 ? undefined : 'no command is in service'))
}

async function closeAll(closers: Closers, log: Log): Promise<void> {
  for (const close of closers.splice(0).reverse()) {
    try {
      await close()
    } catch (error) {
      // The parts below it, above all the store, must be closed all the same.
      log.error('daemon', 'could not close a part of the daemon', error)
    }
  }
}

async function openStore(options: Options, log: Log) {
  const { default: open } = await loadAdapter(options.store)
  return open(storeOf(options), log, options.limits).catch(error => {
    throw new OptionsError(message(error))
  })
}

const portOf = (address: AddressInfo | string | null): number => (address instanceof Object ? address.port : 0)
