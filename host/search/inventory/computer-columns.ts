// The columns of a list of computers: what each shows, and what has to be read for it.
import { memoryOf, memoryType } from '../../../stores/rules/search/search-fields.ts'
import type { HardwareItem, SurveyedPartition } from '../../../stores/store.ts'
import { refuse } from '../../contract/refusal.ts'
import type { Refusal } from '../../contract/services.ts'
import type { ComputerFacts, Needs } from './computer-facts.ts'

/** Undefined: it is not known. */
export type Cell = string | number | boolean | string[] | undefined

interface Column extends Needs {
  value(facts: ComputerFacts): Cell
}

export interface ChosenColumn extends Column {
  name: string
}

/** Each once, without those that are empty. */
export const unique = <Value extends string | number>(values: readonly Value[]): Value[] => [
  ...new Set(values.filter(Boolean)),
]

/** By list of devices, which many computers share: the texts are looked through once. */
const memorySizes = new WeakMap<readonly HardwareItem[], number>()

export function memoryIn(devices: readonly HardwareItem[]): number | undefined {
  const size = memorySizes.get(devices) ?? memoryOf(descriptionsOf(devices, memoryType)) ?? 0
  memorySizes.set(devices, size)
  return size || undefined
}

export const descriptionsOf = (devices: readonly HardwareItem[], type: string): string[] =>
  devices.filter(device => device.type === type).map(({ description }) => description)

/** MiB of each disk. */
export const diskSizes = (rows: readonly SurveyedPartition[]): number[] =>
  rows.filter(({ partition }) => partition === 0).map(({ size }) => Math.floor(size / 1024))

const ofDevices = (type: string): Column => ({
  needs: 'devices',
  value: ({ devices }) => unique(descriptionsOf(devices, type)).join(', ') || undefined,
})

/** In the order of the documentation. */
export const columns: Readonly<Record<string, Column>> = {
  client: { value: ({ record }) => record.ip },
  name: { value: ({ record }) => record.name },
  room: { value: ({ room }) => room },
  center: { value: ({ center }) => center },
  mac: { value: ({ record }) => record.mac },
  serial: { value: ({ record }) => record.serial_number || undefined },
  tags: { value: ({ record }) => [...(record.tags ?? [])] },
  state: { value: ({ state }) => state },
  user: { value: ({ user }) => user },
  os: { needs: 'partitions', value: ({ rows }) => unique(rows.map(({ system }) => system)) },
  image: { needs: 'partitions', value: ({ rows }) => unique(rows.map(({ image }) => image)) },
  ram: { needs: 'devices', value: ({ devices }) => memoryIn(devices) },
  disk: {
    needs: 'partitions',
    value: ({ rows }) => (diskSizes(rows).length > 0 ? Math.max(...diskSizes(rows)) : undefined),
  },
  cpu: ofDevices('processor'),
  model: ofDevices('computer model'),
  boot: { value: ({ record }) => record.boot },
  maintenance: { value: ({ record }) => record.maintenance },
  seen: { needs: 'seen', value: ({ seen }) => (seen === undefined ? undefined : new Date(seen).toISOString()) },
}

const defaultColumns = 'client,name,room,center,state'

/** Of one list; each column of software looks through the lists of the page. */
const mostColumns = 30

export function chooseColumns(text = defaultColumns): ChosenColumn[] | Refusal {
  const names = unique(text.split(',').map(name => name.trim()))
  if (names.length > mostColumns) return refuse(`columns: expected at most ${mostColumns}, got ${names.length}`)
  const chosen = names.map(chooseColumn)
  const unknown = names.find((_, at) => !chosen[at])
  if (unknown !== undefined) return refuseColumn('columns', unknown)
  return chosen.filter(column => column !== undefined)
}

/** `-ram`: the largest first. */
export function chooseOrder(text: string): { column: ChosenColumn; isDescending: boolean } | Refusal {
  const isDescending = text.startsWith('-')
  const column = chooseColumn(isDescending ? text.slice(1) : text)
  return column ? { column, isDescending } : refuseColumn('sort', text)
}

const refuseColumn = (key: string, name: string) =>
  refuse(`${key}: expected ${Object.keys(columns).join(', ')} or software:TEXT, got ${name}`)

function chooseColumn(name: string): ChosenColumn | undefined {
  const [, text] = /^software:(.+)$/i.exec(name) ?? []
  if (text !== undefined) {
    const wanted = text.toLowerCase()
    return { name, text: wanted, needs: 'software', value: ({ programs }) => programs(wanted) }
  }
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined
  return column && { name, ...column }
}

/** Those that are not known come last, also in the opposite order. */
export function compareCells(one: Cell, other: Cell, isDescending: boolean): number {
  const [left, right] = [sortable(one), sortable(other)]
  if (left === '' || right === '') return Number(left === '') - Number(right === '')
  const difference =
    typeof left === 'number' && typeof right === 'number' ? left - right : collator.compare(`${left}`, `${right}`)
  return isDescending ? -difference : difference
}

const collator = new Intl.Collator('en', { numeric: true })

const sortable = (cell: Cell): string | number =>
  typeof cell === 'number' ? cell : Array.isArray(cell) ? cell.join('; ') : String(cell ?? '')

/** As a cell of CSV: lists with `; ` between. */
export const cellText = (cell: Cell): string | undefined => {
  const text = typeof cell === 'boolean' ? (cell ? 'yes' : 'no') : String(sortable(cell))
  return text === '' ? undefined : text
}
