// The form of a record that somebody else changes while it is open: its values stay, and who saves over another one is asked.
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { formatTime, t, tryTranslate } from '../language/translate.ts'
import { edited, keptOf } from '../state/drafts.ts'
import { centers, rooms } from '../state/lab.ts'
import { changeWords, newWords } from './value-words.ts'

/** What was typed is not what others have stored meanwhile. */
export interface Clash {
  /** With their values. */
  problem: string
  /** The form shows the value after `take`. */
  theirs: readonly { words: string; take(): void }[]
}

/**
 * `record` as it is now; undefined until it has been read. Fields show the values of `shown`, each with its value as the key:
 * it is drawn again when the value of the others is taken; `take` does that in forms with values of their own. `before` is
 * what is compared with what was typed: as the form was opened, with what the user has been told. What was kept of the
 * form was typed for the record as it was then.
 */
export function useFormRecord<Value extends object>(
  form: string,
  record: Value | undefined,
  take?: (theirs: Partial<Value>) => void,
) {
  // `as`: it is kept from here.
  const opened = useRef((keptOf(form)?.record as Value | undefined) ?? record)
  opened.current ??= record
  const before = useRef(opened.current)
  before.current ??= record
  edited.set(form, before)
  const taken = useSignal<Value | undefined>(undefined)
  /** Of the fields that would be replaced; said once. */
  const clashOf = (fields: readonly string[]): Clash | undefined => {
    const [old, now] = [before.current, record]
    if (!old || !now) return undefined
    const changes = differences(old, now, fields)
    if (changes.length === 0) return undefined
    before.current = { ...old, ...partOf(now, changes) }
    const theirs = changes.map(change => ({
      words: newWords(change),
      take() {
        const shown = taken.peek() ?? opened.current ?? now
        taken.value = { ...shown, ...partOf(now, [change]) }
        take?.(partOf(now, [change]))
      },
    }))
    return { problem: t('records.changedMeanwhile', { other: changeWords({ changes }) }), theirs }
  }
  return { shown: taken.value ?? opened.current, before, clashOf }
}

const partOf = <Value extends object>(record: Value, fields: readonly { field: string }[]) =>
  // `as`: an object has its keys.
  Object.fromEntries(fields.map(({ field }) => [field, Reflect.get(record, field)])) as Partial<Value>

/** The values that differ from the record as it was. */
export function changedPart(before: object | undefined, typed: Readonly<Record<string, unknown>>) {
  const isSame = (key: string) => before && JSON.stringify(Reflect.get(before, key)) === JSON.stringify(typed[key])
  return Object.fromEntries(Object.entries(typed).filter(([key]) => !isSame(key)))
}

/** What others have made of these fields. */
const differences = (before: object, after: object, fields: readonly string[]) =>
  fields.flatMap(field => {
    const [old, now] = [before, after].map(record => Reflect.get(record, field))
    const value = { kind: '', record: 0, name: '', field, before: wordOf(field, old), after: wordOf(field, now) }
    return JSON.stringify(old) === JSON.stringify(now) ? [] : [value]
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
