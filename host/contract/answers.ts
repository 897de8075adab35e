// The shapes of the API's answers, derived from the `returns` of the commands: types only, for the console and the CLI.
import type { ApiDocument } from './api-document.ts'
import type { Called } from './called-commands.ts'
import type { FromSchema } from './command.ts'

/** What a command answers. */
export type Answer<Of extends { default: { returns: object } }> = FromSchema<Of['default']['returns']>

type Jobs = Answer<typeof import('../../commands/jobs.ts')>

/** What a route answers, also with more behind its path: `GET /jobs/5`, `GET /jobs?limit=1`; unknown for others. */
export type AnswerOf<Route extends string> = Route extends keyof OtherAnswers
  ? OtherAnswers[Route]
  : Route extends Called['default']['route']
    ? Answer<Extract<Called, { default: { route: Route } }>>
    : Route extends `GET /jobs/${string}`
      ? JobDetails
      : Route extends `GET /view/${string}`
        ? ViewAnswer
        : Route extends `${infer Path}?${string}`
          ? AnswerOf<Path>
          : unknown

/** Those that `returns` does not say, or not exactly. */
interface OtherAnswers {
  'GET /client/export': string
  'GET /jobs': JobsAnswer
  'GET /openapi.json': ApiDocument
}

// Clients.
export type ClientsAnswer = AnswerOf<'GET /clients'>
export type ClientAnswer = ClientsAnswer['clients'][number]
export type SessionsAnswer = Answer<typeof import('../../commands/sessions.ts')>
export type SessionAnswer = SessionsAnswer['sessions'][number]
export type PendingListAnswer = AnswerOf<'GET /pending'>
/** A connected client without a record. */
export type PendingAnswer = PendingListAnswer['pending'][number]
export type FailuresAnswer = Answer<typeof import('../../commands/failures.ts')>
/** A command that has failed on a computer, which nobody has seen. */
export type FailureAnswer = FailuresAnswer['failures'][number]

// Centers, rooms and computers.
export type ScopesAnswer = AnswerOf<'GET /scopes'>
export type RoomAnswer = AnswerOf<'GET /room/info'>
export type UndoAnswer = AnswerOf<'GET /undo'>
export type DeletionAnswer = AnswerOf<'GET /deletion'>
export type ScopeNode = ScopesAnswer['scope'][number]
export type SearchAnswer = Answer<typeof import('../../commands/search.ts')>
export type SearchFieldsAnswer = Answer<typeof import('../../commands/search-fields.ts')>
export type SearchValuesAnswer = Answer<typeof import('../../commands/search-values.ts')>
export type GroupsAnswer = Answer<typeof import('../../commands/groups.ts')>
export type GroupAnswer = GroupsAnswer['groups'][number]
export type PlacesAnswer = Answer<typeof import('../../commands/places.ts')>
export type ComputerAnswer = Answer<typeof import('../../commands/client-info.ts')>
export type PartitionsAnswer = AnswerOf<'GET /client/setup'>
export type PartitionAnswer = PartitionsAnswer['partitions'][number]
export type SystemsAnswer = Answer<typeof import('../../commands/client-systems.ts')>
/** What computers have in a partition. */
export type PartitionSystem = SystemsAnswer['partitions'][number]
export type InstalledSystemsAnswer = Answer<typeof import('../../commands/session-result.ts')>
export type InstalledSystem = InstalledSystemsAnswer['sessions'][number]
export type HardwareAnswer = Answer<typeof import('../../commands/hardware-result.ts')>
type Histories = AnswerOf<'GET /inventory/history'>
export type HistoryAnswer = Extract<Histories, { since: unknown }>
export type InventoryChange = HistoryAnswer['changes'][number]
export type ClientHistoryAnswer = AnswerOf<'GET /history/client'>
export type RoomsHistoryAnswer = AnswerOf<'GET /history/rooms'>
type Programs = AnswerOf<'GET /software'>
export type SoftwareAnswer = Extract<Programs, { software: unknown }>
/** Of many computers. */
export type ProgramsAnswer = Exclude<Programs, SoftwareAnswer>
export type ImportAnswer = AnswerOf<'POST /client/import'>
export type ImportConflict = ImportAnswer['conflicts'][number]
export type ImportRow = NonNullable<ImportAnswer['rows']>[number]

