// What is known of many computers at once, types only.
import type { found, foundPrograms, searchQuery, softwareQuery } from '../../commands/_schemas/fleet-inventory.ts'
import type { FromSchema } from './from-schema.ts'
import type { Refusal, Rights } from './request.ts'

/** What is asked for: which computers, which columns, and which page of them. */
export type ColumnsRequest = FromSchema<typeof searchQuery>

/** The values of a computer by column; without a key what is not known of it. */
export type FoundComputer = FromSchema<typeof found>

/** Programs of many computers, with `search`; `where` names the computers. */
export type ProgramsRequest = FromSchema<typeof softwareQuery>

/** All of the computers that a query finds within the caller's rights: see `SearchService`. */
export interface FleetInventoryService {
  list(
    request: ColumnsRequest,
    rights: Rights,
  ): Promise<{ total: number; computers: FoundComputer[]; next?: string } | Refusal>
  /** All pages as CSV. */
  csv(request: ColumnsRequest, rights: Rights): Promise<AsyncIterable<string> | Refusal>
  /** A page of the programs that have a text in their names. */
  programs(request: ProgramsRequest, rights: Rights): Promise<FromSchema<typeof foundPrograms> | Refusal>
}
