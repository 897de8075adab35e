// What is known of many computers at once, types only.
import type { differences, partitionSystem, summary } from '../../commands/_schemas/fleet-counts.ts'
import type { found, foundPrograms, searchQuery, softwareQuery } from '../../commands/_schemas/fleet-inventory.ts'
import type { change, foundChanges, history, historyQuery } from '../../commands/_schemas/inventory-history.ts'
import type { FromSchema } from './from-schema.ts'
import type { Refusal, Rights } from './request.ts'
import type { NothingFound } from './search-service.ts'

/** What is asked for: which computers, which columns, and which page of them. */
export type ColumnsRequest = FromSchema<typeof searchQuery>

/** The values of a computer by column; without a key what is not known of it. */
export type FoundComputer = FromSchema<typeof found>

/** Programs of many computers, with `search`; `where` names the computers. */
export type ProgramsRequest = FromSchema<typeof softwareQuery>

/** What has changed; `where` names the computers. */
export type HistoryRequest = FromSchema<typeof historyQuery>
export type InventoryChange = FromSchema<typeof change>
export type HistoryAnswer = FromSchema<typeof history>

export type SummaryAnswer = FromSchema<typeof summary>
export type DifferencesAnswer = FromSchema<typeof differences>

/** All of the computers that a query finds within the caller's rights: see `SearchService`. */
/** What computers have in a partition. */
export type PartitionSystem = FromSchema<typeof partitionSystem>

export interface FleetInventoryService {
  list(
    request: ColumnsRequest,
    rights: Rights,
  ): Promise<({ total: number; computers: FoundComputer[]; next?: string } & Partial<NothingFound>) | Refusal>
  /** All pages as CSV. */
  csv(request: ColumnsRequest, rights: Rights): Promise<AsyncIterable<string> | Refusal>
  /** What the computers have that a query finds, with counts. */
  summary(where: string, rights: Rights): Promise<SummaryAnswer | Refusal>
  /** What the computers have in their partitions, by disk and partition, what most have first. */
  systems(clients: readonly string[]): Promise<PartitionSystem[]>
  /** By computer of a room what most others have and it has not, and the other way. */
  differences(room: number, rights: Rights): Promise<DifferencesAnswer | Refusal>
  /** What has changed in the inventories of one computer, and a page of that of many. */
  history(client: string, request: HistoryRequest): Promise<HistoryAnswer>
  changes(request: HistoryRequest, rights: Rights): Promise<FromSchema<typeof foundChanges> | Refusal>
  /** A page of the programs that have a text in their names. */
  programs(request: ProgramsRequest, rights: Rights): Promise<FromSchema<typeof foundPrograms> | Refusal>
}
