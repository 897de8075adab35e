// What commands do with jobs, their failures, draining and schedules.

import type { failure } from '../../commands/_schemas/clients.ts'
import type { firing, firingProblem } from '../../commands/_schemas/firings.ts'
import type { jobResults, progress, waiting } from '../../commands/_schemas/jobs.ts'
import type { drainState } from '../../commands/_schemas/server.ts'
import type {
  JobFilter,
  Masks,
  New,
  PlannedRestore,
  Schedule,
  ScheduledCommand,
  Step,
  Task,
} from '../../stores/store.ts'
import type { FromSchema } from './from-schema.ts'
import type { Caller, Changer, Refusal, Request, Rights } from './request.ts'

type JobResult = FromSchema<typeof jobResults>
/** One job with a page of its parts. */
export type JobPage = Extract<JobResult, { parts: object }>
export type JobEntry = Exclude<JobResult, { parts: object }>['jobs'][number]

/** How far a part that copies an image is; `step`: index in the job's steps. */
export type PartProgress = FromSchema<typeof progress> & { client: string; step: number }

/** What a queued part waits for. */
export type PartWait = FromSchema<typeof waiting>

export interface JobsService extends JobRuns, JobReads {
  /**
   * Starts a command as the pack of the file, through the same checks as a request; computers in maintenance are skipped.
   * Resolves to the id of the new job. Refused with 403 when the pack's role is not sufficient, and for built-in commands
   * outside of packs.
   */
  run(work: CommandRun): Promise<number | Refusal>
}

/** A command and the clients that it works on, or a query that finds them now; `payload` is without them. */
export interface CommandRun {
  command: string
  payload?: Readonly<Record<string, unknown>>
  clients?: readonly string[]
  /** See docs/search.md. Refused when it finds no computer. */
  where?: string
  /** Clients that are off or busy get it later: seconds that it may wait. */
  queue?: number
  /** With `queue`: clients that are off are woken. */
  wake?: boolean
}

/** What callers read of jobs. */
export interface JobReads {
  /** The newest jobs first, of a limited caller those with its computers, in the words of `GET /jobs`. */
  list(filter: Omit<JobFilter, 'clients'>, rights: Rights): Promise<JobEntry[]>
  /** One job with a page of its parts, those after the index `after`; with `client` only of that, with outputs. */
  read(id: string, page: { client?: string | undefined; after: number }, rights: Rights): Promise<JobPage | Refusal>
  /** What became of each computer of a job, in the words of `GET /job/report`. */
  report(query: ReportQuery, rights: Rights): Promise<object | Refusal>
}

export interface JobRuns {
  /** The steps with aliases replaced by command names, or a refusal that names the first invalid step. */
  checkSteps(steps: Step[]): Step[] | Refusal
  /**
   * Resolves to the id of the new job, which records the caller. Computers in maintenance are skipped. A refusal with 403
   * when the caller could not send the commands of all steps to all computers itself, as for `runProcedure`.
   */
  runTask(task: number | UnstoredTask, caller: Caller): Promise<number | Refusal>
  /** Resolves to the id of the new job, which records the caller. */
  runProcedure(procedure: number, clients: string[], caller: Caller): Promise<number | Refusal>
  /**
   * Cancels the queued parts of a job, of a limited caller those within the limits, or those of `clients`; returns how
   * many. A refusal when the job is unknown or has no such part.
   */
  cancel(job: number, caller: Caller, clients?: readonly string[]): Promise<number | Refusal>
  /** Cancels as `cancel`, and ends the running parts: each host ends those of its clients, soon. */
  stop(job: number, caller: Caller, clients?: readonly string[]): Promise<Refusal | undefined>
  /**
   * Resolves to the id of the new job, of a limited caller with the parts within the limits. A refusal when the job is
   * unknown or has no such parts. `wake`: clients whose parts are queued are woken.
   */
  retry(job: number, only: 'failed' | 'all', caller: Caller, wake?: boolean): Promise<number | Refusal>
  /** Why queued parts of a job wait that could be sent otherwise, by their indexes; only of clients of this host. */
  waitsOf(job: number): Promise<ReadonlyMap<number, PartWait>>
  /** Whether all computers that the task is for are within the limits; one with a query has those within them. */
  isInside(task: Pick<Task, 'center' | 'scope' | 'clients' | 'where' | 'group'>, rights: Rights): Promise<boolean>
}

/** A task that is stored when nothing refuses to run it. */
export interface UnstoredTask extends Pick<Task, 'center' | 'name' | 'steps' | 'clients' | 'options'> {
  /** With the schedule that is to run it, in one step. Resolves to the name that was free, and to the records' ids. */
  store(schedule?: Omit<New<Schedule>, 'name' | 'type' | 'task' | 'plan'>): Promise<StoredTask | Refusal>
}

interface StoredTask extends PlannedRestore {
  name: string
}

