// What a command is handed besides its payload: the daemon's services, types only.
import type { Computer, HardwareItem, Masks, New, Room, Schedule, Software, Step, Store } from '../stores/store.ts'

/** What a request says beside its payload. */
export interface Request {
  /** The parts of the path after the route; empty unless the module says `rest`. */
  rest: readonly string[]
  query: URLSearchParams
  /** '' for a header that is not there. */
  header(name: string): string
  /** Sets the answer's header `X-Job-Id`. */
  job(id: number): void
  /** Aborted when the caller has gone, or has all of the answer. */
  readonly signal: AbortSignal
  /** Closes the caller's connection, whatever has been sent; the log gets the reason. */
  disconnect(reason: string): void
}

/** The agent whose answer is settled, and the payload that the command was accepted with. */
export interface Client<Sent = unknown> {
  addr: string
  sent: Sent
  setStatus(word: string): void
  /** Mbit/s. */
  setSpeed(speed: number): void
}

export interface Outcome {
  result: 'success' | 'failure' | 'skipped'
  reason?: string
}

/** Made by `refuse`: the caller gets 400 without a body, the log gets the reason. */
export interface Refusal {
  readonly refused: string
}

/** All that commands are handed; `host.ts` puts it together. */
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
  limits: Limits
  refuse(reason: string): Refusal
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
  /** Wake-up entries first, then connected agents, the latest first; the same frozen list until something changes. */
  clients(): readonly ClientEntry[]
  /** Whether an agent of that address is connected. */
  has(addr: string): boolean
  /** The commands that connected agents have been sent and that have not ended. */
  running(): { addr: string; command: string; sent: unknown }[]
  /** Shows the address as WOL_SENT until its agent connects, for a minute at most. */
  addWakeEntry(addr: string): void
  /** What the last script on that address printed, '' when none did. */
  output(addr: string): string
  setOutput(addr: string, output: string): void
  clearOutput(addrs: string[]): void
}

export interface WakeService {
  /**
   * Wakes a computer that has a record and is not connected, and shows it as WOL_SENT. `type` is `unicast`,
   * `broadcast`, `1` (broadcast) or `2` (unicast).
   */
  send(ip: string, type: string): Promise<Outcome>
}

/** A row of an agent's disks as it words it: `code` hexadecimal, `size` KiB, `used_size` percent. */
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

export interface InventoryReply {
  disk_setup?: DiskEntry[]
  partition_setup?: DiskEntry[]
  serial_number?: string
  /** Mbit/s. */
  link?: number
  status?: string
}

export interface InventoryService {
  /** Stores disks and serial number, and sets speed and status: what refresh and setup do with their answer. */
  refresh(reply: InventoryReply, client: Client): Promise<boolean>
  /** Reads lines of the form `cpu=Some processor`. */
  hardware(lines: string): HardwareItem[]
  /** Reads a list whose first line names the operating system. */
  software(lines: string): Software
}

/** The keys of `client/add`: the first four, and those that have defaults. */
export type NewComputer = Pick<Computer, 'name' | 'ip' | 'mac' | 'room'> & Partial<New<Computer>>

/** What a text of many computers came to. With any conflict nothing is stored. */
export interface ImportReport {
  added: number
  /** Computers that are there already, as the text has them. */
  exists: number
  conflicts: { line: number; reason: string }[]
}

export interface ComputersService {
  /** Adds a computer, with its boot files where its mode has a template. */
  add(computer: NewComputer): Promise<Refusal | undefined>
  /** Changes one; its boot files follow. */
  update(ip: string, change: Partial<New<Computer>>): Promise<Refusal | undefined>
  /** Changes a room; the boot files of its computers follow. */
  updateRoom(id: number, change: Partial<New<Room>>): Promise<Refusal | undefined>
  /** To be called when records are gone: forgets what was kept of them and removes their boot files. */
  cleanUp(computers: Computer[]): Promise<void>
  /** Adds many or none; `dryRun` only reports. */
  import(text: string, format: 'csv' | 'dhcpd', room: number, dryRun: boolean): Promise<ImportReport | Refusal>
  /** All of them as CSV. */
  export(): Promise<string>
}

export interface BootService {
  /** The names of the boot modes, sorted. */
  modes(): Promise<string[]>
  /** Gives the computers of these addresses a boot mode and its files: all of them or none. */
  setMode(clients: string[], mode: string): Promise<Refusal | undefined>
  /** The same for the live system, where their modes have templates. */
  setLiveSystem(clients: string[], livedir: string): Promise<Refusal | undefined>
  /** The files that a computer would have in a mode. */
  preview(client: string, mode: string): Promise<{ path: string; content: string }[] | Refusal>
  /** The live systems that there are, and the index of the default one. */
  liveSystems(): Promise<{ default: number; oglive: object[] }>
}

