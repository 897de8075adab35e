// Searches for computers, and groups of them, types only.
import type { groupResult, targetWords } from '../../commands/_schemas/groups.ts'
import type { Group, New, Procedure, Task } from '../../stores/store.ts'
import type { FromSchema } from './from-schema.ts'
import type { Caller, Changer, Refusal, Rights } from './request.ts'

export interface SearchService {
  /**
   * The computers that meet a query (docs/search.md) and that the caller may see, in the order of their ids. A refusal says
   * at which place the query is wrong.
   */
  find(where: string, rights: Rights): Promise<readonly { id: number; ip: string }[] | Refusal>
  /** Why a query finds nothing. */
  explain(where: string, rights: Rights): Promise<NothingFound | undefined>
  /** In the order of the documentation. */
  fields(): Promise<readonly SearchFieldInfo[]>
  /** Some values of a field that have this text, in the computers that the caller may see: first those that begin with it. */
  values(field: string, text: string, rights: Rights): Promise<readonly string[] | Refusal>
  /** The addresses of those that `find` would find, which may be none, and the query: that of a group is `group:"name"`. */
  targets(
    named: { where?: string | undefined; group?: number | undefined },
    rights: Rights,
  ): Promise<{ where: string; clients: string[] } | Refusal>
  /** Returns a function that says in a few words which computers a record is for. */
  describer(caller: Pick<Caller, 'rights'>): Promise<(targets: Targets) => TargetWords>
  /** Why a record for these targets, of which only one may be there, cannot be stored. */
  check(targets: { [Key in 'clients' | 'scope' | 'where' | 'group']?: unknown }): Promise<Refusal | undefined>
}

/** The condition that no computer meets, with its place, and a query that may have been meant. */
export interface NothingFound {
  reason: string
  meant?: string
}

/** Whom a task, a procedure or a scheduled command is for. */
export type Targets = Pick<Procedure, 'center'> & Partial<Pick<Task, 'scope' | 'clients' | 'where' | 'group'>>

export type TargetWords = FromSchema<typeof targetWords>

/** A field of queries. */
export interface SearchFieldInfo {
  name: string
  /** What it means. */
  about: string
  example: string
  operators: string[]
  /** A comparison of versions may follow its value. */
  hasVersion: boolean
}

/** An entry of `GET /groups`. */
export type GroupEntry = FromSchema<typeof groupResult>

/** Groups have a query or a list, and a query is checked before it is stored. */
export interface GroupsService {
  /** With the number of computers that the caller may see; of a list only their addresses. */
  list(rights: Rights): Promise<GroupEntry[]>
  /** Resolves to the id. */
  add(group: New<Group>): Promise<number | Refusal>
  /** Absent keys keep their values; a query replaces a list, and a list a query. With `changer` the audit log has what was changed. */
  update(id: number, change: Partial<New<Group>>, changer?: Changer): Promise<Refusal | undefined>
  /** Refused while something names it. With `changer` it can be taken back. */
  delete(id: number, changer?: Changer): Promise<Refusal | undefined>
}
