// The undo service of commands: who may take what back, and what follows in boot files, timers and accounts.
import { groupBy } from '../../stores/rules/group-by.ts'
import type { Computer, Entry, IndexedPart, Store, UndoItem, Undone } from '../../stores/store.ts'
import { includesRole } from '../access/rights.ts'
import type { ComputerFiles } from '../boot/computer-files.ts'
import { movedReason } from '../computers/import/import-text.ts'
import { deletedReason } from '../computers/service.ts'
import type { Options } from '../config/options.ts'
import { isRefusal } from '../contract/refusal.ts'
import type {
  ComputersService,
  Deletion,
  Refusal,
  Request,
  Rights,
  UndoEntry,
  UndoService,
} from '../contract/services.ts'
import type { ImageFiles } from '../images/image-files.ts'
import type { Scheduler } from '../schedules/scheduler.ts'
import { findJobs, mostNamed } from '../schedules/waiting-jobs.ts'
import { readNames } from '../store/named-ids.ts'
import { namesOfChange } from '../store/named-records.ts'
import type { Keep } from '../store/undo-bin.ts'
import { doneOf, inShort } from '../store/undo-words.ts'
import type { Events } from '../system/events.ts'
import { type EffectsDeps, effectsOf, usedWords, usesOf } from './deletion-effects.ts'
import { daysOf, describeChange } from './describe-change.ts'
import { laterEdits } from './later-edits.ts'
import { nameRecords } from './name-records.ts'
import { checkLater, checkLimits, refusalOf, unknown } from './undo-refusals.ts'

export interface UndoDeps extends EffectsDeps {
  keep: Keep
  options: { limits: Pick<Options['limits'], 'response'>; repository: Options['repository'] }
  computerFiles: Pick<ComputerFiles, 'exclusive' | 'saveWithFiles' | 'removeFormer'>
  computers: Pick<ComputersService, 'cleanUp'>
  images: Pick<ImageFiles, 'undeleteImage'>
  scheduler: Pick<Scheduler, 'register'>
  events: Pick<Events, 'emit'>
  /** Reads tokens and users again. */
  reloadAccounts(): Promise<void>
}

/** Of the answer, and of its head. */
const bytesAround = 2048

export function createUndo(deps: UndoDeps): UndoService {
  const { store, keep, computerFiles } = deps
  const listOf = async (rights: Rights) => (await store.undo.list()).filter(item => mayUndo(item, rights))

  async function apply(item: UndoItem, request: Parameters<UndoService['apply']>[1]): Promise<Undone | Refusal> {
    const now = deps.clock.now()
    const { rights } = request
    if (item.kind === 'image') return deps.images.undeleteImage(item)
    const { reference: account, hasClient } = rights
    const about: typeof request.about = (what, details) => request.about(what, { ...details, undoes: item.id })
    const options = { check: (entries: Entry[]) => checkLimits(entries, rights), account, hasClient }
    // What an import has added is deleted, and what was edited is edited again, which can be taken back in its turn.
    const undone = await (item.kind === 'import' || item.fields
      ? keep(
          { rights, kept: request.kept, about },
          bound => bound.undo.apply(item.id, now, options),
          item.fields && (item.counts.undone ?? 0) + 1,
        )
      : store.undo.apply(item.id, now, options))
    if (undone === undefined) return unknown(item.id, request.rights)
    return 'text' in undone ? refusalOf(undone) : undone
  }

  return {
    keep,
    effects: async (deletion, { rights }) => (await effectsOf(deletion, rights, deps)).map(({ text }) => text),
    effectDetails: (deletion, { rights }) => effectsOf(deletion, rights, deps),
    daysFor: (kind, { rights }) =>
      mayUndo({ kind, account: rights.reference }, rights) ? daysOf(kind, deps.options.repository) : 0,
    async list(rights, id) {
      const nameOf = await readNames(store)
      const describe = (item: UndoItem) => describeChange(item, nameOf, deps.options.repository)
      const items = await listOf(rights)
      const one = items.find(item => String(item.id) === id)
      if (one) {
        const later = await laterEdits(one, await store.undo.list(), store, rights.isLimited ? undefined : nameOf)
        return [{ ...describe(one), ...(later.length > 0 && { later }), ...(await nameRecords(one.id, store)) }]
      }
      if (id !== undefined) return []
      return firstOf(items.reverse(), describe, deps.options.limits.response - bytesAround)
    },
    async apply(id, request, overwrite) {
      const { rights } = request
      const items = await listOf(rights)
      const item = items.findLast(each => (id === undefined ? each.account === rights.reference : each.id === id))
      if (!item) return unknown(id, rights)
      const nameOf = await readNames(store)
      const names = await namesOfChange(item, store)
      const undone = await computerFiles.exclusive(async () => {
        const undone = (overwrite ? undefined : await checkLater(item, store)) ?? (await apply(item, request))
        if (!isRefusal(undone)) await writeFiles(undone, request, deps)
        if (!isRefusal(undone)) warnOfNames(undone.renamed, request)
        return undone
      })
      const change = describeChange(item, nameOf, deps.options.repository)
      const noteChange = () =>
        request.about(change.what, { change: { ...inShort(doneOf(item, nameOf)), ...names }, undoes: item.id })
      if (isRefusal(undone)) noteChange()
      if (isRefusal(undone)) return undone
      deps.events.emit({ ...eventOf(item, change), who: rights.name })
      await warnOfCancelled(item, undone, request, store)
      await follow(undone, deps)
      if (item.fields) return change
      noteChange()
      const { only } = await usesOf(toDeletion(item, undone), rights, deps)
      return { ...change, ...(only.length > 0 && { again: only.map(usedWords) }) }
    },
  }
}

