// What the jobs of a host are made of: what they get from the other departments, and what all ways into them share.

import type { Store } from '../../stores/store.ts'
import type { Audit } from '../access/audit.ts'
import type { Agents } from '../agents/service.ts'
import type { JobsCluster } from '../cluster/cluster.ts'
import type { Limits } from '../config/options.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { AccessService, Rights, SearchService, WakeService } from '../contract/services.ts'
import type { WatchImaging } from '../images/imaging-watch.ts'
import type { RepositorySlots } from '../images/repository-slots.ts'
import type { Transfers } from '../images/transfer/transfers.ts'
import type { Log } from '../log/log.ts'
import type { Clock } from '../system/clock.ts'
import type { Events } from '../system/events.ts'
import type { CommandServices } from './command-services.ts'
import type { Decider } from './hook-decider.ts'

export interface JobsDeps {
  store: Store
  fleet: Pick<
    Agents,
    'send' | 'batchWrites' | 'has' | 'hasLocal' | 'isReady' | 'isLeaving' | 'clientsOf' | 'clearOutput'
  >
  cluster: JobsCluster
  wake: WakeService
  events: Events
  log: Log
  clock: Clock
  limits: Limits
  /** Rejects when the job of a command could not be stored: such a command must not be sent. */
  ensureWritable(): Promise<void>
  /** Option `deadlines`. */
  deadlines: Record<string, number>
  watchImaging: WatchImaging | undefined
  /** Copies by agents that do not need a repository of the family. */
  transfers?: Pick<Transfers, 'issue'>
  slots?: RepositorySlots
  /** Whether somebody uses a client of this host. */
  isLoggedIn?(addr: string): boolean
  services: CommandServices
  findCommand(name: string): LoadedCommand | undefined
  /** The command whose `forward` has this flag. */
  findFlagged(flag: 'onConnect' | 'beforeQueue' | 'stopsJobs'): LoadedCommand | undefined
  search: Pick<SearchService, 'targets'>
  access: Pick<AccessService, 'rightsOf'>
  audit: Pick<Audit, 'add'>
  decider: Decider
  /** As `rightsOf`, with what the store has of rooms and computers. */
  resolveRights(account: string): Promise<Rights | undefined>
}
