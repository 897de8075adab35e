// What a deletion does to other records: which queued commands it ends, and what has nothing to run on or to restore then.
import { addressesIn, findNode } from '../../stores/rules/scope-nodes.ts'
import type { Frozen, Schedule, ScopeNode, Step, Store, Task } from '../../stores/store.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { Deletion, Rights } from '../contract/services.ts'
import { nextFiring } from '../schedules/recurrence.ts'
import { jobsOn } from '../schedules/waiting-jobs.ts'
import { placesOf } from '../search/describe-targets.ts'
import type { Clock } from '../system/clock.ts'

export interface EffectsDeps {
  store: Store
  clock: Clock
  findCommand(name: string): LoadedCommand | undefined
}

/** `only for it: schedule Updates (schedule 3)`, `cancelled: job 12 on 5 computers`, `to be restored by …`. */
export async function effectsOf(
  { kind, id, clients = [], version }: Deletion,
  { isLimited, hasClient }: Rights,
  deps: EffectsDeps,
): Promise<string[]> {
  const { store } = deps
  const number = Number(id)
  if (kind === 'image') return isLimited ? [] : restores(number, version, deps)
  const scopes = await store.scopes()
  const isDeleted = new Set(clients)
  const nodes =
    kind === 'computer' || kind === 'address'
      ? scopes.flatMap(({ scope }) => scope.flatMap(room => room.scope.filter(isNodeOf(isDeleted))))
      : [findNode(scopes, { type: kind, id: number }) ?? []].flat()
  const gone = new Set(nodes.flatMap(addressesIn))
  const kept = new Set(scopes.flatMap(addressesIn).filter(addr => !gone.has(addr)))
  // They follow an address.
  const schedules = isLimited || kind === 'address' ? [] : await findIdle({ nodes, gone, kept }, deps)
  const addrs = [...clients, ...gone].filter(addr => !isLimited || hasClient(addr))
  return [
    ...(schedules.length > 0 ? [`only for ${nodes.length > 1 ? 'them' : 'it'}: ${schedules.join(', ')}`] : []),
    ...(await jobsOn('running', addrs, store)),
    ...(await jobsOn('cancelled', addrs, store)),
  ]
}

const isNodeOf = (addrs: ReadonlySet<string>) => (node: Frozen<ScopeNode>) => 'ip' in node && addrs.has(node.ip)

const scheduleWords = ({ id, name }: Schedule) => `schedule ${name} (schedule ${id})`

async function readComing({ store, clock }: EffectsDeps): Promise<Schedule[]> {
  const now = new Date(clock.now())
  return (await store.schedules.list()).filter(row => !row.suspended && nextFiring(row, now) !== undefined)
}

interface Gone {
  nodes: Frozen<ScopeNode[]>
  /** The addresses in them, and those of the computers that stay. */
  gone: ReadonlySet<string>
  kept: ReadonlySet<string>
}

/** Those that fire again, for these alone, for what is in them, or for a list of such computers. */
async function findIdle({ nodes, gone, kept }: Gone, deps: EffectsDeps): Promise<string[]> {
  const { schedules, tasks } = deps.store
  const all = await tasks.list()
  const idle = (await readComing(deps)).map(async row => {
    const { type, task: id } = row
    const scheduled = type === 'command' ? await schedules.findScheduledCommand(id) : undefined
    const targets: Partial<Task> = scheduled ?? all.find(each => type === 'task' && each.id === id) ?? {}
    const { clients = [] } = targets
    const losesAll = clients.some(addr => gone.has(addr)) && !clients.some(addr => kept.has(addr))
    const places = placesOf(targets)
    const losesPlaces = places.length > 0 && places.every(place => findNode(nodes, place))
    return losesAll || losesPlaces ? scheduleWords(row) : []
  })
  return (await Promise.all(idle)).flat()
}

/** Schedules that fire again, and procedures of people that no such schedule runs. */
async function restores(id: number, version: number | undefined, deps: EffectsDeps): Promise<string[]> {
  const { store, findCommand } = deps
  const image = await store.images.findById(id)
  if (!image) return []
  const names = (name: unknown) =>
    version === undefined ? String(name).replace(/\.v\d+$/, '') === image.name : name === `${image.name}.v${version}`
  const restoresIt = (step: Step) =>
    'command' in step && findCommand(step.command)?.command.imaging === 'read' && names(step.params.name)
  const [procedures, tasks] = [await store.procedures.list(), await store.tasks.list()]
  const schedules = await readComing(deps)
  const schedulesOf = (kind: 'procedure' | 'task', id: number): Schedule[] => {
    const runsIt = ({ steps }: { steps: readonly object[] }) => steps.some(step => Reflect.get(step, kind) === id)
    return [
      ...schedules.filter(row => row.type === kind && row.task === id),
      ...procedures.filter(runsIt).flatMap(each => schedulesOf('procedure', each.id)),
      ...tasks.filter(runsIt).flatMap(each => schedulesOf('task', each.id)),
    ]
  }
  const users = procedures
    .filter(({ steps }) => steps.some(restoresIt))
    .map(procedure => {
      return { procedure, runs: schedulesOf('procedure', procedure.id) }
    })
  const others = users.filter(({ procedure, runs }) => runs.length === 0 && !procedure.planned)
  const words = [
    ...users.flatMap(({ runs }) => runs.map(scheduleWords)),
    ...others.map(({ procedure: { id, name } }) => `procedure ${name} (procedure ${id})`),
  ]
  return words.length === 0 ? [] : [`to be restored by ${[...new Set(words)].join(', ')}`]
}
