// What is asked before a change is taken back, if that loses something.
import type { ComponentChildren } from 'preact'
import { formatTime, t } from '../language/translate.ts'
import { deedWords, mostNames } from './change-words.ts'
import { listOf } from './job-words.ts'
import { type Change, fieldWord, valueWords } from './value-words.ts'

/** Title, text and action. */
export function undoQuestion(change: Change): [string, ComponentChildren, string] | undefined {
  const { gone = [], later = [] } = change
  const names = gone.flatMap(({ count, names }) => Array.from({ length: count }, (_, at) => names[at] ?? ''))
  const n = names.length
  if (n + later.length === 0) return undefined
  const text = (
    <>
      {n > 0 ? t('undo.importText', { n, names: listOf(names, mostNames) }) : `${deedWords(change)}.`}{' '}
      {later.length > 0 && t('undo.overwriteText')}
      {later
        .flatMap(each => laterWords(each, change))
        .map(words => (
          <span class="banner warn" key={words}>
            {words}
          </span>
        ))}
    </>
  )
  return n > 0
    ? [t('undo.importTitle'), text, t('undo.importAction', { n })]
    : [t('undo.overwriteTitle'), text, t('undo.overwrite')]
}

/** `Name: Lab 2 (user anna, 14:02) → Lab 1`: what is there now, and what comes back in its place. */
function laterWords({ at, by, fields, names, changes = [] }: NonNullable<Change['later']>[number], change: Change) {
  const who = `(${by}, ${formatTime(at)})`
  const isImport = change.kind === 'import'
  const isNamed = isImport || new Set(change.changes?.map(({ kind, record }) => `${kind} ${record}`)).size > 1
  const of = (records: readonly string[]) => (records.length > 0 && isNamed ? `${listOf(records, mostNames)}: ` : '')
  const values = changes.map(({ name, field, before, after }) => {
    // What an import has added goes with all that it has.
    const then = isImport && before === null ? '' : ` → ${valueWords(field, before)}`
    return `${of([name])}${fieldWord(field) ?? field}: ${valueWords(field, after)} ${who}${then}`
  })
  const others = fields.filter(field => !changes.some(each => each.field === field))
  const rest = others.map(field => fieldWord(field) ?? field).join(', ')
  return rest === '' ? values : [...values, `${of(names)}${rest} ${who}`]
}
