// The history service of commands, and what records it.
import type { HistoryService } from '../contract/services.ts'
import { type ClientHistoryDeps, readClient } from './client-history.ts'
import { Recorder, type RecorderDeps } from './history-recorder.ts'
import { type RoomHistoryDeps, readRooms } from './room-history.ts'

type HistoryDeps = RecorderDeps & RoomHistoryDeps & ClientHistoryDeps

export function createHistory(deps: HistoryDeps): { recorder: Recorder; history: HistoryService } {
  const recorder = new Recorder(deps)
  const history: HistoryService = {
    async rooms(request, rights) {
      await recorder.flush()
      return readRooms(deps, request, rights, deps.clock.now())
    },
    async client(client, request) {
      await recorder.flush()
      return readClient(deps, client, request, deps.clock.now())
    },
  }
  return { recorder, history }
}
