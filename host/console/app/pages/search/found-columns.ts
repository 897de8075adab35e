// The columns of what a search finds: which the user has chosen, their headings, and their cells in words.
import type { SearchAnswer } from '../../../../contract/answers.ts'
import { formatNumber, formatTime, type MessageKey, t } from '../../language/translate.ts'
import { isWords, queryOfWords } from '../../state/found-elsewhere.ts'
import { type KeptList, keptList } from '../../state/kept-list.ts'

export type Row = SearchAnswer['computers'][number]
type Key = Exclude<keyof Row, 'client' | 'name' | `software:${string}`>
export type ColumnName = Key | `software:${string}`

const titles: Readonly<Record<Key, MessageKey>> = {
  room: 'field.room',
  center: 'records.center',
  state: 'history.state',
  user: 'login.user',
  seen: 'search.seen',
  tags: 'tags.title',
  os: 'rooms.system',
  image: 'plannedRestores.image',
  ram: 'hardware.memory',
  disk: 'hardware.disk',
  cpu: 'hardware.processor',
  model: 'hardware.computer-model',
  serial: 'field.serial',
  mac: 'field.mac',
  boot: 'field.mode.mode',
  maintenance: 'field.maintenance',
}

/** As `docs/search.md` has them; name and address are always shown. */
export const columnNames = Object.keys(titles) as ColumnName[] // The keys of the table above.

export const isColumn = (name: unknown): name is ColumnName =>
  typeof name === 'string' && (Object.hasOwn(titles, name) || /^software:[^,]+$/.test(name))

const kept: KeptList<ColumnName> = keptList('fleet-columns', isColumn, ['room', 'center', 'state'])

export const chosenColumns = kept.list
export const keepColumns = kept.keep

/** A field of a query with its value, as in `software:blender`, which is a column. */
const condition = /(?<![\p{L}_])([\p{L}_]+)\s*[:!<>=]=?\s*(?:"[^"]*"|[^\s()"<>=]*)/gu

/** Those that a query asks for; for words those in which they may be. */
export function columnsAbout(where: string): ColumnName[] {
  const names = [...queryOfWords(where).matchAll(condition)].flatMap(([whole, field = '']) => [
    field.toLowerCase().replace(/^tag$/, 'tags'),
    whole.replaceAll(/["*]/g, ''),
  ])
  return [...new Set([...names, ...(isWords(where) ? ['serial', 'mac'] : [])])].filter(isColumn)
}

const withoutSigns = (text: string) => text.toLowerCase().replaceAll(/[\s:.-]/g, '')

/** Hardware addresses are typed with and without separators. */
export const hasWords = (rows: readonly Row[], name: ColumnName, words: string): boolean =>
  rows.some(row => withoutSigns(cellWords(row, name)).includes(withoutSigns(words)))

export function columnTitle(name: ColumnName): string {
  const [, program] = /^software:(.*)$/.exec(name) ?? []
  return program ?? t(titles[name as Key]) // It is no program.
}

export const isSize = (name: ColumnName): boolean => name === 'ram' || name === 'disk'

const cellOf = (row: Row, name: ColumnName): unknown => new Map<string, unknown>(Object.entries(row)).get(name)

/** As programs read it: sizes and times are sorted by it. */
export function cellValue(row: Row, name: ColumnName): string | number {
  const cell = cellOf(row, name)
  return typeof cell === 'number' || typeof cell === 'string' ? cell : cellWords(row, name)
}

export function cellWords(row: Row, name: ColumnName): string {
  const cell = cellOf(row, name)
  if (isSize(name) && typeof cell === 'number') return `${formatNumber(Math.round(cell / 102.4) / 10)} GiB`
  if (name === 'seen' && typeof cell === 'string') return formatTime(cell)
  if (typeof cell === 'boolean') return cell ? t('command.yes') : ''
  return Array.isArray(cell) ? cell.join(', ') : String(cell ?? '')
}
