// What a command is handed besides its payload: the daemon's services, types only.
import type {
  Computer,
  ComputerValues,
  HardwareItem,
  Image,
  Masks,
  New,
  Place,
  Repository,
  Role,
  Room,
  Schedule,
  Software,
  Step,
  Store,
  Task,
  Token,
  User,
} from '../../stores/store.ts'

/** What a command asks of its callers; each includes the ones before. */
export type Access = 'none' | 'read' | 'operate' | 'admin'

/** What a caller may do: that of a request, or of who made a schedule. */
export interface Rights {
  /** For people: with jobs, in events and in the audit log. `admin`, `token lab`, `user anna`. */
  readonly name: string
  /** For stored rows: `admin`, `token:7`, `user:3`; '' for callers without a token. */
  readonly reference: string
  readonly role: Access
  /** The caller may only use the computers of some rooms. */
  readonly isLimited: boolean
  /** Whether the computer is within the limits. A limited caller has no address without a record. */
  hasClient(addr: string): boolean
  hasRoom(id: number): boolean
  /** Whether all rooms of the center are within the limits. */
  hasCenter(id: number): boolean
  /** Whether a room of the center, or the center itself, is within the limits. */
  reachesCenter(id: number): boolean
}

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
  /** Sets the response header `X-Warning` of an accepted request, for something that will not work as the caller expects. */
  warn(text: string): void
  /** For a command that logs in: who the caller turned out to be, for the audit log. */
  identify(name: string): void
  /** The caller's address. */
  readonly caller: string
  readonly rights: Rights
  /** The request came over TLS. */
  readonly isSecure: boolean
  /** Where the caller's connection has reached this server. */
  readonly server: { readonly address: string; readonly port: number }
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

/** The failure of one client; `reason` is for its part of the job. */
export interface ReplyFailure {
  result: 'failure'
  reason: string
}

/** Made by `services.refuse`: the caller gets the status with an empty body, the log gets the reason. */
export interface Refusal {
  readonly refused: string
  readonly status: RefusalStatus
}

/** 401 is for commands that log in, 403 for callers without the right, 429 for what exceeds a limit for now. */
export type RefusalStatus = 400 | 401 | 403 | 429

/** Made by `services.text`: a response that is not JSON. */
export interface TextResponse {
  readonly status: number
  /** The media type. */
  readonly type: string
  readonly body: string | Uint8Array | AsyncIterable<string>
  readonly headers: Readonly<Record<string, string | string[]>>
}

