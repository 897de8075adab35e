// Compares the commands of this host with those of the other hosts of the fleet, by their digests.
import type { MemberHost } from '../../stores/store.ts'
import type { Cluster } from '../cluster/cluster.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { HostEntry, ModulesService } from '../contract/services.ts'

/** By the name of the command. */
type Digests = Readonly<Record<string, string>>

export const digestsOf = (commands: readonly LoadedCommand[]): Record<string, string> =>
  Object.fromEntries(commands.map(({ name, digest }) => [name, digest]))

/** None while one of the hosts has loaded nothing yet. */
export function compareModules(own: Digests, other: Digests): Required<Pick<HostEntry, 'lacks' | 'differs' | 'adds'>> {
  const [ownNames, otherNames] = [Object.keys(own).sort(), Object.keys(other).sort()]
  if (ownNames.length === 0 || otherNames.length === 0) return { lacks: [], differs: [], adds: [] }
  const shared = ownNames.filter(name => Object.hasOwn(other, name))
  return {
    lacks: ownNames.filter(name => !Object.hasOwn(other, name)),
    differs: shared.filter(name => own[name] !== other[name]),
    adds: otherNames.filter(name => !Object.hasOwn(own, name)),
  }
}

/** The list of command files with the hosts that differ. */
export function createSharedModules(
  { list }: ModulesService,
  digests: () => Digests,
  cluster: Pick<Cluster, 'key' | 'members'>,
): ModulesService {
  return {
    list() {
      const { lacks, differs } = hostsByCommand(digests(), othersOf(cluster))
      return list().map(entry => {
        // Of several files for one command, the one in service.
        if (entry.version === undefined) return entry
        const missing = lacks.get(entry.command)
        const differing = differs.get(entry.command)
        return { ...entry, ...(missing && { missing_on: missing }), ...(differing && { differs_on: differing }) }
      })
    },
    elsewhere: () => {
      const { adds } = hostsByCommand(digests(), othersOf(cluster))
      return [...adds].sort(([a], [b]) => (a < b ? -1 : 1)).map(([command, hosts]) => ({ command, hosts }))
    },
  }
}

/** One line for each host that differs. */
export function describeDifferences(digests: Digests, cluster: Pick<Cluster, 'key' | 'members'>): string[] {
  return othersOf(cluster).flatMap(({ name, modules }) => {
    const { lacks, differs, adds } = compareModules(digests, modules)
    const count = lacks.length + differs.length + adds.length
    return count === 0 ? [] : `modules: ${count} differ from those of host ${name}`
  })
}

const othersOf = ({ key, members }: Pick<Cluster, 'key' | 'members'>): MemberHost[] =>
  members().filter(({ name }) => name !== key().name)

function hostsByCommand(own: Digests, others: readonly MemberHost[]) {
  const hosts = {
    lacks: new Map<string, string[]>(),
    differs: new Map<string, string[]>(),
    adds: new Map<string, string[]>(),
  }
  for (const { name, modules } of others) {
    const differences = compareModules(own, modules)
    for (const kind of ['lacks', 'differs', 'adds'] as const) {
      for (const command of differences[kind]) hosts[kind].set(command, [...(hosts[kind].get(command) ?? []), name])
    }
  }
  return hosts
}
