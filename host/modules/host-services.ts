// What is known of all hosts of the cluster, and which modules they lack, have in another version, or have alone.
import { hostname } from 'node:os'
import type { Cluster } from '../cluster/cluster.ts'
import { leaderOf } from '../cluster/leader.ts'
import type { Options } from '../config/options.ts'
import { restUrl } from '../config/server-address.ts'
import type { LoadedModule } from '../contract/loaded-module.ts'
import type { HostsService, ModulesService, Services } from '../contract/services.ts'
import type { Health } from '../system/health.ts'
import { version } from '../system/version.ts'
import type { Registry } from './registry.ts'

/** Digests of modules, by name. */
type Digests = Readonly<Record<string, string>>

/** Absent in a daemon that runs alone. */
type Members = Pick<Cluster, 'key' | 'members'> | undefined

interface HostServicesDeps {
  options: Options
  registry: Registry
  loader: Pick<ModulesService, 'list'>
  health: Health
  /** How many agents are connected to this host. */
  agents(): number
  cluster?: Cluster
}

/** Also adds to the health what concerns the cluster: commands that differ are no reason to be unready. */
export function createHostServices(deps: HostServicesDeps): Pick<Services, 'modules' | 'hosts'> {
  const { options, registry, loader, health, agents, cluster } = deps
  const digests = () => digestsOf(registry.modules)
  if (cluster) {
    health.addState('cluster', () => (cluster.isMember() ? undefined : 'this host is no member of the fleet now'))
    health.addNotes(() => describeDifferences(digests(), cluster))
  }
  return {
    modules: createModuleList(loader, digests, cluster),
    hosts: createHostList({ url: restUrl(options), agents, digests, cluster }),
  }
}

/** A host tells them with each of its heartbeats; the list is replaced as a whole when a module changes. */
const known = new WeakMap<readonly LoadedModule[], Digests>()

export function digestsOf(modules: readonly LoadedModule[]): Digests {
  const digests =
    known.get(modules) ?? Object.fromEntries(modules.map(loaded => [keyOf(loaded.kind, loaded.name), loaded.digest]))
  known.set(modules, digests)
  return digests
}

/** The name of a command, as earlier versions have it; other kinds have other names. */
const keyOf = (kind: string, name: string) => (kind === 'command' ? name : `${kind} ${name}`)

interface HostListDeps {
  /** Of the REST API. */
  url: string
  agents(): number
  digests(): Digests
  cluster: Pick<Cluster, 'key' | 'members' | 'remote'> | undefined
}

export function createHostList({ url, agents, digests, cluster }: HostListDeps): HostsService {
  const alone = { name: hostname(), url, joined: Date.now(), version, modules: {} }
  return {
    list() {
      const counts = new Map([[cluster?.key().name ?? alone.name, agents()]])
      for (const { host } of cluster?.remote.list() ?? []) counts.set(host, (counts.get(host) ?? 0) + 1)
      const local = digests()
      const members = cluster?.members() ?? [alone]
      return members.map(host => {
        const differences = Object.entries(compareModules(local, host.modules))
        return {
          name: host.name,
          url: host.url,
          since: new Date(host.joined).toISOString(),
          leader: host === leaderOf(members),
          agents: counts.get(host.name) ?? 0,
          version: host.version,
          ...Object.fromEntries(differences.filter(([, names]) => names.length > 0)),
        }
      })
    },
  }
}

/** The list of module files with the hosts that differ. */
export function createModuleList(
  loader: Pick<ModulesService, 'list'>,
  digests: () => Digests,
  cluster: Members,
): ModulesService {
  /** The names of hosts by module. */
  function hostsThat(kind: keyof ReturnType<typeof compareModules>): Map<string, string[]> {
    const local = digests()
    const hosts = new Map<string, string[]>()
    for (const { name, modules } of othersOf(cluster)) {
      for (const command of compareModules(local, modules)[kind])
        hosts.set(command, [...(hosts.get(command) ?? []), name])
    }
    return hosts
  }
  return {
    list() {
      const [lacking, differing] = [hostsThat('lacks'), hostsThat('differs')]
      return loader.list().map(entry => {
        // Of several files for one name, the one in service.
        if (entry.version === undefined) return entry
        const key = keyOf(entry.kind ?? 'command', entry.command)
        const [missing, other] = [lacking.get(key), differing.get(key)]
        return { ...entry, ...(missing && { missing_on: missing }), ...(other && { differs_on: other }) }
      })
    },
    elsewhere: () =>
      [...hostsThat('adds')].sort(([a], [b]) => (a < b ? -1 : 1)).map(([command, hosts]) => ({ command, hosts })),
  }
}

/** One line for each host that differs. */
export function describeDifferences(digests: Digests, cluster: Members): string[] {
  return othersOf(cluster).flatMap(({ name, modules }) => {
    const count = Object.values(compareModules(digests, modules)).flat().length
    return count === 0 ? [] : `modules: ${count} differ from those of host ${name}`
  })
}

const othersOf = (cluster: Members) => cluster?.members().filter(({ name }) => name !== cluster.key().name) ?? []

/** None while one of the hosts has loaded nothing yet. */
export function compareModules(local: Digests, other: Digests) {
  const [localNames, otherNames] = [Object.keys(local).sort(), Object.keys(other).sort()]
  if (localNames.length === 0 || otherNames.length === 0) return { lacks: [], differs: [], adds: [] }
  return {
    lacks: localNames.filter(name => !Object.hasOwn(other, name)),
    differs: localNames.filter(name => Object.hasOwn(other, name) && local[name] !== other[name]),
    adds: otherNames.filter(name => !Object.hasOwn(local, name)),
  }
}
