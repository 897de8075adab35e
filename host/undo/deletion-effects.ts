// What a deletion does to other records: which queued commands it ends, and what has nothing to run on or to restore then.
import { addressesIn, findNode } from '../../stores/rules/scope-nodes.ts'
import type { Frozen, Schedule, ScopeNode, Step, Store, Task } from '../../stores/store.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { Deletion, DeletionEffect, Rights } from '../contract/services.ts'
import { nextFiring } from '../schedules/recurrence.ts'
import { findJobs, firstOf, stateFor } from '../schedules/waiting-jobs.ts'
import { placesOf } from '../search/describe-targets.ts'
import type { Clock } from '../system/clock.ts'

export interface EffectsDeps {
  store: Store
  clock: Clock
  findCommand(name: string): LoadedCommand | undefined
}

export async function effectsOf(deletion: Deletion, rights: Rights, deps: EffectsDeps): Promise<DeletionEffect[]> {
  const { kind, id, clients = [], version } = deletion
  if (kind === 'image')
    return rights.isLimited ? [] : toEffects({ restores: await restores(Number(id), version, deps) })
  const { only: unused, others, gone } = await usesOf(deletion, rights, deps)
  const addrs = [...clients, ...gone].filter(addr => !rights.isLimited || rights.hasClient(addr))
  const jobsIn = async (effect: keyof typeof stateFor): Promise<Used[]> => {
    const jobs = addrs.length === 0 ? [] : await findJobs(stateFor[effect], { clients: addrs }, deps.store)
    return jobs.map(({ job, count }) => ({ kind: 'job', id: job, computers: count }))
  }
  return toEffects({ unused, others, running: await jobsIn('running'), cancelled: await jobsIn('cancelled') })
}

type Used = DeletionEffect['what'][number]

const toEffects = (lists: Partial<Record<DeletionEffect['effect'], Used[]>>): DeletionEffect[] =>
  // `as`: the keys of the type.
  (Object.entries(lists) as [DeletionEffect['effect'], Used[]][]).flatMap(([effect, what]) =>
    what.length > 0 ? { effect, what, text: textOf(effect, what) } : [],
  )

const beginnings = {
  unused: 'runs on no computer then',
  others: 'still for others',
  running: 'running',
  cancelled: 'cancelled',
  restores: 'to be restored by',
} as const satisfies Record<DeletionEffect['effect'], string>

/**
 * `runs on no computer then: schedule Updates (schedule 3)`, `still for others: task Tidy up (task 4) on 2 computers`,
 * `cancelled: job 12 on 5 computers`, `to be restored by …`.
 */
function textOf(effect: DeletionEffect['effect'], what: readonly Used[]): string {
  const words = what.map(usedWords)
  const list = effect === 'unused' || effect === 'restores' ? words.join(', ') : firstOf(words)
  return `${beginnings[effect]}${effect === 'restores' ? '' : ':'} ${list}`
}

/** `schedule Updates (schedule 3)`, `job 12 on 5 computers`. */
export function usedWords({ kind, id, name, computers, addresses }: Used): string {
  const words = name === undefined ? `${kind} ${id}` : `${kind} ${name} (${kind} ${id})`
  if (computers !== undefined) return `${words} on ${computers} ${computers === 1 ? 'computer' : 'computers'}`
  if (addresses === undefined) return words
  return `${words} on ${addresses} ${addresses === 1 ? 'address' : 'addresses'} without a record`
}

/** `only`: what has nothing to run on without these records; `gone`: the addresses in them. */
export async function usesOf({ kind, id, clients = [] }: Deletion, { isLimited }: Rights, deps: EffectsDeps) {
  const number = Number(id)
  const scopes = await deps.store.scopes()
  const isDeleted = new Set(clients)
  const nodes =
    kind === 'computer' || kind === 'address'
      ? scopes.flatMap(({ scope }) => scope.flatMap(room => room.scope.filter(isNodeOf(isDeleted))))
      : kind === 'center' || kind === 'room'
        ? [findNode(scopes, { type: kind, id: number }) ?? []].flat()
        : []
  const gone = new Set(nodes.flatMap(addressesIn))
  const center = kind === 'center' ? number : undefined
  // They follow an address.
  const uses = isLimited || kind === 'address' ? [] : await findUses({ nodes, gone, scopes, center }, deps)
  const only = uses.flatMap(({ use, rest }) => (rest === undefined ? use : []))
  const others = uses.flatMap(({ use, rest }) => (rest === undefined ? [] : { ...use, ...rest }))
  return { only, others, gone }
}

const isNodeOf = (addrs: ReadonlySet<string>) => (node: Frozen<ScopeNode>) => 'ip' in node && addrs.has(node.ip)

const useOf = (kind: Used['kind'], { id, name }: { id: number; name: string }): Used => ({ kind, id, name })

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
async function findUses(all: Gone, deps: EffectsDeps): Promise<{ use: Used; rest: Counts | undefined }[]> {
  const { schedules, tasks, procedures, groups } = deps.store
  const [stored, lists, everything] = [await tasks.list(), await groups.list(), await schedules.list()]
  const runsTask = (row: Schedule, id: number) => row.type === 'task' && row.task === id
  const scheduled = (await readComing(deps)).map(async row => {
    const command = row.type === 'command' ? await schedules.findScheduledCommand(row.task) : undefined
    const procedure = row.type === 'procedure' ? await procedures.find(row.task) : undefined
    const targets: Partial<Task> = command ?? procedure ?? stored.find(({ id }) => runsTask(row, id)) ?? {}
    return { use: useOf('schedule', row), targets }
  })
  const free = stored.filter(({ id }) => !everything.some(row => runsTask(row, id)))
  const users = free.map(task => ({ use: useOf('task', task), targets: task }))
  return [...(await Promise.all(scheduled)), ...users].flatMap(({ use, targets }) => {
    const { clients = [], group } = targets
    if (all.center !== undefined && targets.center === all.center) return { use, rest: undefined }
    const list = [...clients, ...(lists.find(({ id }) => id === group)?.clients ?? [])]
    const remaining = remainingOf(list, placesOf(targets), all)
    return remaining ? { use, rest: remaining.size === 0 ? undefined : countOf(remaining, all) } : []
  })
}

/** Undefined of what names none of the records that go. */
function remainingOf(list: readonly string[], places: ReturnType<typeof placesOf>, { nodes, gone, scopes }: Gone) {
  if (!list.some(addr => gone.has(addr)) && !places.some(place => findNode(nodes, place))) return undefined
  const inPlaces = places.flatMap(place => [findNode(scopes, place) ?? []].flat().flatMap(addressesIn))
  return new Set([...list, ...inPlaces].filter(addr => !gone.has(addr)))
}

type Counts = Pick<Used, 'computers' | 'addresses'>

function countOf(addrs: ReadonlySet<string>, { scopes }: Gone): Counts {
  const known = scopes.flatMap(addressesIn).filter(addr => addrs.has(addr)).length
  return known > 0 ? { computers: known } : { addresses: addrs.size }
}

/** Schedules that fire again, and procedures of people that no such schedule runs. */
async function restores(id: number, version: number | undefined, deps: EffectsDeps): Promise<Used[]> {
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
  const all = [
    ...users.flatMap(({ runs }) => runs.map(row => useOf('schedule', row))),
    ...others.map(({ procedure }) => useOf('procedure', procedure)),
  ]
  // A schedule may run several of them.
  return [...new Map(all.map(use => [usedWords(use), use])).values()]
}