// Jobs.
export type JobsAnswer = Exclude<Jobs, { parts: object }>
/** One page of a job's parts. */
export type JobDetails = Extract<Jobs, { parts: object }>
export type ListedJob = JobsAnswer['jobs'][number]
/** Also without its computers, which only lists count. */
export type JobAnswer = Omit<ListedJob, 'computers'>
export type PartAnswer = JobDetails['parts'][number]
export type PartState = PartAnswer['state']
/** How far the copy of an image is. */
export type CopyProgress = NonNullable<PartAnswer['progress']>
/** Why a queued part waits although its client could take it. */
export type PartWait = NonNullable<PartAnswer['waiting']>
export type ReportAnswer = AnswerOf<'GET /job/report'>
export type ReportCounts = Pick<ReportAnswer, 'total' | 'has' | 'unconfirmed' | 'open' | 'missing'>
export type DrainAnswer = AnswerOf<'GET /drain'>

// Scripts.
export type ScriptsAnswer = AnswerOf<'GET /scripts'>
export type ScriptAnswer = ScriptsAnswer['scripts'][number]

// Images.
export type ImagesAnswer = AnswerOf<'GET /images'>
export type ImageAnswer = ImagesAnswer['images'][number]
/** An older file of an image. */
export type VersionAnswer = ImageAnswer['versions'][number]
export type FileCheck = ImageAnswer['check']
export type DiskUsage = ImagesAnswer['disk']
export type BinAnswer = AnswerOf<'GET /image/bin'>
export type BinEntry = BinAnswer['bin'][number]
/** What a planned restore would do. */
export type PreviewAnswer = AnswerOf<'POST /image/plan'>
export type RoomPreview = PreviewAnswer['rooms'][number]
/** Computers that have the same in the partition that a restore overwrites. */
export type ContentGroup = PreviewAnswer['content'][number]
export type PlansAnswer = AnswerOf<'GET /image/plans'>
export type PlanAnswer = PlansAnswer['plans'][number]
/** How a task runs. */
export type RunOptions = PlanAnswer['options']
export type RepositoriesAnswer = AnswerOf<'GET /repositories'>

// Procedures, tasks and schedules.
export type ProceduresAnswer = AnswerOf<'GET /procedures'>
export type ProcedureAnswer = ProceduresAnswer['procedures'][number]
export type ProcedureStep = ProcedureAnswer['steps'][number]
export type CommandStep = Extract<ProcedureStep, { command: string }>
export type TasksAnswer = AnswerOf<'GET /tasks'>
export type TaskAnswer = TasksAnswer['tasks'][number]
export type TaskStep = TaskAnswer['steps'][number]
export type SchedulesAnswer = AnswerOf<'GET /schedules'>
/** Whom a schedule is for. */
export type TargetWords = NonNullable<ScheduleAnswer['for']>
export type ScheduleAnswer = SchedulesAnswer['schedules'][number]
export type FiringsAnswer = AnswerOf<'GET /schedule/firings'>
export type FiringAnswer = FiringsAnswer['firings'][number]
export type TargetType = ScheduleAnswer['type']
export type When = ScheduleAnswer['when']
export type NextTimesAnswer = AnswerOf<'GET /schedule/next'>

// Access.
export type LoginProviderAnswer = AnswerOf<'GET /login/provider'>
export type LoginStartAnswer = AnswerOf<'POST /login/start'>
export type LogoutAnswer = AnswerOf<'POST /logout'>
export type CallerAnswer = AnswerOf<'GET /me'>
export type Role = CallerAnswer['role']
export type TokensAnswer = AnswerOf<'GET /tokens'>
export type UsersAnswer = AnswerOf<'GET /users'>
/** A token or a user. */
export type AccountAnswer = UsersAnswer['users'][number] & Partial<TokensAnswer['tokens'][number]>
export type AuditPageAnswer = AnswerOf<'GET /audit'>
export type AuditAnswer = AuditPageAnswer['audit'][number]

// The server.
export type ModulesAnswer = AnswerOf<'GET /modules'>
export type ModuleAnswer = ModulesAnswer['modules'][number]
export type ReadyAnswer = Answer<typeof import('../../commands/readyz.ts')>
export type HooksAnswer = AnswerOf<'GET /hooks'>
export type HookAnswer = HooksAnswer['hooks'][number]
export type PacksAnswer = AnswerOf<'GET /packs'>
export type PackAnswer = PacksAnswer['packs'][number]
export type ViewsAnswer = AnswerOf<'GET /views'>
export type ViewEntry = ViewsAnswer['views'][number]
type Views = Answer<typeof import('../../commands/view.ts')>
/** What a view of one kind shows. */
export type ViewAnswer<Kind extends ViewEntry['view'] = ViewEntry['view']> = Extract<Views, { view: Kind }>
export type ViewPoint = ViewAnswer<'chart'>['series'][number]['points'][number]
export type ModesAnswer = AnswerOf<'GET /mode'>
export type LiveSystemsAnswer = AnswerOf<'GET /oglive/list'>
export type ModePreviewAnswer = Answer<typeof import('../../commands/mode-preview.ts')>