const eventOf = ({ id: change, account: maker }: UndoItem, { what }: UndoEntry) =>
  ({ type: 'change-undone', change, maker, what }) as const

/** As many as fit into so many bytes. */
function firstOf(items: readonly UndoItem[], describe: (item: UndoItem) => UndoEntry, limit: number): UndoEntry[] {
  const entries: UndoEntry[] = []
  let bytes = limit
  for (const item of items) {
    const entry = describe(item)
    bytes -= Buffer.byteLength(JSON.stringify(entry)) + 1
    if (bytes < 0) break
    entries.push(entry)
  }
  return entries
}

type Undoable = Pick<UndoItem, 'kind' | 'account' | 'fields' | 'changes'>

/** Who might delete or edit it may have it back; who is limited only what they have changed themselves. */
function mayUndo({ kind, account, fields, changes = [] }: Undoable, { role, isLimited, reference }: Rights): boolean {
  const isOwn = reference !== '' && account === reference
  // Tasks and procedures may be edited with their schedule.
  const isOfSchedule = kind === 'schedule' && (isOwn || changes.every(change => change.kind === 'schedule'))
  // Their limits may be others than at the edit of a room.
  if (isLimited && fields && kind !== 'schedule' && kind !== 'computer') return false
  return includesRole(role, isOfSchedule ? 'operate' : 'admin') && (!isLimited || isOwn)
}

/** `procedure and task Maint have the name Maint (2) now, for Maint is taken`. */
function warnOfNames(renamed: Undone['renamed'], { warn }: Pick<Request, 'warn'>): void {
  for (const group of groupBy(renamed, ({ from, to }) => `${from} ${to}`).values()) {
    const kinds = group.map(({ kind }) => kind).join(', ')
    const [{ from, to } = { from: '', to: '' }, ...others] = group
    const verb = others.length > 0 ? 'have' : 'has'
    warn(`${kinds.replace(/, ([^,]*)$/, ' and $1')} ${from} ${verb} the name ${to} now, for ${from} is taken`)
  }
}

const reasons = [deletedReason, movedReason]

/** `job 12 stays cancelled on 5 computers: fleet job retry 12`: what was queued when they lost their address. */
async function warnOfCancelled(
  { at }: UndoItem,
  { restored, changes }: Undone,
  { warn }: Pick<Request, 'warn'>,
  store: Store,
): Promise<void> {
  const clients = [...restored.flatMap(computerOf), ...changes].flatMap(({ ip }) => ip ?? [])
  if (clients.length === 0) return
  const isCancelled = ({ reason, ended }: IndexedPart) => reasons.includes(reason) && ended >= at
  const jobs = await findJobs('cancelled', { clients }, store, isCancelled)
  const others = jobs.splice(mostNamed)
  for (const { job, on } of jobs) warn(`job ${job} stays cancelled on ${on}: fleet job retry ${job}`)
  if (others.length > 0) warn(`also cancelled: job ${others.map(({ job }) => job).join(', ')}`)
}

/** The records are there: boot files that cannot be written are no reason to refuse. */
async function writeFiles(
  { restored, before, changes, edited }: Undone,
  { warn }: Pick<Request, 'warn'>,
  { store, computerFiles }: UndoDeps,
): Promise<void> {
  const ids = new Set([...restored.flatMap(computerOf), ...before].map(({ id }) => id))
  const rooms = new Set(edited.flatMap(([name, row]) => (name === 'rooms' && typeof row !== 'number' ? row.id : [])))
  if (ids.size + rooms.size === 0) return
  const present = (await store.computers.list()).filter(({ id, room }) => ids.has(id) || rooms.has(room))
  const refusal = await computerFiles.saveWithFiles(present, async () => undefined)
  if (refusal) warn(`boot files are not written: ${refusal.refused}`)
  const after = new Map(present.map(computer => [computer.id, computer]))
  const changed = before.flatMap(computer => {
    const now = after.get(computer.id)
    return now ? { before: computer, after: now } : []
  })
  if (changes.length > 0) await computerFiles.removeFormer(changed)
}

const computerOf = ([, row]: Entry): Computer[] => (row instanceof Object && 'mac' in row ? [row] : [])

/** Which deletion would take the same records again. */
const toDeletion = ({ kind, record: id }: UndoItem, { restored }: Undone): Deletion => {
  const clients = restored.flatMap(computerOf).map(({ ip }) => ip)
  return kind === 'room' || kind === 'center' ? { kind, id } : { kind: 'computer', clients }
}

async function follow({ restored, deleted, before, changes, edited }: Undone, deps: UndoDeps): Promise<void> {
  const { computers, scheduler, reloadAccounts } = deps
  const moved = before.filter((_, at) => changes[at]?.ip !== undefined)
  if (deleted.length + moved.length > 0) await computers.cleanUp([...deleted, ...moved])
  for (const [, row] of [...restored, ...edited])
    if (row instanceof Object && 'suspended' in row) scheduler.register(row)
  if (restored.some(([, row]) => row instanceof Object && 'hash' in row)) await reloadAccounts()
}
