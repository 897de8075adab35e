// What a deletion does to other records: which queued commands it ends, and what has nothing to run on or to restore then.
import { addressesIn, findNode } from '../../stores/rules/scope-nodes.ts'
import type { Frozen, Schedule, ScopeNode, Step, Store, Task } from '../../stores/store.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { Deletion, Rights } from '../contract/services.ts'
import { nextFiring } from '../schedules/recurrence.ts'
import { firstOf, jobsOn } from '../schedules/waiting-jobs.ts'
import { placesOf } from '../search/describe-targets.ts'
import type { Clock } from '../system/clock.ts'

export interface EffectsDeps {
  store: Store
  clock: Clock
  findCommand(name: string): LoadedCommand | undefined
}

/**
 * `runs on no computer then: schedule Updates (schedule 3)`, `still for others: task Tidy up (task 4) on 2 computers`,
 * `cancelled: job 12 on 5 computers`, `to be restored by …`.
 */
export async function effectsOf(deletion: Deletion, rights: Rights, deps: EffectsDeps): Promise<string[]> {
  const { store } = deps
  const { kind, id, clients = [], version } = deletion
  if (kind === 'image') return rights.isLimited ? [] : restores(Number(id), version, deps)
  const { only, others, gone } = await usesOf(deletion, rights, deps)
  const addrs = [...clients, ...gone].filter(addr => !rights.isLimited || rights.hasClient(addr))
  return [
    ...(only.length > 0 ? [`runs on no computer then: ${only.join(', ')}`] : []),
    ...(others.length > 0 ? [`still for others: ${firstOf(others)}`] : []),
    ...(await jobsOn('running', addrs, store)),
    ...(await jobsOn('cancelled', addrs, store)),
  ]
}

/** `only`: what has nothing to run on without these records; `gone`: the addresses in them. */
export async function usesOf({ kind, id, clients = [] }: Deletion, { isLimited }: Rights, deps: EffectsDeps) {
  const number = Number(id)
  const scopes = await deps.store.scopes()
  const isDeleted = new Set(clients)
  const nodes =
    kind === 'computer' || kind === 'address'
      ? scopes.flatMap(({ scope }) => scope.flatMap(room => room.scope.filter(isNodeOf(isDeleted))))
      : [findNode(scopes, { type: kind, id: number }) ?? []].flat()
  const gone = new Set(nodes.flatMap(addressesIn))
  const center = kind === 'center' ? number : undefined
  // They follow an address.
  const uses = isLimited || kind === 'address' ? [] : await findUses({ nodes, gone, scopes, center }, deps)
  const only = uses.filter(({ rest }) => rest === undefined).map(({ words }) => words)
  const others = uses.flatMap(({ words, rest }) => (rest === undefined ? [] : `${words} on ${rest}`))
  return { only, others, gone }
}

const isNodeOf = (addrs: ReadonlySet<string>) => (node: Frozen<ScopeNode>) => 'ip' in node && addrs.has(node.ip)

const scheduleWords = ({ id, name }: Schedule) => `schedule ${name} (schedule ${id})`

async function readComing({ store, clock }: EffectsDeps): Promise<Schedule[]> {
  const now = new Date(clock.now())
  return (await store.schedules.list()).filter(row => !row.suspended && nextFiring(row, now) !== undefined)
}

interface Gone {
  nodes: Frozen<ScopeNode[]>
  /** The addresses in them. */
  gone: ReadonlySet<string>
  scopes: Frozen<ScopeNode[]>
  /** The center whose tasks and procedures go, too. */
  center: number | undefined
}

/**
 * Schedules that fire again, and tasks that no schedule runs, which name some of these or go with them; `rest`: whom they
 * run on then.
 */
async function findUses(all: Gone, deps: EffectsDeps): Promise<{ words: string; rest: string | undefined }[]> {
  const { schedules, tasks, procedures, groups } = deps.store
  const [stored, lists, everything] = [await tasks.list(), await groups.list(), await schedules.list()]
  const runsTask = (row: Schedule, id: number) => row.type === 'task' && row.task === id
  const scheduled = (await readComing(deps)).map(async row => {
    const command = row.type === 'command' ? await schedules.findScheduledCommand(row.task) : undefined
    const procedure = row.type === 'procedure' ? await procedures.find(row.task) : undefined
    const targets: Partial<Task> = command ?? procedure ?? stored.find(({ id }) => runsTask(row, id)) ?? {}
    return { words: scheduleWords(row), targets }
  })
  const free = stored.filter(({ id }) => !everything.some(row => runsTask(row, id)))
  const users = free.map(task => ({ words: `task ${task.name} (task ${task.id})`, targets: task }))
  return [...(await Promise.all(scheduled)), ...users].flatMap(({ words, targets }) => {
    const { clients = [], group } = targets
    if (all.center !== undefined && targets.center === all.center) return { words, rest: undefined }
    const list = [...clients, ...(lists.find(({ id }) => id === group)?.clients ?? [])]
    const remaining = remainingOf(list, placesOf(targets), all)
    return remaining ? { words, rest: remaining.size === 0 ? undefined : countOf(remaining, all) } : []
  })
}

/** Undefined of what names none of the records that go. */
function remainingOf(list: readonly string[], places: ReturnType<typeof placesOf>, { nodes, gone, scopes }: Gone) {
  if (!list.some(addr => gone.has(addr)) && !places.some(place => findNode(nodes, place))) return undefined
  const inPlaces = places.flatMap(place => [findNode(scopes, place) ?? []].flat().flatMap(addressesIn))
  return new Set([...list, ...inPlaces].filter(addr => !gone.has(addr)))
}

/** `2 computers`; only where none of them has a record: `1 address without a record`. */
function countOf(addrs: ReadonlySet<string>, { scopes }: Gone): string {
  const known = scopes.flatMap(addressesIn).filter(addr => addrs.has(addr)).length
  if (known > 0) return `${known} ${known === 1 ? 'computer' : 'computers'}`
  return `${addrs.size} ${addrs.size === 1 ? 'address' : 'addresses'} without a record`
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
