// The shapes of the API's answers, derived from the `returns` of the commands: types only, for the console and the CLI.
import type { FromSchema } from './command.ts'

/** What a command answers. */
export type Answer<Of extends { default: { returns: object } }> = FromSchema<Of['default']['returns']>

// Clients.
export type ClientsAnswer = Answer<typeof import('../../commands/clients.ts')>
export type ClientAnswer = ClientsAnswer['clients'][number]
export type AgentsAnswer = Answer<typeof import('../../commands/agents.ts')>
export type SessionsAnswer = Answer<typeof import('../../commands/sessions.ts')>
export type SessionAnswer = SessionsAnswer['sessions'][number]
export type PendingListAnswer = Answer<typeof import('../../commands/pending.ts')>
/** A connected client without a record. */
export type PendingAnswer = PendingListAnswer['pending'][number]
export type FailuresAnswer = Answer<typeof import('../../commands/failures.ts')>
/** A command that has failed on a computer, which nobody has seen. */
export type FailureAnswer = FailuresAnswer['failures'][number]
export type ShellOutputAnswer = Answer<typeof import('../../commands/shell-output.ts')>

// Centers, rooms and computers.
export type ScopesAnswer = Answer<typeof import('../../commands/scopes.ts')>
export type ScopeNode = ScopesAnswer['scope'][number]
export type PlacesAnswer = Answer<typeof import('../../commands/places.ts')>
export type ComputerAnswer = Answer<typeof import('../../commands/client-info.ts')>
export type PartitionsAnswer = Answer<typeof import('../../commands/client-setup.ts')>
export type PartitionAnswer = PartitionsAnswer['partitions'][number]
export type InstalledSystemsAnswer = Answer<typeof import('../../commands/session-result.ts')>
export type InstalledSystem = InstalledSystemsAnswer['sessions'][number]
export type HardwareAnswer = Answer<typeof import('../../commands/hardware-result.ts')>
export type SoftwareAnswer = Answer<typeof import('../../commands/software-result.ts')>
export type ImportAnswer = Answer<typeof import('../../commands/client-import.ts')>
export type ImportConflict = ImportAnswer['conflicts'][number]
export type ImportRow = NonNullable<ImportAnswer['rows']>[number]

// Jobs.
export type JobsAnswer = Exclude<Answer<typeof import('../../commands/jobs.ts')>, { parts: object }>
/** One page of a job's parts. */
export type JobDetails = Extract<Answer<typeof import('../../commands/jobs.ts')>, { parts: object }>
export type JobAnswer = JobsAnswer['jobs'][number]
export type PartAnswer = JobDetails['parts'][number]
export type PartState = PartAnswer['state']
/** How far the copy of an image is. */
export type CopyProgress = NonNullable<PartAnswer['progress']>
/** Why a queued part waits although its client could take it. */
export type PartWait = NonNullable<PartAnswer['waiting']>
export type ReportAnswer = Answer<typeof import('../../commands/job-report.ts')>
export type ReportCounts = Pick<ReportAnswer, 'total' | 'has' | 'unconfirmed' | 'open' | 'missing'>
export type DrainAnswer = Answer<typeof import('../../commands/drain-state.ts')>

// Images.
export type ImagesAnswer = Answer<typeof import('../../commands/images.ts')>
export type ImageAnswer = ImagesAnswer['images'][number]
/** An older file of an image. */
export type VersionAnswer = ImageAnswer['versions'][number]
export type FileCheck = ImageAnswer['check']
export type DiskUsage = ImagesAnswer['disk']
export type ImageStatsAnswer = Answer<typeof import('../../commands/image-stats.ts')>
export type BinAnswer = Answer<typeof import('../../commands/image-bin.ts')>
export type BinEntry = BinAnswer['bin'][number]
/** What a planned restore would do. */
export type PreviewAnswer = Answer<typeof import('../../commands/image-plan.ts')>
export type RoomPreview = PreviewAnswer['rooms'][number]
/** Computers that have the same in the partition that a restore overwrites. */
export type ContentGroup = PreviewAnswer['content'][number]
export type PlansAnswer = Answer<typeof import('../../commands/image-plans.ts')>
export type PlanAnswer = PlansAnswer['plans'][number]
/** How a task runs. */
export type RunOptions = PlanAnswer['options']
export type RepositoriesAnswer = Answer<typeof import('../../commands/repositories.ts')>

// Procedures, tasks and schedules.
export type ProceduresAnswer = Answer<typeof import('../../commands/procedures.ts')>
export type ProcedureAnswer = ProceduresAnswer['procedures'][number]
export type ProcedureStep = ProcedureAnswer['steps'][number]
export type CommandStep = Extract<ProcedureStep, { command: string }>
export type TasksAnswer = Answer<typeof import('../../commands/tasks.ts')>
export type TaskAnswer = TasksAnswer['tasks'][number]
export type TaskStep = TaskAnswer['steps'][number]
export type SchedulesAnswer = Answer<typeof import('../../commands/schedules.ts')>
export type ScheduleAnswer = SchedulesAnswer['schedules'][number]
export type TargetType = ScheduleAnswer['type']
export type When = ScheduleAnswer['when']
export type ScheduleListAnswer = Answer<typeof import('../../commands/schedule-get.ts')>
export type NextTimesAnswer = Answer<typeof import('../../commands/schedule-next.ts')>

// Access.
export type CallerAnswer = Answer<typeof import('../../commands/me.ts')>
export type Role = CallerAnswer['role']
export type TokensAnswer = Answer<typeof import('../../commands/tokens.ts')>
export type UsersAnswer = Answer<typeof import('../../commands/users.ts')>
/** A token or a user. */
export type AccountAnswer = UsersAnswer['users'][number] & Partial<TokensAnswer['tokens'][number]>
export type NewTokenAnswer = Answer<typeof import('../../commands/token-add.ts')>
export type LoginLinkAnswer = Answer<typeof import('../../commands/login-link.ts')>
export type AuditPageAnswer = Answer<typeof import('../../commands/audit.ts')>
export type AuditAnswer = AuditPageAnswer['audit'][number]

// The server.
export type ModulesAnswer = Answer<typeof import('../../commands/modules.ts')>
export type ModuleAnswer = ModulesAnswer['modules'][number]
export type HostsAnswer = Answer<typeof import('../../commands/hosts.ts')>
export type ReadyAnswer = Answer<typeof import('../../commands/readyz.ts')>
export type ModesAnswer = Answer<typeof import('../../commands/modes.ts')>
export type LiveSystemsAnswer = Answer<typeof import('../../commands/oglive-list.ts')>
export type ModePreviewAnswer = Answer<typeof import('../../commands/mode-preview.ts')>
