// What has been: how many computers of rooms were in use, and what a computer has done.
import type { clientHistory, clientQuery, roomsHistory, roomsQuery } from '../../commands/_schemas/history.ts'
import type { FromSchema } from './from-schema.ts'
import type { Refusal, Rights } from './request.ts'

export type RoomsHistoryRequest = FromSchema<typeof roomsQuery>
export type RoomsHistory = FromSchema<typeof roomsHistory>
export type ClientHistoryRequest = FromSchema<typeof clientQuery>
export type ClientHistory = FromSchema<typeof clientHistory>

export interface HistoryService {
  /** Of rooms all of whose computers are within the rights. */
  rooms(request: RoomsHistoryRequest, rights: Rights): Promise<RoomsHistory | Refusal>
  client(client: string, request: ClientHistoryRequest): Promise<ClientHistory | Refusal>
}
