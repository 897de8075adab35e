// Finds records by name: what an option names whose value is an id.
import { closest } from 'fastest-levenshtein'
import type { ScopesAnswer } from '../../contract/answers.ts'
import { type CliError, usageError } from '../cli-error.ts'
import type { ApiClient } from './client.ts'

/** Of each kind the route that lists its records, and the key of the answer. */
const lists = {
  task: ['GET /tasks', 'tasks'],
  procedure: ['GET /procedures', 'procedures'],
  image: ['GET /images', 'images'],
  repository: ['GET /repositories', 'repositories'],
  schedule: ['POST /schedule/get', 'schedule'],
  token: ['GET /tokens', 'tokens'],
  user: ['GET /users', 'users'],
} as const

export type RecordKind = 'center' | 'room' | keyof typeof lists

const isKind = (name: string): name is RecordKind => name === 'center' || name === 'room' || Object.hasOwn(lists, name)

export interface NamedRecord {
  id: number
  name: string
  /** The name of its center, for records of a center. */
  center?: string
}

/** In a list: tasks and procedures have the id of their center. */
type ListedRecord = Pick<NamedRecord, 'id' | 'name'> & { center?: number }

export async function readRecords(api: ApiClient, kind: RecordKind): Promise<NamedRecord[]> {
  if (kind === 'center') return readTree(api)
  if (kind === 'room')
    return (await readTree(api)).flatMap(({ name, scope }) => scope.map(room => ({ ...room, center: name })))
  const [route, key] = lists[kind]
  const records = (await api.call<Record<string, ListedRecord[]>>(route)).body[key] ?? []
  const tree = records.some(({ center }) => center !== undefined) ? await readTree(api) : []
  const centers = new Map(tree.map(({ id, name }) => [id, name]))
  return records.map(({ id, name, center }) =>
    center === undefined ? { id, name } : { id, name, center: centers.get(center) ?? String(center) },
  )
}

const readTree = async ({ call }: ApiClient) => (await call<ScopesAnswer>('GET /scopes')).body.scope

/** The kind that a key of a payload names: `room`, `center_id`; `id` is the id of what the route begins with. */
export function kindOfKey(key: string, route: string): RecordKind | undefined {
  const name = key === 'id' ? (route.split('/')[1] ?? '') : key === 'repo_id' ? 'repository' : key.replace(/_id$/, '')
  return isKind(name) ? name : undefined
}

/** Digits are an id, so that a deletion never meets a record of that name; any other text is a name. */
export async function findId(api: ApiClient, kind: RecordKind, option: string, text: string): Promise<number> {
  if (/^\d+$/.test(text)) return Number(text)
  return findRecord(option, text, await readRecords(api, kind)).id
}

/** By name, by `Center/name`, or by id: in this sequence, since a room may be called 101. */
export function findRecord<Named extends NamedRecord>(option: string, text: string, records: Named[]): Named {
  const matches = [
    ({ name }: Named) => name === text,
    ({ name, center }: Named) => `${center}/${name}` === text,
    ({ id }: Named) => String(id) === text,
  ]
  const matching = matches.map(match => records.filter(match)).find(each => each.length > 0) ?? []
  const [record, ...others] = matching
  if (!record) throw unknownName(option, text, records)
  if (others.length === 0) return record
  const candidates = matching.map(({ id, name, center }) =>
    center === undefined ? `${id}` : `${center}/${name} (id ${id})`,
  )
  throw usageError(`${option}: expected one of ${candidates.join(', ')}, got ${text}`)
}

/** `where: expected shell-run, got shell-rum`: suggests the most similar name. */
export function unknownName(where: string, text: string, candidates: { name: string }[]): CliError {
  const names = candidates.map(({ name }) => name)
  return usageError(`${where}: expected ${names.length === 0 ? 'an existing name' : closest(text, names)}, got ${text}`)
}
