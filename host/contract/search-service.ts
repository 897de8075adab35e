// Searches for computers, types only.
import type { Refusal, Rights } from './request.ts'

export interface SearchService {
  /**
   * The computers that meet a query (docs/search.md) and that the caller may see, in the order of their ids. A refusal says
   * at which place the query is wrong.
   */
  find(where: string, rights: Rights): Promise<readonly { id: number; ip: string }[] | Refusal>
}
