// What a command is handed besides its payload: the daemon's services, types only.
import type { Computer, HardwareItem, Masks, New, Room, Schedule, Software, Step, Store } from '../stores/store.ts'

/** The request that a command answers, besides its payload. */
export interface Request<Query = Readonly<Record<string, string>>> {
  /** The parts of the path after the route; empty unless the module has `rest: true`. */
  rest: readonly string[]
  /** The query's values by key, checked by the module's schema `query`; a repeated key has its values joined with commas. */
  query: Query
  /** The value of a header, '' when it is absent. */
  header(name: string): string
  /** Sets the response header `X-Job-Id`. */
  job(id: number): void
  /** Sets the response header `X-Id`: the id of what was added. */
  created(id: number): void
  /** The caller's address. */
  readonly caller: string
  /** Aborted when the caller has closed the connection or has received the whole response. */
  readonly signal: AbortSignal
  /** Closes the caller's connection at once and logs the reason. */
  disconnect(reason: string): void
}

/** The client whose agent has replied. */
export interface Client {
  addr: string
  /** Sets the status by the agent's word, see the shared schema `status`. */
  setStatus(word: string): void
  /** Mbit/s. */
  setSpeed(speed: number): void
  /** Stores what a script printed, cut at `limits.output` characters: for `POST /shell/output` and for the job. */
  setOutput(output: string): void
}

export interface Outcome {
  result: 'success' | 'failure' | 'skipped'
  reason?: string
}

/** Made by `services.refuse`: the caller gets 400 with an empty body, the log gets the reason. */
export interface Refusal {
  readonly refused: string
}

/** Made by `services.text`: a response that is not JSON. */
export interface TextResponse {
  readonly status: number
  /** The media type. */
  readonly type: string
  readonly body: string | AsyncIterable<string>
}

/** What every command is handed. */
export interface Services {
  store: Store
  fleet: FleetService
  wake: WakeService
  inventory: InventoryService
  repository: RepositoryService
  images: ImagesService
  computers: ComputersService
  boot: BootService
  modules: ModulesService
  jobs: JobsService
  schedules: SchedulesService
  health: HealthService
  metrics: MetricsService
  events: EventsService
  apiDocs: ApiDocsService
  /** Writes log lines that begin with the command's file. */
  log: CommandLog
  /** Aborted when this version of the command file is no longer in service: timers and streams should end then. */
  signal: AbortSignal
  refuse(reason: string): Refusal
  isRefusal(value: unknown): value is Refusal
  /** `status` is 200 by default. The response limit applies to JSON only. */
  text(type: string, body: string | AsyncIterable<string>, status?: number): TextResponse
}

export interface CommandLog {
  info(text: string): void
  warn(text: string): void
  /** For bugs and store faults: the line is followed by the error's stack. */
  error(text: string, error?: unknown): void
}

/** An entry of `GET /clients`; wake-up entries have neither `speed` nor `status`. */
export interface ClientEntry {
  addr: string
  state: string
  speed?: number
  last_cmd: { result: 'unknown' | 'success' | 'failure' }
  status?: string
}

export interface FleetService {
  /** Wake-up entries first, then connected agents, most recent first. The same frozen list until an entry changes. */
  clients(): readonly ClientEntry[]
  /** Whether an agent of that address is connected. */
  has(addr: string): boolean
  /** The commands that connected agents are running, with their accepted payloads. */
  running(): { addr: string; command: string; payload: unknown }[]
  /** Shows the address as WOL_SENT until its agent connects, for 60 s at most. */
  addWakeEntry(addr: string): void
  /** The output of the last script on that address, '' when there is none. */
  output(addr: string): string
  /** Stores an output, cut at `limits.output` characters. */
  setOutput(addr: string, output: string): void
  clearOutput(addrs: string[]): void
}

export interface WakeService {
  /**
   * Sends magic packets to a computer that has a record and is not connected, and shows it as WOL_SENT. `type` is
   * `unicast`, `broadcast`, `1` (broadcast) or `2` (unicast); any other type is logged and sent as broadcast.
   */
  send(ip: string, type: string): Promise<Outcome>
}

