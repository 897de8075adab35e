// The shapes of the API's answers, derived from the `returns` of the commands: types only, for the console and the CLI.
import type agents from '../../commands/agents.ts'
import type audit from '../../commands/audit.ts'
import type clientImport from '../../commands/client-import.ts'
import type clientInfo from '../../commands/client-info.ts'
import type clientSetup from '../../commands/client-setup.ts'
import type clients from '../../commands/clients.ts'
import type drainState from '../../commands/drain-state.ts'
import type failures from '../../commands/failures.ts'
import type hardwareResult from '../../commands/hardware-result.ts'
import type hosts from '../../commands/hosts.ts'
import type imageBin from '../../commands/image-bin.ts'
import type imagePlan from '../../commands/image-plan.ts'
import type imagePlans from '../../commands/image-plans.ts'
import type imageStats from '../../commands/image-stats.ts'
import type images from '../../commands/images.ts'
import type jobReport from '../../commands/job-report.ts'
import type jobs from '../../commands/jobs.ts'
import type loginLink from '../../commands/login-link.ts'
import type me from '../../commands/me.ts'
import type modePreview from '../../commands/mode-preview.ts'
import type modes from '../../commands/modes.ts'
import type modules from '../../commands/modules.ts'
import type ogliveList from '../../commands/oglive-list.ts'
import type pending from '../../commands/pending.ts'
import type places from '../../commands/places.ts'
import type procedures from '../../commands/procedures.ts'
import type readyz from '../../commands/readyz.ts'
import type repositories from '../../commands/repositories.ts'
import type scheduleGet from '../../commands/schedule-get.ts'
import type scheduleNext from '../../commands/schedule-next.ts'
import type schedules from '../../commands/schedules.ts'
import type scopes from '../../commands/scopes.ts'
import type sessionResult from '../../commands/session-result.ts'
import type sessions from '../../commands/sessions.ts'
import type shellOutput from '../../commands/shell-output.ts'
import type softwareResult from '../../commands/software-result.ts'
import type tasks from '../../commands/tasks.ts'
import type tokenAdd from '../../commands/token-add.ts'
import type tokens from '../../commands/tokens.ts'
import type users from '../../commands/users.ts'
import type { FromSchema } from './command.ts'

/** What a command answers. */
export type Answer<Of extends { returns: object }> = FromSchema<Of['returns']>

// Clients.
export type ClientsAnswer = Answer<typeof clients>
export type ClientAnswer = ClientsAnswer['clients'][number]
export type AgentsAnswer = Answer<typeof agents>
export type SessionsAnswer = Answer<typeof sessions>
export type SessionAnswer = SessionsAnswer['sessions'][number]
export type PendingListAnswer = Answer<typeof pending>
/** A connected client without a record. */
export type PendingAnswer = PendingListAnswer['pending'][number]
export type FailuresAnswer = Answer<typeof failures>
/** A command that has failed on a computer, which nobody has seen. */
export type FailureAnswer = FailuresAnswer['failures'][number]
export type ShellOutputAnswer = Answer<typeof shellOutput>

// Centers, rooms and computers.
export type ScopesAnswer = Answer<typeof scopes>
export type ScopeNode = ScopesAnswer['scope'][number]
export type PlacesAnswer = Answer<typeof places>
export type ComputerAnswer = Answer<typeof clientInfo>
export type PartitionsAnswer = Answer<typeof clientSetup>
export type PartitionAnswer = PartitionsAnswer['partitions'][number]
export type InstalledSystemsAnswer = Answer<typeof sessionResult>
export type InstalledSystem = InstalledSystemsAnswer['sessions'][number]
export type HardwareAnswer = Answer<typeof hardwareResult>
export type SoftwareAnswer = Answer<typeof softwareResult>
export type ImportAnswer = Answer<typeof clientImport>
export type ImportConflict = ImportAnswer['conflicts'][number]
export type ImportRow = NonNullable<ImportAnswer['rows']>[number]

// Jobs.
export type JobsAnswer = Exclude<Answer<typeof jobs>, { parts: object }>
/** One page of a job's parts. */
export type JobDetails = Extract<Answer<typeof jobs>, { parts: object }>
export type JobAnswer = JobsAnswer['jobs'][number]
export type PartAnswer = JobDetails['parts'][number]
export type PartState = PartAnswer['state']
/** How far the copy of an image is. */
export type CopyProgress = NonNullable<PartAnswer['progress']>
/** Why a queued part waits although its client could take it. */
export type PartWait = NonNullable<PartAnswer['waiting']>
export type ReportAnswer = Answer<typeof jobReport>
export type ReportCounts = Pick<ReportAnswer, 'total' | 'has' | 'unconfirmed' | 'open' | 'missing'>
export type DrainAnswer = Answer<typeof drainState>

// Images.
export type ImagesAnswer = Answer<typeof images>
export type ImageAnswer = ImagesAnswer['images'][number]
/** An older file of an image. */
export type VersionAnswer = ImageAnswer['versions'][number]
export type FileCheck = ImageAnswer['check']
export type DiskUsage = ImagesAnswer['disk']
export type ImageStatsAnswer = Answer<typeof imageStats>
export type BinAnswer = Answer<typeof imageBin>
export type BinEntry = BinAnswer['bin'][number]
/** What a planned restore would do. */
export type PreviewAnswer = Answer<typeof imagePlan>
export type RoomPreview = PreviewAnswer['rooms'][number]
/** Computers that have the same in the partition that a restore overwrites. */
export type ContentGroup = PreviewAnswer['content'][number]
export type PlansAnswer = Answer<typeof imagePlans>
export type PlanAnswer = PlansAnswer['plans'][number]
/** How a task runs. */
export type RunOptions = PlanAnswer['options']
export type RepositoriesAnswer = Answer<typeof repositories>

// Procedures, tasks and schedules.
export type ProceduresAnswer = Answer<typeof procedures>
export type ProcedureAnswer = ProceduresAnswer['procedures'][number]
export type ProcedureStep = ProcedureAnswer['steps'][number]
export type CommandStep = Extract<ProcedureStep, { command: string }>
export type TasksAnswer = Answer<typeof tasks>
export type TaskAnswer = TasksAnswer['tasks'][number]
export type TaskStep = TaskAnswer['steps'][number]
export type SchedulesAnswer = Answer<typeof schedules>
export type ScheduleAnswer = SchedulesAnswer['schedules'][number]
export type TargetType = ScheduleAnswer['type']
export type When = ScheduleAnswer['when']
export type ScheduleListAnswer = Answer<typeof scheduleGet>
export type NextTimesAnswer = Answer<typeof scheduleNext>

// Access.
export type CallerAnswer = Answer<typeof me>
export type Role = CallerAnswer['role']
export type TokensAnswer = Answer<typeof tokens>
export type UsersAnswer = Answer<typeof users>
/** A token or a user. */
export type AccountAnswer = UsersAnswer['users'][number] & Partial<TokensAnswer['tokens'][number]>
export type NewTokenAnswer = Answer<typeof tokenAdd>
export type LoginLinkAnswer = Answer<typeof loginLink>
export type AuditPageAnswer = Answer<typeof audit>
export type AuditAnswer = AuditPageAnswer['audit'][number]

// The server.
export type ModulesAnswer = Answer<typeof modules>
export type ModuleAnswer = ModulesAnswer['modules'][number]
export type HostsAnswer = Answer<typeof hosts>
export type ReadyAnswer = Answer<typeof readyz>
export type ModesAnswer = Answer<typeof modes>
export type LiveSystemsAnswer = Answer<typeof ogliveList>
export type ModePreviewAnswer = Answer<typeof modePreview>
