// What a command is handed besides its payload: the daemon's services, types only.
import type { CommandStore } from '../../stores/store.ts'
import type { AccessService, AuditService } from './access-services.ts'
import type {
  AgentProgramService,
  FleetService,
  HostsService,
  PendingService,
  SessionsService,
  WakeService,
} from './agents-services.ts'
import type { BootService, ComputersService, InventoryService } from './computers-services.ts'
import type { FleetInventoryService } from './fleet-inventory-service.ts'
import type { HistoryService } from './history-service.ts'
import type { HooksService } from './hooks-service.ts'
import type {
  CachesService,
  ImageFilesService,
  ImagesService,
  PlansService,
  PreflightService,
  RepositoryService,
} from './images-services.ts'
import type { DrainService, FailuresService, JobsService, SchedulesService } from './jobs-services.ts'
import type { PacksService } from './packs-service.ts'
import type { Refusal, RefusalStatus, TextResponse } from './request.ts'
import type { GroupsService, SearchService } from './search-service.ts'
import type {
  ApiDocsService,
  BackupService,
  ConsoleService,
  DiagnosisService,
  EventsService,
  HealthService,
  MetricsService,
  ModulesService,
} from './system-services.ts'
import type { UndoService } from './undo-service.ts'
import type { ViewsService } from './views-service.ts'

export type * from './access-services.ts'
export type * from './agents-services.ts'
export type * from './computers-services.ts'
export type * from './fleet-inventory-service.ts'
export type * from './from-schema.ts'
export type * from './history-service.ts'
export type * from './hooks-service.ts'
export type * from './images-services.ts'
export type * from './jobs-services.ts'
export type * from './packs-service.ts'
export type * from './request.ts'
export type * from './search-service.ts'
export type * from './system-services.ts'
export type * from './undo-service.ts'
export type * from './views-service.ts'

/** What every command is handed. */
export interface Services {
  store: CommandStore
  fleet: FleetService
  sessions: SessionsService
  pending: PendingService
  wake: WakeService
  inventory: InventoryService
  images: ImagesService
  /** Both are the same as `images`. */
  repository: RepositoryService
  imageFiles: ImageFilesService
  caches: CachesService
  preflight: PreflightService
  plans: PlansService
  computers: ComputersService
  boot: BootService
  modules: ModulesService
  packs: PacksService
  hosts: HostsService
  hooks: HooksService
  jobs: JobsService
  failures: FailuresService
  search: SearchService
  groups: GroupsService
  fleetInventory: FleetInventoryService
  history: HistoryService
  schedules: SchedulesService
  drain: DrainService
  backup: BackupService
  health: HealthService
  diagnosis: DiagnosisService
  metrics: MetricsService
  events: EventsService
  apiDocs: ApiDocsService
  console: ConsoleService
  agentProgram: AgentProgramService
  access: AccessService
  audit: AuditService
  undo: UndoService
  views: ViewsService
  slices: SlicesService
  /** Writes log lines that begin with the command's file. */
  log: CommandLog
  /** Aborted when this version of the command file is no longer in service: timers and streams should end then. */
  signal: AbortSignal
  /** Emits `pack-alert` as the pack of the file: something about a computer that people should know. */
  alert(alert: PackAlert): void
  /** The daemon's time, milliseconds since 1970; a test's lab sets it. */
  now(): number
  /** `status` is 400 by default. */
  refuse(reason: string, status?: RefusalStatus): Refusal
  isRefusal(value: unknown): value is Refusal
  /** A line of CSV with its line end: spreadsheets neither split nor calculate the values. */
  csvRecord(values: readonly (string | undefined)[]): string
  /** `status` is 200 by default. The response limit applies to JSON only. */
  text(
    type: string,
    body: string | Uint8Array | AsyncIterable<string | Uint8Array>,
    status?: number,
    headers?: TextResponse['headers'],
  ): TextResponse
}

export interface PackAlert {
  /** An address. */
  client: string
  /** Lower-case letters and hyphens: which alert of the pack it is. */
  kind: string
  /** One line for people. */
  text: string
}

/** Long work in slices of some milliseconds, between which other requests are served. */
export interface SlicesService {
  /** To be awaited after each step of long work: undefined while the time slice lasts, then a promise for the next one. */
  pause(): Promise<void> | undefined
  forEach<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void>
  /** Resolves to a sorted copy; equal items keep their order. */
  sort<Item>(items: readonly Item[], compare: (one: Item, other: Item) => number): Promise<Item[]>
}

export interface CommandLog {
  info(text: string): void
  warn(text: string): void
  /** For bugs and store faults: the line is followed by the error's stack. */
  error(text: string, error?: unknown): void
}

/** At the time when an agent is sent its request, or was. */
export interface Sending {
  /** Until an end after `timeout` seconds, and one at `end_at`, the next time that it is so late: `06:30`. */
  secondsLeft(ends: { timeout?: number; end_at?: string }): number | undefined
}