/** A file of the image repository, as `GET /images` words it. */
export interface ImageFile {
  size: number
  modified: string
  permissions: string
}

export interface RepositoryService {
  /** The address of this server, which repository 1 stands for. */
  address: string
  /** Whether a name can be an image's: a file name without a path separator or NUL, not `.` or `..`. */
  isValidName(name: string): boolean
  /** The regular file of an image, undefined when there is none. */
  file(name: string): Promise<ImageFile | undefined>
  /** Removes an image's file; a missing one is no failure. */
  remove(name: string): Promise<void>
  /** Bytes of the filesystem that holds the repository. */
  disk(): Promise<{ total: number; free: number }>
}

export interface ImagesService {
  /** The address of a repository, undefined when there is none of that id. */
  addressOf(repository: number): Promise<string | undefined>
  /**
   * The id for an image that the command `by` is about to make: a new record's, or that of a record without a file
   * while no such command runs. Undefined when the name is taken.
   */
  reserve(by: string, image: NewImage): Promise<number | undefined>
}

/** What a caller tells of an image to be made; `repository` is an address. */
export interface NewImage {
  name: string
  description: string
  repository: string
  group_id?: number
  center_id?: number
}

export interface JobsService {
  /** The steps with their commands' proper names, or a refusal that names the first that is none. */
  checkSteps(steps: Step[]): Step[] | Refusal
  /** The new job's id. Computers in maintenance are skipped. */
  runTask(task: number): Promise<number | Refusal>
  /** The new job's id. */
  runProcedure(procedure: number, clients: string[]): Promise<number | Refusal>
  /** Cancels what still waits of a job: how many parts. */
  cancel(job: number): number
  /** The new job's id; undefined when there is no such job or nothing in it to do again. */
  retry(job: number, only: 'failed' | 'all'): Promise<number | undefined>
}

/** A schedule as a caller gives it; without `when` it is for now and fires at once. */
export type NewSchedule = Pick<Schedule, 'type' | 'task' | 'name' | 'suspended'> & { when?: Masks }

/** The time of a changed schedule, which may leave out `weeks` and `week_days`. */
export type MasksChange = Omit<Masks, 'weeks' | 'week_days'> & Partial<Masks>

/** `suspended`, `weeks` and `week_days` stay as they are where they are not given. */
export type ScheduleChange = Pick<Schedule, 'task' | 'name'> &
  Partial<Pick<Schedule, 'suspended'>> & { when?: MasksChange }

export interface SchedulesService {
  create(schedule: NewSchedule): Promise<void>
  /** Stores a command with its clients, and a schedule for it. */
  createScheduledCommand(errand: { clients: string[]; command: string; params: object; when?: Masks }): Promise<void>
  /** Makes it a task's schedule; false for an unknown id. */
  update(id: number, change: ScheduleChange): Promise<boolean>
  /** False for an unknown id. */
  delete(id: number): Promise<boolean>
  /** ISO times of the next firings; undefined for an unknown id. */
  next(id: number, count: number): Promise<string[] | undefined>
}

export interface ModulesService {
  /** Every command file, built-in ones first. */
  list(): ModuleEntry[]
}

export interface HealthService {
  /** What keeps the daemon from its work, one line each; none when it can do it. */
  problems(): Promise<string[]>
}

export interface MetricsService {
  /** The media type of `text`. */
  type: string
  /** All numbers, as Prometheus reads them. */
  text(): Promise<string>
}

/** The API of the commands in service. */
export interface ApiDocsService {
  /** An OpenAPI 3.1 document. */
  openapi(): object
  /** The same for people: a page that needs nothing else. */
  page(): string
}

/** Which events a reader wants: any of each that is given. `after` is the id of the last one that it has, '' for none. */
export interface EventFilter {
  /** `job-created`, or `job` for all that begin with it. */
  types: string[]
  /** Addresses. */
  clients: string[]
  /** Ids. */
  rooms: string[]
  after: string
}

export interface EventsService {
  /** Server-sent events until the caller goes, is too slow, or the daemon ends. */
  read(filter: EventFilter, caller: Pick<Request, 'signal' | 'disconnect'>): AsyncIterable<string> | Refusal
}

/** A command file; `route`, `version` and `loaded_at` are those of the version in service, if there is one. */
export interface ModuleEntry {
  file: string
  command: string
  /** `built-in`, or the site's folder. */
  origin: string
  /** How many versions have been loaded since the start. */
  versions: number
  route?: string
  forward?: string
  version?: number
  /** ISO time. */
  loaded_at?: string
  /** What is wrong with the newest content. */
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
  jobs_days: number
  jobs_count: number
}
