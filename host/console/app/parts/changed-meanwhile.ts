// The form of a record that somebody else changes while it is open: its values stay, and who saves over another one is asked.
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { t } from '../language/translate.ts'
import { centers, rooms } from '../state/lab.ts'
import { changeWords } from './value-words.ts'

/** What was typed is not what others have stored meanwhile. */
export interface Clash {
  /** With their values. */
  problem: string
  /** The form shows them then. */
  takeTheirs(): void
}

/**
 * `record` as it is now; undefined until it has been read. Fields show the values of `shown`, each with its value as the key:
 * it is drawn again when the value of the others is taken. `before` has what was typed is compared with.
 */
export function useFormRecord<Value extends object>(record: Value | undefined) {
  const opened = useRef(record)
  opened.current ??= record
  const before = useRef(opened.current)
  before.current ??= record
  const taken = useSignal<Value | undefined>(undefined)
  /** Of the fields that would be replaced; said once. */
  const clashOf = (fields: readonly string[]): Clash | undefined => {
    const [old, now] = [before.current, record]
    if (!old || !now) return undefined
    const changes = differences(old, now, fields)
    if (changes.length === 0) return undefined
    const theirs = Object.fromEntries(changes.map(({ field }) => [field, Reflect.get(now, field)]))
    const next = { ...old, ...theirs }
    before.current = next
    return {
      problem: t('records.changedMeanwhile', { other: changeWords({ changes }) }),
      takeTheirs() {
        taken.value = next
      },
    }
  }
  return { shown: taken.value ?? opened.current, before, clashOf }
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
  if (field === 'room') return rooms.value.find(({ id }) => id === value)?.name ?? value
  if (field === 'center') return centers.value.find(({ id }) => id === value)?.name ?? value
  return value ?? null
}
