// The form of a record that somebody else changes while it is open: its values stay, and who saves over another one is asked.
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { AuditPageAnswer, UndoAnswer } from '../../../contract/answers.ts'
import { get, type Reply } from '../api/request.ts'
import { formatTime, t, tryTranslate } from '../language/translate.ts'
import { edited, keptOf, useDiscarded } from '../state/drafts.ts'
import { centers, rooms } from '../state/lab.ts'
import { type Change, changeWords, newWords } from './value-words.ts'

/** What was typed is not what others have stored meanwhile. */
export interface Clash {
  /** With their values. */
  problem: string
  /** The form shows the value after `take`. */
  theirs: readonly { words: string; take(): void }[]
}

export interface FormRecordOptions<Value> {
  /** As it is now; undefined until it has been read, and of a new one. */
  record: Value | undefined
  /** In forms with values of their own; other ones show those of `shown`, each with its value as the key. */
  take?(theirs: Partial<Value>): void
  /** Of values that only this form knows. */
  wordsOf?(record: Value): Partial<Record<keyof Value, unknown>>
}

/**
 * `form`: the kind and the id of the record. `before` is what is compared with what was typed: as the form was opened, with
 * what the user has been told. What was kept of the form was typed for the record as it was then.
 */
export function useFormRecord<Value extends object>(
  form: string,
  { record, take, wordsOf = () => ({}) }: FormRecordOptions<Value>,
) {
  // `as`: it is kept from here.
  const opened = useRef((keptOf(form)?.record as Value | undefined) ?? record)
  opened.current ??= record
  const before = useRef(opened.current)
  before.current ??= record
  edited.set(form, before)
  const taken = useSignal<Value | undefined>(undefined)
  useDiscarded(form, () => {
    opened.current = record
    before.current = record
    taken.value = record
  })
  /** Of the fields that would be replaced; said once. */
  const clashOf = async (fields: readonly string[]): Promise<Clash | undefined> => {
    const [old, now] = [before.current, record]
    const changes = old && now ? differences(old, now, fields, wordsOf) : []
    if (!old || !now || changes.length === 0) return undefined
    before.current = { ...old, ...partOf(now, changes) }
    const theirs = changes.map(change => ({
      words: newWords(change),
      take() {
        const shown = taken.peek() ?? opened.current ?? now
        taken.value = { ...shown, ...partOf(now, [change]) }
        take?.(partOf(now, [change]))
      },
    }))
    const who = (await authorOf(form, fields)) ?? t('records.another')
    return { problem: t('records.changedMeanwhile', { who, other: changeWords({ changes }) }), theirs }
  }
  /** Sends what differs, unless others have changed that meanwhile. */
  const save = async <Typed extends object>(
    typed: Typed,
    send: (change: Partial<Typed>) => Promise<Reply<unknown>>,
  ) => {
    const change = changedPart(before.current, typed)
    const fields = Object.keys(change)
    return (await clashOf(fields)) ?? (fields.length === 0 ? undefined : send(change))
  }
  return { shown: taken.value ?? opened.current, before, save }
}

/** Who has changed one of the fields last, and when; undefined where the caller may not know it. */
async function authorOf(form: string, fields: readonly string[]): Promise<string | undefined> {
  const { value } = await get<UndoAnswer>('/undo')
  const isMeant = ({ kind, record, field }: NonNullable<Change['changes']>[number]) =>
    `${kind}/${record}` === form && fields.includes(field)
  const isOf = ({ kind, record }: Change) => `${kind}/${record}` === form
  const last = value?.changes.find(({ changes }) => changes?.some(isMeant)) ?? value?.changes.find(isOf)
  if (last) return `${last.by}, ${formatTime(last.at)}`
  // Edits of groups, users and tokens cannot be taken back: only the audit log has them.
  const [kind] = form.split('/')
  const audit = await get<AuditPageAnswer>(`/audit?route=/${kind}/update&limit=1000`)
  const entry = audit.value?.audit.findLast(({ change }) => change?.changes?.some(isMeant))
  return entry && `${entry.who}, ${formatTime(entry.time)}`
}

const partOf = <Value extends object>(record: Value, fields: readonly { field: string }[]) =>
  // `as`: an object has its keys.
  Object.fromEntries(fields.map(({ field }) => [field, Reflect.get(record, field)])) as Partial<Value>

/** The values that differ from the record as it was. */
function changedPart<Typed extends object>(before: object | undefined, typed: Typed) {
  const isSame = (key: string, value: unknown) =>
    before && JSON.stringify(Reflect.get(before, key)) === JSON.stringify(value)
  // `as`: some of its entries.
  return Object.fromEntries(Object.entries(typed).filter(([key, value]) => !isSame(key, value))) as Partial<Typed>
}

/** What others have made of these fields. */
const differences = <Value extends object>(
  before: Value,
  after: Value,
  fields: readonly string[],
  wordsOf: (record: Value) => object,
) =>
  fields.flatMap(field => {
    const [old, now] = [before, after].map(record => Reflect.get(record, field))
    if (JSON.stringify(old) === JSON.stringify(now)) return []
    const words = (record: Value, value: unknown) => Reflect.get(wordsOf(record), field) ?? wordOf(field, value)
    return { kind: '', record: 0, name: '', field, before: words(before, old), after: words(after, now) }
  })

/** Records have ids where people read names. */
function wordOf(field: string, value: unknown): unknown {
  if (Array.isArray(value) && (field === 'centers' || field === 'rooms'))
    return value.map(id => wordOf(field.slice(0, -1), id))
  if (field === 'room') return rooms.value.find(({ id }) => id === value)?.name ?? value
  if (field === 'center') return centers.value.find(({ id }) => id === value)?.name ?? value
  if (field === 'role') return tryTranslate(`role.${value}`)
  if (field === 'expires' && typeof value === 'number') return value === 0 ? null : formatTime(value)
  return value ?? null
}