/** A disk or partition as agents report it: `code` is hexadecimal, `size` KiB, `used_size` percent. */
export interface DiskEntry {
  disk: string
  partition: string
  code: string
  filesystem: string
  os: string
  size: string
  used_size: string
  disk_type?: string
}

/** The reply to refresh and setup. */
export interface InventoryReply {
  disk_setup?: DiskEntry[]
  partition_setup?: DiskEntry[]
  serial_number?: string
  /** Mbit/s. */
  link?: number
  status?: string
}

export interface InventoryService {
  /** Stores the disks and the serial number of a reply, and sets speed and status. False: there is no computer record. */
  refresh(reply: InventoryReply, client: Client): Promise<boolean>
  /** Parses lines of the form `cpu=Some processor`. */
  parseHardware(lines: string): HardwareItem[]
  /** Parses a list whose first line names the operating system. */
  parseSoftware(lines: string): Software
}

/** The keys of `client/add`: four required keys, the others have defaults. */
export type NewComputer = Pick<Computer, 'name' | 'ip' | 'mac' | 'room'> & Partial<New<Computer>>

/** The result of an import. Nothing is stored when there is a conflict. */
export interface ImportReport {
  added: number
  /** Computers whose record already has the same values. */
  exists: number
  conflicts: { line: number; reason: string }[]
  /** New computers with the name of another one, at most the first 100; absent when there are none. */
  warnings?: { line: number; reason: string }[]
}

export interface ComputersService {
  /** Adds a computer, and its boot files when its boot mode has a template. */
  add(computer: NewComputer): Promise<Refusal | undefined>
  /** Updates a computer and its boot files. */
  update(ip: string, change: Partial<New<Computer>>): Promise<Refusal | undefined>
  /** Updates a room and the boot files of its computers. */
  updateRoom(id: number, change: Partial<New<Room>>): Promise<Refusal | undefined>
  /** To be called after records were deleted: drops outputs and queued parts, and removes boot files. */
  cleanUp(computers: Computer[]): Promise<void>
  /** Adds all computers of the text, or none. `dryRun` stores nothing. */
  import(text: string, format: 'csv' | 'dhcpd', room: number, dryRun: boolean): Promise<ImportReport | Refusal>
  /** All computers as CSV. */
  export(): Promise<string>
}

export interface BootService {
  /** The names of the boot modes, sorted. */
  modes(): Promise<string[]>
  /** Sets the boot mode of the computers and writes their boot files: all or none. Unknown addresses are skipped. */
  setMode(clients: string[], mode: string): Promise<Refusal | undefined>
  /** Sets the live system of the computers and writes the boot files of those whose mode has a template. */
  setLiveSystem(clients: string[], livedir: string): Promise<Refusal | undefined>
  /** The boot files that a computer would have in a mode. */
  preview(client: string, mode: string): Promise<{ path: string; content: string }[] | Refusal>
  /** The live systems of option `boot.oglives`, and the index of the default one. */
  liveSystems(): Promise<{ default: number; oglive: object[] }>
}

/** A file of the image repository, in the words of `GET /images`. */
export interface ImageFile {
  size: number
  modified: string
  permissions: string
}

export interface RepositoryService {
  /** The address of this server: the address of repository 1. */
  address: string
  /** Whether an image may have this name: a file name without a path separator or NUL, not `.` or `..`. */
  isValidName(name: string): boolean
  /** The file of an image, undefined when it does not exist or is not a regular file. */
  file(name: string): Promise<ImageFile | undefined>
  /** Deletes the file of an image, if it exists. */
  remove(name: string): Promise<void>
  /** Bytes of the filesystem that holds the repository. */
  disk(): Promise<{ total: number; free: number }>
}

export interface ImagesService {
  /** The address of a repository, undefined for an unknown id. */
  addressOf(repository: number): Promise<string | undefined>
  /**
   * The id for an image that command `by` is going to create: of a new record, or of a record that has no file and no
   * running create. Undefined when the name is taken.
   */
  reserve(by: string, image: NewImage): Promise<number | undefined>
}

/** An image that is going to be created; `repository` is an address. */
export interface NewImage {
  name: string
  description: string
  repository: string
  group_id?: number
  center_id?: number
}

