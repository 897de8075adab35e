// Finds records by name: what an option names whose value is an id.
import { closest } from 'fastest-levenshtein'
import type { ScopesAnswer } from '../../contract/answers.ts'
import { type CliError, usageError } from '../cli-error.ts'
import type { ApiClient } from './client.ts'

export type RecordKind =
  | 'center'
  | 'room'
  | 'task'
  | 'procedure'
  | 'image'
  | 'repository'
  | 'schedule'
  | 'token'
  | 'user'

export interface NamedRecord {
  id: number
  name: string
  /** The name of its center, for records of a center. */
  center?: string
}

interface OwnedRecord {
  id: number
  name: string
  /** The id of its center. */
  center: number
}

const readers: Record<RecordKind, (api: ApiClient) => Promise<NamedRecord[]>> = {
  center: async api => (await readTree(api)).map(({ id, name }) => ({ id, name })),
  room: async api =>
    (await readTree(api)).flatMap(({ name: center, scope }) => scope.map(({ id, name }) => ({ id, name, center }))),
  task: async api => withCenters(api, (await api.call<{ tasks: OwnedRecord[] }>('GET /tasks')).body.tasks),
  procedure: async api =>
    withCenters(api, (await api.call<{ procedures: OwnedRecord[] }>('GET /procedures')).body.procedures),
  image: async ({ call }) => (await call<{ images: NamedRecord[] }>('GET /images')).body.images,
  repository: async ({ call }) => (await call<{ repositories: NamedRecord[] }>('GET /repositories')).body.repositories,
  schedule: async ({ call }) => (await call<{ schedule: NamedRecord[] }>('POST /schedule/get')).body.schedule,
  token: async ({ call }) => (await call<{ tokens: NamedRecord[] }>('GET /tokens')).body.tokens,
  user: async ({ call }) => (await call<{ users: NamedRecord[] }>('GET /users')).body.users,
}

export const readRecords = (api: ApiClient, kind: RecordKind): Promise<NamedRecord[]> => readers[kind](api)

const readTree = async ({ call }: ApiClient) => (await call<ScopesAnswer>('GET /scopes')).body.scope

async function withCenters(api: ApiClient, records: OwnedRecord[]): Promise<NamedRecord[]> {
  const centers = new Map((await readTree(api)).map(({ id, name }) => [id, name]))
  return records.map(({ id, name, center }) => ({ id, name, center: centers.get(center) ?? String(center) }))
}

/** The kind that a key of a payload names: `room`, `center_id`; `id` is the id of what the route begins with. */
export function kindOfKey(key: string, route: string): RecordKind | undefined {
  const name = key === 'id' ? route.split('/')[1] : key === 'repo_id' ? 'repository' : key.replace(/_id$/, '')
  return Object.keys(readers).find((kind): kind is RecordKind => kind === name)
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