/** What every command is handed. */
export interface Services {
  store: Store
  fleet: FleetService
  sessions: SessionsService
  pending: PendingService
  wake: WakeService
  inventory: InventoryService
  repository: RepositoryService
  images: ImagesService
  imageFiles: ImageFilesService
  computers: ComputersService
  boot: BootService
  modules: ModulesService
  hosts: HostsService
  jobs: JobsService
  failures: FailuresService
  schedules: SchedulesService
  drain: DrainService
  backup: BackupService
  health: HealthService
  metrics: MetricsService
  events: EventsService
  apiDocs: ApiDocsService
  console: ConsoleService
  agentProgram: AgentProgramService
  access: AccessService
  audit: AuditService
  slices: SlicesService
  /** Writes log lines that begin with the command's file. */
  log: CommandLog
  /** Aborted when this version of the command file is no longer in service: timers and streams should end then. */
  signal: AbortSignal
  /** `status` is 400 by default. */
  refuse(reason: string, status?: RefusalStatus): Refusal
  isRefusal(value: unknown): value is Refusal
  /** `status` is 200 by default. The response limit applies to JSON only. */
  text(
    type: string,
    body: string | Uint8Array | AsyncIterable<string>,
    status?: number,
    headers?: TextResponse['headers'],
  ): TextResponse
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

/** An entry of `GET /clients`; wake-up entries have neither `speed` nor `status`. */
export interface ClientEntry {
  addr: string
  state: string
  speed?: number
  last_cmd: { result: 'unknown' | 'success' | 'failure' }
  status?: string
}

export interface FleetService {
  /**
   * Of the whole fleet: wake-up entries first, then connected agents, most recent first. The same frozen list until an
   * entry changes.
   */
  clients(): readonly ClientEntry[]
  /** Whether an agent of that address is connected, to any host of the fleet. */
  has(addr: string): boolean
  /**
   * The commands that connected agents are running, with their accepted payloads; of agents of other hosts with the short
   * texts and numbers of the payload only.
   */
  running(): { addr: string; command: string; payload: unknown }[]
  /**
   * Shows the address as WOL_SENT until its agent connects, for 60 s at most. With `kind`, a `type` of `WakeService`, the
   * other hosts send their magic packets, too.
   */
  addWakeEntry(addr: string, kind?: string): void
  /** The output of the last script on that address, '' when there is none. To be awaited: several hosts share outputs. */
  output(addr: string): string | Promise<string>
  /** Stores an output, cut at `limits.output` characters. */
  setOutput(addr: string, output: string): void | Promise<void>
  clearOutput(addrs: string[]): void | Promise<void>
}

/** A computer with somebody logged in; the agent may not say who. */
export interface SessionEntry {
  client: string
  user?: string
}

export interface SessionsService {
  /** The newest login of each connected client, unless its agent has reported the logout. */
  list(): SessionEntry[]
}

/** What an agent says of its computer; each value printable and of limited length, absent when it was not said. */
export interface Hello {
  name?: string
  /** 12 hex digits in lower case. */
  mac?: string
  /** The serial number of the computer. */
  serial?: string
  /** The operating system. */
  os?: string
  /** The agent's program and version. */
  agent?: string
}

/** A connected client without a computer record. */
export interface PendingClient extends Hello {
  client: string
  /** The ISO time of its connection. */
  since: string
}

/** `omitted`: how many the response has no space for; absent when it has all. */
export interface PendingList {
  pending: PendingClient[]
  omitted?: number
}

export interface PendingService {
  /** The oldest connection first; `mac` may come from the neighbour table of the server. */
  list(): Promise<PendingList>
  /** The connected clients that have said which agent they have, also those with a record. */
  agents(): { client: string; agent: string }[]
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
export type NewComputer = Pick<Computer, 'name' | 'ip' | 'mac' | 'room'> & ComputerValues

/** Which clients become computers of a room; `names` and `macs` are by address and precede what the agents say. */
export interface Adoption {
  clients: string[]
  /** Its id. */
  room: number
  names?: Readonly<Record<string, string>>
  macs?: Readonly<Record<string, string>>
}

/** A list of computers; the keys of `client/import`. */
export interface ImportRequest {
  format: 'csv' | 'dhcpd'
  text: string
  /** The room of computers whose row names none. */
  room?: number
  /** Changes existing computers, found by hardware address or else by address, to the values that their rows have. */
  update?: boolean
  /** Stores nothing. */
  dry_run?: boolean
}

/** The result of an import. Nothing is stored when there is a conflict. */
export interface ImportReport {
  added: number
  /** Computers whose record already has the same values. */
  exists: number
  /** With `update` only, as `rows` and `omitted` are. */
  updated?: number
  conflicts: { line: number; reason: string }[]
  /** Computers that get the name of another one, at most the first 100; absent when there are none. */
  warnings?: { line: number; reason: string }[]
  /** What happens to the computer of each line; of a text that is too long for a response, first those that change. */
  rows?: ImportRow[]
  /** Lines that `rows` leaves out; absent when there are none. */
  omitted?: number
}

export interface ImportRow {
  line: number
  name: string
  ip: string
  action: 'add' | 'update' | 'none'
  /** The room of a new computer, as `Center/Room`. */
  room?: string
  /** The changes of an existing one; the values are written as in the CSV. */
  changes?: { key: string; from: string; to: string }[]
}

export interface ComputersService {
  /** Adds a computer, and its boot files when its boot mode has a template. */
  add(computer: NewComputer): Promise<Refusal | undefined>
  /** Gives connected clients without a record one: all or, with a refusal, none. */
  adopt(adoption: Adoption): Promise<Refusal | undefined>
  /** Updates a computer and its boot files. */
  update(ip: string, change: ComputerValues): Promise<Refusal | undefined>
  /** Gives computers a place, or none with null: all or, when one is unknown, none. */
  arrange(places: { client: string; place: Place | null }[]): Promise<Refusal | undefined>
  /** Updates a room and the boot files of its computers. */
  updateRoom(id: number, change: Partial<New<Room>>): Promise<Refusal | undefined>
  /** Updates a repository and the boot files of the computers that use it. */
  updateRepository(id: number, change: Partial<New<Repository>>): Promise<Refusal | undefined>
  /** Moves computers to a room and updates their boot files: all or, when one is unknown, none. */
  move(clients: string[], room: number): Promise<Refusal | undefined>
  /** To be called after records were deleted: drops outputs and queued parts, and removes boot files. */
  cleanUp(computers: Computer[]): Promise<void>
  /** Adds all computers of the text and changes existing ones, or does nothing. */
  import(request: ImportRequest): Promise<ImportReport | Refusal>
  /** All computers within the limits as CSV. */
  export(rights: Rights): Promise<string>
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
  /** Whether an image may have this name: a file name without a path separator or NUL, not `.` or `../..`. */
  isValidName(name: string): boolean
  /** The file of an image, undefined when it does not exist or is not a regular file. */
  file(name: string): Promise<ImageFile | undefined>
  /** Bytes of the filesystem that holds the repository. */
  disk(): Promise<{ total: number; free: number }>
}

export interface ImagesService {
  /** The address of a repository, undefined for an unknown id. */
  addressOf(repository: number): Promise<string | undefined>
  /** The repository that images of this address are recorded with: 1 when it is that of none. */
  idOf(address: string): Promise<number>
  /**
   * The id for an image that command `by` is going to create: of a new record, or of a record that has no file.
   * Undefined when the name is taken, also by a running create.
   */
  reserve(by: string, image: NewImage): Promise<number | undefined>
  /** How far the running parts of a job are, of those that copy images and whose logs report it. */
  progressOf(job: number): readonly PartProgress[]
}

/** Whether the file of an image matches the checksum next to it; `at`: ISO time of the check's end. */
export interface ImageCheck {
  state: 'not checked' | 'queued' | 'running' | 'ok' | 'damaged' | 'no checksum' | 'unreadable'
  at?: string
  /** Of a running check. */
  percent?: number
}

/** An older file of an image. */
export interface ImageVersion extends ImageFile {
  /** `<image>.v<version>`: `image/restore` takes it as the image's name. */
  name: string
  version: number
  check: ImageCheck
}

/** Deleted files, which are kept for some days; `size` in bytes of all of them. */
export interface BinEntry {
  id: number
  /** The file was `<name>.img`. */
  name: string
  size: number
  /** ISO times: when it was deleted, and from when on it is removed. */
  deleted: string
  expires: string
  reason: 'deleted' | 'creation failed'
}

/** The files of images in the folder of this server. */
export interface ImageFilesService {
  /**
   * To be called before an agent creates an image: keeps an older file of that name as a version. Returns why the agent
   * must not be sent the request. Does nothing for a repository of another server.
   */
  beginCreation(addr: string, payload: unknown): string | undefined
  /** To be called when it has ended: after a failure the image has its older file again. */
  endCreation(payload: unknown, result: 'success' | 'failure'): void
  /**
   * To be called when the agent has replied that it has created the image: its new version and the time for the store.
   * A failure when the file or its checksum is missing or empty.
   */
  created(image: CreatedFile): Promise<{ version: number; at: number } | ReplyFailure>
  /** The version that a name means in `image/restore`, 0 when that is not known, and the time for the store. */
  restored(image: Pick<CreatedFile, 'id' | 'name'>): Promise<{ version: number; at: number }>
  /** Of these images, which must be all, those that have a file: the file, its check and older versions, newest first. */
  read(names: readonly string[]): Promise<Map<string, ImageFile & { check: ImageCheck; versions: ImageVersion[] }>>
  /** The image that has this name, or a version of this name. */
  find(name: string): Promise<Image | undefined>
  /** Queues a check of the file of an image, or of one of its versions. */
  check(image: Image, version?: number): Promise<Refusal | undefined>
  /** Moves the files of an image and of its versions, or of one version only, to the bin. */
  delete(image: Image, version?: number): Promise<Refusal | undefined>
  /** The newest entry first. */
  bin(): Promise<BinEntry[]>
  /** Brings files back: an image with a new id, or a version; resolves to the name. A refusal when that is not possible. */
  undelete(entry: number): Promise<{ name: string; image?: number } | Refusal>
  /** Removes files of the bin for good. */
  purge(entry: number): Promise<Refusal | undefined>
}

/** As `image/create` has them; `repository` is an address. */
export interface CreatedFile {
  id: number
  name: string
  repository: string
}

/** How far a part that copies an image is. */
export interface PartProgress {
  client: string
  /** Index in the job's steps. */
  step: number
  /** 0 to 100, with one decimal. */
  percent: number
  /** Bytes per second. */
  rate?: number | undefined
  /** Seconds. */
  remaining?: number | undefined
}

/** Why a queued part waits although its client could take it. */
export interface PartWait {
  /** A slot of the repository; its turn in the job's batch; the logout of who uses the computer. */
  for: 'slot' | 'batch' | 'logout'
  /** From 1, among all that wait for the same. */
  place?: number
  /** Until it starts, about: from the time that such parts took. */
  seconds?: number
}

/** An image that is going to be created; `repository` is an address. */
export interface NewImage {
  name: string
  description: string
  repository: string
  group_id?: number
  center_id?: number
  /** The room that it belongs to, in place of a center. */
  room_id?: number
}

export interface JobsService {
  /** The steps with aliases replaced by command names, or a refusal that names the first invalid step. */
  checkSteps(steps: Step[]): Step[] | Refusal
  /**
   * Resolves to the id of the new job, which records the caller. Computers in maintenance are skipped. A refusal with 403
   * when the caller could not send the commands of all steps to all computers itself, as for `runProcedure`.
   */
  runTask(task: number, caller: Caller): Promise<number | Refusal>
  /** Resolves to the id of the new job, which records the caller. */
  runProcedure(procedure: number, clients: string[], caller: Caller): Promise<number | Refusal>
  /**
   * Cancels the queued parts of a job, of a limited caller those within the limits; returns how many. A refusal when the
   * job is unknown or has no part within them.
   */
  cancel(job: number, caller: Caller): Promise<number | Refusal>
  /**
   * Resolves to the id of the new job, of a limited caller with the parts within the limits. A refusal when the job is
   * unknown or has no such parts. `wake`: clients whose parts are queued are woken.
   */
  retry(job: number, only: 'failed' | 'all', caller: Caller, wake?: boolean): Promise<number | Refusal>
  /** Why queued parts of a job wait, by their indexes; only of clients of this host that could take them. */
  waitsOf(job: number): Promise<ReadonlyMap<number, PartWait>>
  /** Whether all computers that the task is for are within the limits. */
  isInside(task: Pick<Task, 'center' | 'scope' | 'clients'>, rights: Rights): Promise<boolean>
}

/** A command that has failed on a client. `ended`: milliseconds since 1970. */
export interface FailureEntry {
  client: string
  command: string
  job: number
  reason: string
  ended: number
}

export interface FailuresService {
  /**
   * Commands of jobs that have failed on a client and have neither succeeded there since, nor has a command with
   * `endsFailures`. As far as jobs are kept; of the whole fleet.
   */
  list(): Promise<FailureEntry[]>
}

/** Who asks for work: a request is one. */
export type Caller = Pick<Request, 'caller' | 'rights'>

/** Before a restart of the daemon. */
export interface DrainService {
  /** From now on commands for clients are refused and queued parts stay queued, until `cancel` or the daemon's end. */
  start(): void
  cancel(): void
  state(): DrainState
}

export interface DrainState {
  draining: boolean
  /** Parts of jobs that have not ended; with 0 a restart interrupts nothing. */
  running: number
  /** Parts that wait, also over a restart. */
  queued: number
  /** The first jobs with running parts, and the number of these. */
  running_jobs: { id: number; running: number }[]
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
  /** Resolves to the id of the new schedule, which runs with the rights that the caller has then. */
  create(schedule: NewSchedule, caller: Caller): Promise<number | Refusal>
  /** Stores a command with its clients, and a schedule for it; resolves to the id of the schedule. */
  createScheduledCommand(
    scheduled: {
      clients: string[]
      command: string
      params: Record<string, unknown>
      when?: Masks
    },
    caller: Caller,
  ): Promise<number | Refusal>
  /** The schedule runs with the rights of the caller from now on. A refusal for an unknown id. */
  update(id: number, change: ScheduleChange, caller: Caller): Promise<Refusal | undefined>
  /** A refusal for an unknown id. */
  delete(id: number, caller: Caller): Promise<Refusal | undefined>
  /** The ISO times at which it fires next; a refusal for an unknown id. */
  next(id: number, count: number, caller: Caller): Promise<string[] | Refusal>
  /** The ISO time of the last run that did not take place, as this daemon knows it since its start; none after a later run. */
  missed(id: number): string | undefined
}

export interface ModulesService {
  /** Every command file, built-in ones first. */
  list(): ModuleEntry[]
  /** Commands that only other hosts of the fleet have; undefined in a daemon that runs alone. */
  elsewhere?(): { command: string; hosts: string[] }[]
}

/** A host of the fleet. */
export interface HostEntry {
  name: string
  /** Of its REST API. */
  url: string
  /** ISO time: it has been a member of the fleet since then. */
  since: string
  /** It does what is done once in the fleet. */
  leader: boolean
  /** The number of agents that are connected to it. */
  agents: number
  /** Of its daemon. */
  version: string
  /** Commands of the host that was asked, which it does not have. */
  lacks?: string[]
  /** Commands of which it has another version. */
  differs?: string[]
  /** Commands that the host that was asked does not have. */
  adds?: string[]
}

export interface HostsService {
  /** All hosts of the fleet, the leader first; one in a daemon that runs alone. */
  list(): HostEntry[]
}

export interface BackupService {
  /** The store as it is now, in the format of a backup file, in blocks of text. */
  blocks(): AsyncIterable<string>
}

export interface HealthService {
  /** One line for each reason why the daemon cannot work; empty when it can. */
  problems(): Promise<string[]>
  /** What an administrator should know of a daemon that works. */
  notes(): string[]
}

export interface MetricsService {
  /** The media type of `text`. */
  type: string
  /** All metrics in the text format of Prometheus. */
  text(): Promise<string>
}

/** What a new token has; with neither centers nor rooms it is for all computers. */
export type NewToken = Pick<Token, 'name' | 'role'> & Partial<Pick<Token, 'centers' | 'rooms' | 'expires'>>

/** Absent keys keep their values. */
export type TokenChange = Partial<Pick<Token, 'name' | 'role' | 'centers' | 'rooms' | 'expires' | 'disabled'>>

export type TokenEntry = Omit<Token, 'hash'>

export type NewUser = Pick<User, 'name' | 'role'> & Partial<Pick<User, 'centers' | 'rooms'>> & { password: string }

/** Absent keys keep their values. */
export type UserChange = Partial<Pick<User, 'name' | 'role' | 'centers' | 'rooms' | 'disabled'> & { password: string }>

export type UserEntry = Omit<User, 'hash'>

/** Who a caller is. */
export interface CallerEntry {
  /** As in `Rights`. */
  name: string
  role: Role
  /** With neither centers nor rooms it is for all computers. */
  centers: number[]
  rooms: number[]
}

/** A session of a user, or of the holder of a token. */
export interface NewSession {
  /** The headers `Set-Cookie`, that of the session first. */
  cookies: string[]
  caller: CallerEntry
}

/** Tokens, users and sessions. `by` is the name of who asks. */
export interface AccessService {
  tokens(): TokenEntry[]
  /** Resolves to the id and the token itself, which cannot be read again. */
  addToken(token: NewToken, by: string): Promise<{ id: number; token: string } | Refusal>
  updateToken(id: number, change: TokenChange): Promise<Refusal | undefined>
  deleteToken(id: number): Promise<Refusal | undefined>
  users(): UserEntry[]
  /** Resolves to the id. */
  addUser(user: NewUser, by: string): Promise<number | Refusal>
  /** A new password, and `disabled`, end the sessions of the user. */
  updateUser(id: number, change: UserChange): Promise<Refusal | undefined>
  deleteUser(id: number): Promise<Refusal | undefined>
  /** Refused with 401 for a wrong name or password, or a wrong token, and with 429 after many wrong passwords. */
  login(
    credentials: { name: string; password: string } | { token: string } | { link: string },
    request: LoginRequest,
  ): Promise<NewSession | Refusal>
  /**
   * A path of the console that logs a browser in as the caller, once and for that many seconds. Refused with 403 for
   * callers that are not on the server itself.
   */
  loginLink(request: LoginRequest & Pick<Request, 'rights'>): { path: string; seconds: number } | Refusal
  /** Ends the session of the request; returns the header `Set-Cookie`. */
  logout(request: LoginRequest): string
  me(rights: Rights): CallerEntry
  /** The present rights of a reference, see `Rights`; undefined when it is gone, disabled or expired. */
  rightsOf(reference: string): Rights | undefined
}

export type LoginRequest = Pick<Request, 'identify' | 'caller' | 'header' | 'isSecure'>

/** A write that was accepted or refused, or the run of a schedule. */
export interface AuditRecord {
  /** ISO time of the response. */
  time: string
  /** The name of the caller, as in `Rights`: `nobody` without right credentials. */
  who: string
  /** The caller's; '' for schedules. */
  address: string
  /** Of the command, else method and path; `schedule 3` for the run of a schedule. */
  route: string
  status: number
  /** The first addresses of the request. */
  clients: string[]
  /** How many addresses the request had. */
  count: number
  job?: number | undefined
  /** The SHA-256 of the body, without the values of keys with `writeOnly`. */
  digest?: string | undefined
  /** So many further refused requests of this caller within a minute have no record of their own. */
  more?: number | undefined
}

export interface AuditQuery {
  /** ISO time in UTC: only records from then on. Default: a day ago, unless there is `after`. */
  since?: string | undefined
  /** With or without its kind: `token lab`, `lab`. */
  who?: string | undefined
  /** A route, a path, or the beginning of a path. */
  route?: string | undefined
  limit: number
  /** `next` of the page before. */
  after?: string | undefined
}

/** The oldest record first. `next` is for `after` of the following page; equal to `after` when there was no more to read. */
export interface AuditPage {
  audit: AuditRecord[]
  next: string
}

export interface AuditService {
  read(query: AuditQuery): Promise<AuditPage>
}

/** The API reference of the commands in service. */
export interface ApiDocsService {
  /** An OpenAPI 3.1 document. */
  openapi(): object
  /** The same as JSON: the same bytes until a command changes. */
  json(): Uint8Array
  /** An HTML page that shows the document and loads nothing else. */
  page(): TextResponse
}

/** The page that shows the fleet in a browser. */
export interface ConsoleService {
  /** The page, or one of its files for the parts of the path after the route; an unknown file is 404. */
  respond(rest: readonly string[], request: Pick<Request, 'header'>): Promise<TextResponse>
}

/** The agent for Linux: one file, which is made once. */
export interface AgentProgramService {
  /** Rejects when a source file cannot be read or compiled. */
  file(): Promise<AgentFile>
  /** The program as a response; 304 for who has it. */
  respond(request: Pick<Request, 'header'>): Promise<TextResponse>
  /** A script for `sh` that installs the program, which it contains, for the server that the request names. */
  installer(request: InstallRequest): Promise<TextResponse>
  /** The address of that script for other computers; undefined when `rest.ip` lets only this server use the API. */
  installUrl(request: InstallRequest): string | undefined
}

export type InstallRequest = Pick<Request, 'header' | 'isSecure' | 'server'>

export interface AgentFile {
  bytes: Uint8Array
  /** 64 hex digits in lower case. */
  sha256: string
  /** As `fleet-agent --version` prints it: `fleet-agent 1.0.0`. */
  version: string
  /** Where the REST API that serves it listens; the port is 0 when the system has chosen it. */
  rest: { port: number; tls: boolean }
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
  /** Milliseconds: in this time only the newest `client-state` of a client, all other events at once. */
  coalesce?: string
}

export interface EventsService {
  /** Server-sent events, until the caller disconnects or reads too slowly, its rights or session end, or the daemon stops. */
  read(
    filter: EventFilter,
    caller: Pick<Request, 'signal' | 'disconnect' | 'rights' | 'header' | 'isSecure'>,
  ): AsyncIterable<string> | Refusal
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
  /** Names of other hosts of the fleet that do not have the command. */
  missing_on?: string[]
  /** Names of other hosts of the fleet that have another version of it. */
  differs_on?: string[]
}

/** The options' section `limits`: bytes, characters and seconds. */
export interface Limits {
  request: number
  response: number
  forward: number
  output: number
  answer_seconds: number
  expiry_seconds: number
  /** Seconds that the event loop may be blocked before the process is ended. */
  hang_seconds: number
  /** Memory of the events that are kept for readers. */
  events_bytes: number
  jobs_days: number
  jobs_count: number
  /** Months that the files of the audit log are kept, 0: for ever. */
  audit_months: number
  /** Bytes that the outputs of all jobs may take. */
  outputs_bytes: number
  /** Steps of one run of a task or procedure. */
  run_steps: number
  /** Steps times clients of one run. */
  run_parts: number
  /** Parts in the queue of the fleet, and those of one account. */
  waiting_parts: number
  waiting_parts_per_caller: number
  /** Connections of callers, loopback and others counted apart. */
  connections: number
  connections_per_address: number
}