export interface ReportQuery {
  /** Of the job, in digits. */
  id: string
  /** The command whose success means that a computer has the image. */
  restoredBy: string
  /** Only computers that do not have it, or not confirmed. */
  onlyMissing: boolean
  /** Computers after so many. */
  after: number
}

/** A command that has failed on a client. `ended`: milliseconds since 1970. `run`: '' unless it has `sameRun`. */
export type FailureEntry = Omit<FromSchema<typeof failure>, 'time'> & { ended: number; run: string }

export interface FailuresService {
  /**
   * Commands of jobs that have failed on a client and have neither succeeded there since, with the same `sameRun`, nor
   * has a command with `endsFailures`. As far as jobs are kept, of each client the newest 20; of the whole fleet.
   */
  list(): Promise<FailureEntry[]>
}

/** Before a restart of the daemon. */
export interface DrainService {
  /** From now on commands for clients are refused and queued parts stay queued, until `cancel` or the daemon's end. */
  start(): void
  cancel(): void
  state(): DrainState
}

export type DrainState = FromSchema<typeof drainState>

/** How a firing of a schedule went. */
export type FiringEntry = Omit<FromSchema<typeof firing>, 'problems'> & {
  problems: (Omit<FromSchema<typeof firingProblem>, 'clients'> & { clients: string[] })[]
}

export interface FiringFilter {
  /** Of one schedule. */
  id?: number | undefined
  /** Those that were due from then on, milliseconds since 1970. */
  since?: number | undefined
  /** Only the newest one of each schedule. */
  newest?: true
}

/** A schedule of a caller. Without `when` it fires at once. */
export type NewSchedule = Pick<Schedule, 'type' | 'task' | 'name' | 'suspended' | 'plan'> & { when?: Masks }

/** The time in an update of a schedule, where `weeks` and `week_days` are optional. */
export type MasksChange = Omit<Masks, 'weeks' | 'week_days'> & Partial<Masks>

/** An update of a schedule: absent keys keep their values. Without `when` it fires at once. */
export type ScheduleChange = Pick<Schedule, 'task' | 'name' | 'type'> &
  Partial<Pick<Schedule, 'suspended'>> & { when?: MasksChange }

/**
 * A limited caller has the schedules that it made and those whose computers are all within its limits; for any other id,
 * known or not, it gets a refusal with 403. A refusal with 403 also when a caller could not run the target itself.
 */
export interface SchedulesService {
  list(caller: Caller): Promise<Schedule[]>
  /** `schedule Evening (schedule 3), task Tidy up (task 4)`: what uses a task or a procedure, as far as the caller sees it; or ''. */
  usersOf(kind: 'task' | 'procedure', id: number, caller: Caller): Promise<string>
  /** When the caller's schedules run next on computers, by address: those until `until`, milliseconds since 1970. */
  upcoming(until: number, caller: Caller): Promise<ReadonlyMap<string, number>>
  /** Resolves to the id of the new schedule, which runs with the rights that the caller has then. */
  create(schedule: NewSchedule, caller: Caller): Promise<number | Refusal>
  /** Stores the task with a schedule that fires once, in the minute of `at`. */
  createOnce(task: UnstoredTask, at: Date, caller: Caller): Promise<number | Refusal>
  /** Stores a command with its clients, and a schedule for it; resolves to the id of the schedule. */
  createScheduledCommand(
    scheduled: Pick<ScheduledCommand, 'command' | 'params'> &
      Partial<Pick<ScheduledCommand, 'clients' | 'where' | 'group'>> & { when?: Masks; name?: string },
    caller: Caller,
  ): Promise<number | Refusal>
  /** The schedule runs with the rights of the caller from now on. A refusal for an unknown id. */
  update(id: number, change: ScheduleChange, caller: Caller & Changer): Promise<Refusal | undefined>
  /** Warns of a schedule that names something which does not exist, or of whose times, if it has any, none is to come. */
  warn(id: number, when: object | undefined, request: Pick<Request, 'warn'>): Promise<void>
  /**
   * A refusal for an unknown id. With it go the task and the procedure that were made with it. It can be taken back. Warns of its jobs
   * that still wait.
   */
  delete(id: number, caller: Caller & Changer): Promise<Refusal | undefined>
  /** What those that fire again name although it is not there any more, by their ids: `image win11`, `room Studio`. */
  missing(schedules: readonly Schedule[]): Promise<ReadonlyMap<number, string[]>>
  /** The ISO times at which it fires next; a refusal for an unknown id. */
  next(id: number, count: number, caller: Caller): Promise<string[] | Refusal>
  /** The same of a schedule at hand. */
  timesOf(schedule: Schedule, count: number): string[]
  /** How firings went, the newest first, also of schedules that are gone; of a limited caller those of its schedules. */
  firings(filter: FiringFilter, caller: Caller): Promise<FiringEntry[]>
  /** The ISO time of the last run that did not take place, as this daemon knows it since its start; none after a later run. */
  missed(id: number): string | undefined
}
