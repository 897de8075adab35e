// Searches for computers, types only.
import type { Refusal, Rights } from './request.ts'

export interface SearchService {
  /**
   * The computers that meet a query (docs/search.md) and that the caller may see, in the order of their ids. A refusal says
   * at which place the query is wrong.
   */
  find(where: string, rights: Rights): Promise<readonly { id: number; ip: string }[] | Refusal>
  /** In the order of the documentation. */
  fields(): Promise<readonly SearchFieldInfo[]>
  /** Some values of a field that have this text, in the computers that the caller may see: first those that begin with it. */
  values(field: string, text: string, rights: Rights): Promise<readonly string[] | Refusal>
}

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