export interface JobsService {
  /** The steps with aliases replaced by command names, or a refusal that names the first invalid step. */
  checkSteps(steps: Step[]): Step[] | Refusal
  /** Resolves to the id of the new job, which records the caller's address. Computers in maintenance are skipped. */
  runTask(task: number, caller?: string): Promise<number | Refusal>
  /** Resolves to the id of the new job, which records the caller's address. */
  runProcedure(procedure: number, clients: string[], caller?: string): Promise<number | Refusal>
  /** Cancels the queued parts of a job; returns how many. */
  cancel(job: number): number
  /** Resolves to the id of the new job; undefined when the job is unknown or has no such parts. */
  retry(job: number, only: 'failed' | 'all', caller?: string): Promise<number | undefined>
}

/** A schedule of a caller. Without `when` it fires at once. */
export type NewSchedule = Pick<Schedule, 'type' | 'task' | 'name' | 'suspended'> & { when?: Masks }

/** The time in an update of a schedule, where `weeks` and `week_days` are optional. */
export type MasksChange = Omit<Masks, 'weeks' | 'week_days'> & Partial<Masks>

/** An update of a schedule: absent keys keep their values. Without `when` it fires at once. */
export type ScheduleChange = Pick<Schedule, 'task' | 'name'> &
  Partial<Pick<Schedule, 'suspended'>> & { when?: MasksChange }

export interface SchedulesService {
  /** Resolves to the id of the new schedule. */
  create(schedule: NewSchedule): Promise<number>
  /** Stores a command with its clients, and a schedule for it; resolves to the id of the schedule. */
  createScheduledCommand(scheduled: {
    clients: string[]
    command: string
    params: object
    when?: Masks
  }): Promise<number>
  /** The schedule's type becomes `task` (a rule of the specification). False for an unknown id. */
  update(id: number, change: ScheduleChange): Promise<boolean>
  /** False for an unknown id. */
  delete(id: number): Promise<boolean>
  /** The ISO times at which it fires next; undefined for an unknown id. */
  next(id: number, count: number): Promise<string[] | undefined>
}

export interface ModulesService {
  /** Every command file, built-in ones first. */
  list(): ModuleEntry[]
}

export interface HealthService {
  /** One line for each reason why the daemon cannot work; empty when it can. */
  problems(): Promise<string[]>
}

export interface MetricsService {
  /** The media type of `text`. */
  type: string
  /** All metrics in the text format of Prometheus. */
  text(): Promise<string>
}

/** The API reference of the commands in service. */
export interface ApiDocsService {
  /** An OpenAPI 3.1 document. */
  openapi(): object
  /** An HTML page that shows the document and loads nothing else. */
  page(): string
}

/** Which events a reader gets: an event must match each list that is not empty. `after`: the id of the last event that it has, '' for none. */
export interface EventFilter {
  /** `job-created`, or `job` for all types that begin with it. */
  types: string[]
  /** Addresses. */
  clients: string[]
  /** Ids. */
  rooms: string[]
  after: string
}

export interface EventsService {
  /** Server-sent events, until the caller disconnects, reads too slowly, or the daemon stops. */
  read(filter: EventFilter, caller: Pick<Request, 'signal' | 'disconnect'>): AsyncIterable<string> | Refusal
}

/** A command file; `route`, `forward`, `version` and `loaded_at` describe the version in service, if there is one. */
export interface ModuleEntry {
  file: string
  command: string
  /** `built-in`, or the path of the site's folder. */
  origin: string
  /** How many versions were loaded since the start. */
  versions: number
  route?: string
  forward?: string
  version?: number
  /** ISO time. */
  loaded_at?: string
  /** Why the newest content is not in service. */
  error?: string
}

/** The options' section `limits`: bytes, characters and seconds. */
export interface Limits {
  request: number
  response: number
  forward: number
  output: number
  answer_seconds: number
  expiry_seconds: number
  /** Memory of the events that are kept for readers. */
  events_bytes: number
  jobs_days: number
  jobs_count: number
  /** Bytes that the outputs of all jobs may take. */
  outputs_bytes: number
  /** Steps of one run of a task or procedure. */
  run_steps: number
  /** Steps times clients of one run. */
  run_parts: number
  /** Connections of callers, loopback and others counted apart. */
  connections: number
  connections_per_address: number
}
