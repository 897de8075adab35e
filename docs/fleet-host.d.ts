declare module 'fleet-host' {
  /** The reply to refresh and setup. */
  export type InventoryReply = CommonTypes['inventory']

  /** A disk or partition as agents report it. */
  export type DiskEntry = NonNullable<InventoryReply['disk_setup']>[number]

  /**
   * The type of the values that match a JSON Schema, which is written `as const`. `Root`: the schema around it, whose
   * `definitions` it may name.
   */
  export type FromSchema<S, Root = S> = S extends { $ref: infer Name extends keyof CommonTypes }
    ? CommonTypes[Name]
    : S extends { $ref: `#/definitions/${infer Name}` }
      ? FromSchema<Definition<Root, Name>, Root>
      : S extends { enum: readonly (infer Value)[] }
        ? Value
        : S extends { type: readonly (infer Type)[] }
          ? Type extends string
            ? FromSchema<Omit<S, 'type'> & { type: Type }, Root>
            : never
          : S extends { type: infer Type extends keyof SimpleTypes }
            ? SimpleTypes[Type]
            : S extends { type: 'array'; items: infer Item }
              ? FromSchema<Item, Root>[]
              : S extends { type: 'object'; properties: infer Of }
                ? { -readonly [K in keyof Of as K extends RequiredKeys<S> ? K : never]: FromSchema<Of[K], Root> } & {
                    -readonly [K in keyof Of as K extends RequiredKeys<S> ? never : K]?: FromSchema<Of[K], Root>
                  }
                : S extends { anyOf: readonly (infer Form)[] }
                  ? FromSchema<Form, Root>
                  : S extends { type: 'object'; additionalProperties: infer Value extends object }
                    ? Record<string, FromSchema<Value, Root>>
                    : S extends { type: 'object' }
                      ? Record<string, unknown>
                      : S extends undefined
                        ? undefined
                        : unknown

  /**
   * As `FromSchema`, of an object whose absent properties have their `default`, also in properties that are objects.
   */
  export type WithDefaults<S, Root = S> = S extends { type: 'object'; properties: infer Of }
    ? WithPresent<Of, RequiredKeys<S> | DefaultKeys<Of>, Root>
    : FromSchema<S, Root>

  export type Awaitable<T> = T | Promise<T>

  /** What a command asks of its callers; each includes the ones before. */
  export type Access = 'none' | 'read' | 'operate' | 'admin'

  /** What a caller may do: that of a request, or of who made a schedule. */
  export interface Rights {
    /** For people: with jobs, in events and in the audit log. `admin`, `token lab`, `user anna`, `pack notify`. */
    readonly name: string
    /** For stored rows: `admin`, `token:7`, `user:3`, `pack:notify`; '' for callers without a token. */
    readonly reference: string
    readonly role: Access
    /** The caller may only use the computers of some rooms or groups. */
    readonly isLimited: boolean
    /** Whether the computer is within the limits. A limited caller has no address without a record. */
    hasClient(addr: string): boolean
    /** Whether all computers of the room, also those that it may get, are within the limits. */
    hasRoom(id: number): boolean
    /** Whether the room, or a computer of it, is within the limits. */
    reachesRoom(id: number): boolean
    /** Whether all rooms of the center are within the limits. */
    hasCenter(id: number): boolean
    /** Whether the center, or a room or a computer of it, is within the limits. */
    reachesCenter(id: number): boolean
  }

  /** The request that a command answers, besides its payload. */
  export interface Request<Query = Readonly<Record<string, string>>> {
    /** The parts of the path after the route; empty unless the module has `http: { rest: true }`. */
    rest: readonly string[]
    /**
     * The query's values by key, checked by the module's schema `query`; a repeated key has its values joined with
     * commas.
     */
    query: Query
    /** The value of a header, '' when it is absent. */
    header(name: string): string
    /** Sets the response header `X-Job-Id`. */
    job(id: number): void
    /** Sets the response header `X-Id`: the id of what was added. */
    created(id: number): void
    /**
     * Sets the response header `X-Undo-Id`: with this id `POST /undo` takes back what the request has deleted or
     * changed.
     */
    kept(id: number): void
    /**
     * For the audit log: what the request is about, as in `room Studio with 12 computers`; of several calls the last
     * one.
     */
    about(what: string, details?: AuditDetails): void
    /**
     * The request header `X-Undo-Id`: the change of the caller to which this edit is added, so that both are taken back
     * as one.
     */
    readonly joins: number | undefined
    /**
     * Sets the response header `X-Warning` of an accepted request, for something that will not work as the caller
     * expects.
     */
    warn(text: string): void
    /** For a command that logs in: who the caller turned out to be, for the audit log. */
    identify(name: string): void
    /** The query that has found the `clients` of the payload, if the caller has named them so. */
    readonly where?: string | undefined
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

  /** What a record of the audit log says of a change besides its words. */
  export type AuditDetails = {
    change?: {
      counts: Record<string, number>
      kind:
        | 'center'
        | 'computer'
        | 'group'
        | 'image'
        | 'import'
        | 'procedure'
        | 'repository'
        | 'room'
        | 'schedule'
        | 'task'
        | 'token'
        | 'user'
      name: string
      changes?: { after: unknown; before: unknown; field: string; kind: string; name: string; record: number }[]
      fields?: string[]
      names?: string[]
      record?: number
    }
    undoes?: number
  }

  /** The client whose agent has replied. */
  export interface Client {
    addr: string
    /** Sets the status by the agent's word, see the common schema `status`. */
    setStatus(word: string): void
    /** Mbit/s. */
    setSpeed(speed: number): void
    /** Stores what a script printed, cut at `limits.output` characters: for `POST /shell/output` and for the job. */
    setOutput(output: string): void
  }

  export interface Outcome {
    result: 'success' | 'failure' | 'skipped'
    reason?: string
    /** For work that goes on: the part of the job ends as this resolves, and the caller is not kept waiting. */
    end?: Promise<Outcome>
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
    readonly cause?: Cause
  }

  /** Why something was refused, for programs that word it themselves: a code, and what the reason names. */
  export interface Cause {
    readonly code: string
    readonly [value: string]: string | number
  }

  /**
   * 401 is for commands that log in, 403 for callers without the right, 409 for what would
   * overwrite a later edit, 429 for what exceeds a limit for now, 500 for what a
   * module was asked and could not do.
   */
  export type RefusalStatus = 400 | 401 | 403 | 409 | 429 | 500

  /** Made by `services.text`: a response that is not JSON. */
  export interface TextResponse {
    readonly status: number
    /** The media type. */
    readonly type: string
    readonly body: string | Uint8Array | AsyncIterable<string | Uint8Array>
    readonly headers: Readonly<Record<string, string | string[]>>
  }

  /** Who asks for work: a request is one. */
  export type Caller = Pick<Request, 'caller' | 'rights'>

  /** Who deletes, edits or imports something: a request is one. */
  export type Changer = Pick<Request, 'rights'> & Partial<Pick<Request, 'joins' | 'kept' | 'about' | 'warn'>>

  /** What a new token has; without centers, rooms and groups it is for all computers. */
  export type NewToken = Pick<Token, 'name' | 'role'> & Partial<Pick<Token, 'centers' | 'rooms' | 'groups' | 'expires'>>

  /** Absent keys keep their values. */
  export type TokenChange = Partial<
    Pick<Token, 'name' | 'role' | 'centers' | 'rooms' | 'groups' | 'expires' | 'disabled'>
  >

  export type TokenEntry = Omit<Token, 'hash'>

  export type NewUser = Pick<User, 'name' | 'role'> &
    Partial<Pick<User, 'centers' | 'rooms' | 'groups'>> & { password: string }

  /** Absent keys keep their values. */
  export type UserChange = Partial<
    Pick<User, 'name' | 'role' | 'centers' | 'rooms' | 'groups' | 'disabled'> & { password: string }
  >

  export type UserEntry = Omit<User, 'hash'>

  /** Who a caller is. */
  export type CallerEntry = {
    centers: number[]
    name: string
    role: 'admin' | 'operate' | 'read'
    rooms: number[]
    version: string
    groups?: number[]
    last_event_id?: number
    provider?: boolean
  }

  /** The claims of a login by the provider, and what came of it. */
  export type ReceivedClaims = { time: string; claims?: Record<string, unknown>; reason?: string; rule?: number }

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
    /** With `changer`, here and of users, the audit log has what was changed. */
    updateToken(id: number, change: TokenChange, changer?: Changer): Promise<Refusal | undefined>
    /** With `changer` it can be taken back. */
    deleteToken(id: number, changer?: Changer): Promise<Refusal | undefined>
    users(): UserEntry[]
    /** Resolves to the id. */
    addUser(user: NewUser, by: string): Promise<number | Refusal>
    /** A new password, and `disabled`, end the sessions of the user. */
    updateUser(id: number, change: UserChange, changer?: Changer): Promise<Refusal | undefined>
    /** With `changer` it can be taken back. */
    deleteUser(id: number, changer?: Changer): Promise<Refusal | undefined>
    /**
     * Refused with 401 for a wrong name or password, a wrong token, or a login that the provider does not confirm, with
     * 403 for a person without rights here, and with 429 after many failures. `redirected` is where the provider sent
     * the
     * browser.
     */
    login(
      credentials: { name: string; password: string } | { token: string } | { link: string } | { redirected: string },
      request: LoginRequest,
    ): Promise<NewSession | Refusal>
    /** The text of the button that leads to the provider of the option `oidc`; absent without one. */
    loginProvider(): { label?: string }
    /**
     * The address of the provider for a login that ends at `redirect`, and the header `Set-Cookie` that it needs then.
     * Refused with 500 when the provider is away.
     */
    startLogin(redirect: string, request: LoginRequest): Promise<{ url: string; cookie: string } | Refusal>
    /** Of the last logins by the provider, the newest first. */
    receivedClaims(): ReceivedClaims[]
    /**
     * Changes the password of the user who asks, and ends the user's sessions; that of the request is replaced. Refused
     * for other callers and for a wrong present password, and with 429 after many of these.
     */
    changePassword(
      passwords: { old: string; password: string },
      request: LoginRequest & Pick<Request, 'rights'>,
    ): Promise<NewSession | Refusal>
    /**
     * A path of the console that logs a browser in as the caller, once and for that many seconds. Refused with 403 for
     * callers that are not on the server itself.
     */
    loginLink(request: LoginRequest & Pick<Request, 'rights'>): { path: string; seconds: number } | Refusal
    /**
     * Ends the session of the request; `cookie` is the header `Set-Cookie`, `url` where the browser of a person whom
     * the
     * provider has logged in ends the session there, to come back to `redirect`.
     */
    logout(request: LoginRequest, redirect?: string): Promise<{ cookie: string; url?: string }>
    /**
     * The rights of a named token that somebody has sent as a text; undefined when it is wrong, disabled or expired.
     */
    holderOf(token: string): Rights | undefined
    me(rights: Rights): CallerEntry
    /** The present rights of a reference, see `Rights`; undefined when it is gone, disabled or expired. */
    rightsOf(reference: string): Rights | undefined
  }

  export type LoginRequest = Pick<Request, 'identify' | 'about' | 'caller' | 'header' | 'isSecure'>

  /** The oldest record first. `next` is for `after` of the following page; equal to `after` when there was no more. */
  export type AuditPage = {
    audit: {
      address: string
      clients: string[]
      count: number
      route: string
      status: number
      time: string
      who: string
      cause?: {}
      change?: {
        counts: Record<string, number>
        kind:
          | 'center'
          | 'computer'
          | 'group'
          | 'image'
          | 'import'
          | 'procedure'
          | 'repository'
          | 'room'
          | 'schedule'
          | 'task'
          | 'token'
          | 'user'
        name: string
        changes?: { after: unknown; before: unknown; field: string; kind: string; name: string; record: number }[]
        fields?: string[]
        names?: string[]
        record?: number
      }
      digest?: string
      job?: number
      more?: number
      name?: string
      names?: string[]
      reason?: string
      tried?: {}
      undo?: number
      undoes?: number
    }[]
    next: string
  }

  /** A write that was accepted or refused, or the run of a schedule. */
  export type AuditRecord = AuditPage['audit'][number]

  export type AuditQuery = { after?: string; route?: string; since?: string; who?: string; limit: number }

  export interface AuditService {
    read(query: AuditQuery): Promise<AuditPage>
  }

  /**
   * An entry of `GET /clients`, of a host with another version perhaps with other words; wake-up entries have no
   * `speed`
   * and `status`.
   */
  export type ClientEntry = {
    addr: string
    last_cmd: { result: 'failure' | 'success' | 'unknown' }
    speed?: number
    state: string
    status?: string
  }

  export interface FleetService {
    /**
     * Of the whole fleet: wake-up entries first, then connected agents, most recent first. The same frozen list until
     * an
     * entry changes.
     */
    clients(): readonly ClientEntry[]
    /** Whether an agent of that address is connected, to any host of the fleet. */
    has(addr: string): boolean
    /**
     * The commands that connected agents are running, with their accepted payloads; of agents of other hosts with the
     * short texts and numbers of the payload only.
     */
    running(): { addr: string; command: string; payload: unknown }[]
    /**
     * Shows the address as WOL_SENT until its agent connects, for `wol.seconds` at most. With `kind`, a `type` of
     * `WakeService`, the other hosts send their magic packets, too.
     */
    addWakeEntry(addr: string, kind?: string): void
    /** The output of the last script on that address, '' for none. To be awaited: several hosts share outputs. */
    output(addr: string): string | Promise<string>
    /** Stores an output, cut at `limits.output` characters. */
    setOutput(addr: string, output: string): void | Promise<void>
    clearOutput(addrs: string[]): void | Promise<void>
  }

  /** A computer with somebody logged in; the agent may not say who. */
  export type SessionEntry = { client: string; locked?: true; user?: string }

  export interface SessionsService {
    /** The newest login of each connected client, unless its agent has reported the logout. */
    list(): SessionEntry[]
  }

  /** A connected client without a computer record. */
  export type PendingClient = {
    client: string
    since: string
    advice?: string
    agent?: string
    mac?: string
    name?: string
    os?: string
    serial?: string
  }

  /** What an agent says of its computer; each value printable and of limited length, absent when it was not said. */
  export type Hello = Omit<PendingClient, 'client' | 'since' | 'advice'>

  /** `omitted`: how many the response has no space for; absent when it has all. */
  export interface PendingList {
    pending: {
      client: string
      since: string
      advice?: string
      agent?: string
      mac?: string
      name?: string
      os?: string
      serial?: string
    }[]
    omitted?: number
    refused?: { client: string; count: number; last: string; reason: string; since: string }[]
    refused_connections?: number
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
     * Resolves when they are sent; `end` of the outcome when the computer has connected, or has not in time.
     */
    send(ip: string, type: string): Promise<Outcome>
    /**
     * When a host of the fleet has sent it packets last, since this one started: milliseconds since 1970. Undefined
     * when it
     * has connected since.
     */
    lastSent(ip: string): number | undefined
  }

  /** A host of the fleet. */
  export type HostEntry = {
    agents: number
    leader: boolean
    name: string
    since: string
    url: string
    version: string
    adds?: string[]
    differs?: string[]
    lacks?: string[]
  }

  export interface HostsService {
    /** All hosts of the fleet, the leader first; one in a daemon that runs alone. */
    list(): HostEntry[]
  }

  /** The agent for Linux and Windows: one file, which is made once. */
  export interface AgentProgramService {
    /** Rejects when a source file cannot be read or compiled. */
    file(): Promise<AgentFile>
    /** The program as a response; 304 for who has it. */
    respond(request: Pick<Request, 'header'>): Promise<TextResponse>
    /** The program node.exe for Windows that was added to this server; 404 without one. */
    runtime(request: Pick<Request, 'header'>): Promise<TextResponse>
    /** A script that installs the program for the server that the request names. */
    installer(request: InstallRequest, name: InstallerName): Promise<TextResponse>
    /** The address of that script for other computers; undefined when `rest.ip` lets only this server use the API. */
    installUrl(request: InstallRequest): string | undefined
  }

  /** Those for `sh` and cmd.exe contain the program, that for PowerShell downloads the one for cmd.exe. */
  export type InstallerName = 'install.sh' | 'install.cmd' | 'install.ps1'

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

  export interface InventoryService {
    /** Stores the disks and the serial number of a reply, and sets speed and status. False: it has no record. */
    refresh(reply: InventoryReply, client: Client): Promise<boolean>
    /** Refuses a reply with `id: expected 2, got 1` for the first number in digits of `sent` that is another there. */
    compareIds(sent: Readonly<Record<string, string>>, reply: Readonly<Record<string, unknown>>): Refusal | undefined
    /** Parses lines of the form `cpu=Some processor`. */
    parseHardware(lines: string): HardwareItem[]
    /** Parses a list whose first line names the operating system. */
    parseSoftware(lines: string): Software
    /** A line of a list of software without its version, and the version, as in `GET /software?search=…`. */
    splitProgram(line: string): { name: string; version?: string }
    /** MiB of a device's description such as `DDR4 16 GiB 3200 MHz`; 0 when it says none. */
    sizeOf(description: string): number
  }

  /** The keys of `client/add`: four required keys, the others have defaults. */
  export type NewComputer = Pick<Computer, 'name' | 'ip' | 'mac' | 'room'> & ComputerValues

  /** Which clients become computers of a room; `names` and `macs` are by address and precede what the agents say. */
  export type Adoption = {
    clients: string[]
    room: number
    macs?: Record<string, string>
    names?: Record<string, string>
  }

  export type ImportRequest = {
    format: 'csv' | 'dhcpd'
    text: string
    dry_run?: boolean
    room?: number
    update?: boolean
  }

  /** The result of an import. Nothing is stored when there is a conflict. */
  export type ImportReport = {
    added: number
    conflicts: { line: number; reason: string }[]
    exists: number
    omitted?: number
    rows?: {
      action: 'add' | 'none' | 'update'
      ip: string
      line: number
      name: string
      changes?: { from: string; key: string; to: string }[]
      room?: string
    }[]
    updated?: number
    warnings?: { line: number; reason: string }[]
  }

  export type ImportRow = NonNullable<ImportReport['rows']>[number]

  export interface ComputersService {
    /**
     * Adds a computer, and its boot files when its boot mode has a template. `changer` is warned, here and where a room
     * changes, of an address outside of the network of the room.
     */
    add(computer: NewComputer, changer?: Changer): Promise<Refusal | undefined>
    /** Gives connected clients without a record one: all or, with a refusal, none. Warns as `add` does. */
    adopt(adoption: Adoption, changer?: Changer): Promise<Refusal | undefined>
    /** Updates a computer and its boot files. With `changer`, here and below, it can be taken back. */
    update(ip: string, change: ComputerValues, changer?: Changer): Promise<Refusal | undefined>
    /** Gives computers a place, or none with null: all or, when one is unknown, none. */
    arrange(places: { client: string; place: Place | null }[]): Promise<Refusal | undefined>
    /** Adds tags to computers and removes tags: on all or, when one is unknown or would have too many, on none. */
    tag(clients: string[], change: { add: string[]; remove: string[] }, changer?: Changer): Promise<Refusal | undefined>
    /** Updates a room and the boot files of its computers. */
    updateRoom(id: number, change: Partial<New<Room>>, changer?: Changer): Promise<Refusal | undefined>
    /**
     * Updates a repository and the boot files of the computers that use it. With `changer` the audit log has what was
     * changed.
     */
    updateRepository(id: number, change: Partial<New<Repository>>, changer?: Changer): Promise<Refusal | undefined>
    /** Moves computers to a room and updates their boot files: all or, when one is unknown, none. */
    move(clients: string[], room: number, changer?: Changer): Promise<Refusal | undefined>
    /** To be called after records were deleted: drops outputs and queued parts, and removes boot files. */
    cleanUp(computers: Computer[]): Promise<void>
    /** Adds all computers of the text and changes existing ones, or does nothing. */
    import(request: ImportRequest, changer?: Changer): Promise<ImportReport | Refusal>
    /** All computers within the limits as CSV. */
    export(rights: Rights): Promise<string>
  }

  export interface BootService {
    /** The names of the boot modes, sorted. */
    modes(): Promise<string[]>
    /** Of the modes whose templates say what they do. */
    describeModes(): Promise<{ mode: string; description: string }[]>
    /** Sets the boot mode of the computers and writes their boot files: all or none. Unknown addresses are skipped. */
    setMode(clients: string[], mode: string): Promise<Refusal | undefined>
    /** Sets the live system of the computers and writes the boot files of those whose mode has a template. */
    setLiveSystem(clients: string[], livedir: string): Promise<Refusal | undefined>
    /** The boot files that a computer would have in a mode. */
    preview(client: string, mode: string): Promise<{ path: string; content: string }[] | Refusal>
    /**
     * The live systems of option `boot.oglives`, those that this server has built, and the index of the default one.
     */
    liveSystems(): Promise<{
      default: number
      oglive: object[]
      building?: { name: string; percent: number; line: string }
    }>
    /**
     * A file of a live system that this server has built, `rest`: its name and that of the file. 404: there is none.
     */
    liveFile(request: Pick<Request, 'rest' | 'header'>): Promise<TextResponse>
  }

  export interface SearchService {
    /**
     * The computers that meet a query (docs/search.md) and that the caller may see, in the order of their ids. A
     * refusal says
     * at which place the query is wrong.
     */
    find(where: string, rights: Rights): Promise<readonly { id: number; ip: string }[] | Refusal>
    /** Why a query finds nothing. */
    explain(where: string, rights: Rights): Promise<NothingFound | undefined>
    /** In the order of the documentation. */
    fields(): Promise<readonly SearchFieldInfo[]>
    /**
     * Some values of a field that have this text, in the computers that the caller may see: first those that begin with
     * it.
     */
    values(field: string, text: string, rights: Rights): Promise<readonly string[] | Refusal>
    /**
     * The addresses of those that `find` would find, which may be none, and the query: that of a group is
     * `group:"name"`.
     */
    targets(
      named: { where?: string | undefined; group?: number | undefined },
      rights: Rights,
    ): Promise<{ where: string; clients: string[] } | Refusal>
    /** Returns a function that says in a few words which computers a record is for. */
    describer(caller: Pick<Caller, 'rights'>): Promise<(targets: Targets) => TargetWords>
    /** Why a record for these targets, of which only one may be there, cannot be stored. */
    check(targets: { [Key in 'clients' | 'scope' | 'where' | 'group']?: unknown }): Promise<Refusal | undefined>
  }

  /** The condition that no computer meets, with its place, and a query that may have been meant. */
  export interface NothingFound {
    reason: string
    meant?: string
  }

  /** Whom a task, a procedure or a scheduled command is for. */
  export type Targets = Pick<Procedure, 'center'> & Partial<Pick<Task, 'scope' | 'clients' | 'where' | 'group'>>

  export type TargetWords = {
    kind: 'centers' | 'group' | 'list' | 'query' | 'rooms'
    names: string[]
    computers?: number
  }

  /** A field of queries. */
  export interface SearchFieldInfo {
    name: string
    /** What it means. */
    about: string
    example: string
    operators: string[]
    /** A comparison of versions may follow its value. */
    hasVersion: boolean
  }

  /** An entry of `GET /groups`. */
  export type GroupEntry = {
    computers: number
    id: number
    name: string
    clients?: string[]
    problem?: string
    where?: string
  }

  /** Groups have a query or a list, and a query is checked before it is stored. */
  export interface GroupsService {
    /** With the number of computers that the caller may see; of a list only their addresses. */
    list(rights: Rights): Promise<GroupEntry[]>
    /** Resolves to the id. */
    add(group: New<Group>): Promise<number | Refusal>
    /**
     * Absent keys keep their values; a query replaces a list, and a list a query. With `changer` the audit log has what
     * was changed.
     */
    update(id: number, change: Partial<New<Group>>, changer?: Changer): Promise<Refusal | undefined>
    /** Refused while something names it. With `changer` it can be taken back. */
    delete(id: number, changer?: Changer): Promise<Refusal | undefined>
  }

  /** What is asked for: which computers, which columns, and which page of them. */
  export type ColumnsRequest = {
    after?: string
    columns?: string
    explain?: '1'
    format?: 'csv' | 'json'
    limit?: string
    sort?: string
    where?: string
  }

  /** The values of a computer by column; without a key what is not known of it. */
  export type FoundComputer = {
    client: string
    boot?: string
    center?: string
    cpu?: string
    disk?: number
    image?: string[]
    mac?: string
    maintenance?: boolean
    model?: string
    name?: string
    os?: string[]
    ram?: number
    room?: string
    seen?: string
    serial?: string
    state?: string
    tags?: string[]
    user?: string
  }

  /** Programs of many computers, with `search`; `where` names the computers. */
  export type ProgramsRequest = { after?: string; limit?: string; search?: string; where?: string }

  /** What has changed; `where` names the computers. */
  export type HistoryRequest = {
    after?: string
    kind?: 'disk' | 'hardware' | 'software' | 'system'
    limit?: string
    search?: string
    where?: string
  }

  export type InventoryChange = {
    added: string[]
    kind: 'disk' | 'hardware' | 'software' | 'system'
    removed: string[]
    time: string
    added_total?: number
    disk?: number
    partition?: number
    removed_total?: number
  }

  export type HistoryAnswer = {
    changes: {
      added: string[]
      kind: 'disk' | 'hardware' | 'software' | 'system'
      removed: string[]
      time: string
      added_total?: number
      disk?: number
      partition?: number
      removed_total?: number
    }[]
    since: { disk?: string; hardware?: string; software?: string; system?: string }
  }

  export type SummaryAnswer = {
    computers: number
    disks: { values: { computers: number; value: number }[]; omitted?: number }
    memory: { values: { computers: number; value: number }[]; omitted?: number }
    models: { values: { computers: number; value: string }[]; omitted?: number }
    processors: { values: { computers: number; value: string }[]; omitted?: number }
    systems: { values: { computers: number; value: string }[]; omitted?: number }
  }

  export type DifferencesAnswer = {
    compared: number
    computers: {
      client: string
      extra: {
        computers: number
        kind: 'device' | 'disk' | 'image' | 'software' | 'system'
        of: number
        text: string
      }[]
      extra_count: number
      missing: {
        computers: number
        kind: 'device' | 'disk' | 'image' | 'software' | 'system'
        of: number
        text: string
      }[]
      missing_count: number
      name?: string
    }[]
    different: number
  }

  /** All of the computers that a query finds within the caller's rights: see `SearchService`. */
  export type PartitionSystem = { clients: string[]; disk: number; partition: number; system: string }

  export interface FleetInventoryService {
    list: {}
    csv: {}
    summary: {}
    systems: {}
    differences: {}
    history: {}
    changes: {}
    programs: {}
  }

  export type RoomsHistoryRequest = {
    by?: 'all' | 'center' | 'room'
    center?: string
    format?: 'csv' | 'json'
    from?: string
    room?: string
    step?: '5min' | 'day' | 'hour'
    to?: string
  }

  export type RoomsHistory = {
    samples: number[]
    series: {
      busy: (number | null)[]
      failed: (number | null)[]
      free: (number | null)[]
      in_use: (number | null)[]
      name: string
      off: (number | null)[]
      waking: (number | null)[]
      center?: number
      room?: number
    }[]
    step: '5min' | 'day' | 'hour'
    times: string[]
  }

  export type ClientHistoryRequest = { format?: 'csv' | 'json'; from?: string; to?: string }

  export type ClientHistory = {
    changes: {
      in_use: boolean
      state: 'busy' | 'linux' | 'off' | 'oglive' | 'virtual' | 'waking' | 'windows'
      time: string
      user?: string
    }[]
    client: string
    from: string
    gaps: { from: string; to: string }[]
    to: string
  }

  export interface HistoryService {
    /** Of rooms all of whose computers are within the rights. */
    rooms(request: RoomsHistoryRequest, rights: Rights): Promise<RoomsHistory | Refusal>
    client(client: string, request: ClientHistoryRequest): Promise<ClientHistory | Refusal>
  }

  export type HookEntry = {
    failures: number
    file: string
    kind: 'before' | 'cron' | 'every' | 'on'
    name: string
    pack: string
    runs: number
    state: 'elsewhere' | 'failing' | 'paused' | 'running' | 'waiting'
    summary: string
    waiting: number
    before?: string[]
    cron?: string
    each?: 'host'
    every?: string
    last_error?: string
    last_run?: string
    longest_ms?: number
    mean_ms?: number
    next_run?: string
    on?: string[]
    paused_by?: string
    paused_since?: string
  }

  /** Refused for a hook that is not in service. With several hosts all of them follow. */
  export interface HooksService {
    /** By name. */
    list(): HookEntry[]
    /** Of `every` and `cron` only. `time`: milliseconds since 1970, when it has no run before; default: now. */
    run(hook: string, time?: number): Refusal | undefined
    /** `by`: who asks for it. */
    pause(hook: string, by: string): Promise<Refusal | undefined>
    resume(hook: string): Promise<Refusal | undefined>
  }

  /** One job with a page of its parts. */
  export type JobPage = Extract<JobResult, { parts: object }>

  export type JobEntry = Exclude<JobResult, { parts: object }>['jobs'][number]

  /** How far a part that copies an image is; `step`: index in the job's steps. */
  export type PartProgress = { percent: number; rate?: number; remaining?: number; client: string; step: number }

  /** What a queued part waits for. */
  export type PartWait = {
    for: 'batch' | 'busy' | 'logout' | 'off' | 'slot' | 'step'
    place?: number
    seconds?: number
    until?: string
    woken?: string
  }

  export interface JobsService extends JobRuns, JobReads {
    /**
     * Starts a command as the pack of the file, through the same checks as a request; computers in maintenance are
     * skipped.
     * Resolves to the id of the new job. Refused with 403 when the pack's role is not sufficient, and for built-in
     * commands
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
     * Resolves to the id of the new job, which records the caller. Computers in maintenance are skipped. A refusal with
     * 403
     * when the caller could not send the commands of all steps to all computers itself, as for `runProcedure`.
     */
    runTask(task: number | UnstoredTask, caller: Caller): Promise<number | Refusal>
    /** Resolves to the id of the new job, which records the caller. */
    runProcedure(procedure: number, clients: string[], caller: Caller): Promise<number | Refusal>
    /**
     * Cancels the queued parts of a job, of a limited caller those within the limits, or those of `clients`; returns
     * how
     * many. A refusal when the job is unknown or has no such part.
     */
    cancel(job: number, caller: Caller, clients?: readonly string[]): Promise<number | Refusal>
    /** Cancels as `cancel`, and ends the running parts: each host ends those of its clients, soon. */
    stop(job: number, caller: Caller, clients?: readonly string[]): Promise<Refusal | undefined>
    /**
     * Resolves to the id of the new job, of a limited caller with the parts within the limits. A refusal when the job
     * is
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
    /**
     * With the schedule that is to run it, in one step. Resolves to the name that was free, and to the records' ids.
     */
    store(schedule?: Omit<New<Schedule>, 'name' | 'type' | 'task' | 'plan'>): Promise<StoredTask | Refusal>
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
  export type FailureEntry = {
    client: string
    command: string
    job: number
    reason: string
    stopped?: string
    ended: number
    run: string
  }

  export interface FailuresService {
    /**
     * Commands of jobs that have failed on a client and have neither succeeded there since, with the same `sameRun`,
     * nor
     * has a command with `endsFailures`. As far as jobs are kept, of each client the newest 20; of the whole fleet.
     */
    list(): Promise<FailureEntry[]>
  }

  /** Before a restart of the daemon. */
  export interface DrainService {
    /**
     * From now on commands for clients are refused and queued parts stay queued, until `cancel` or the daemon's end.
     */
    start(): void
    cancel(): void
    state(): DrainState
  }

  export type DrainState = {
    draining: boolean
    queued: number
    running: number
    running_jobs: { id: number; running: number }[]
  }

  /** How a firing of a schedule went. */
  export type FiringEntry = {
    computers: number
    ended?: string
    failed: number
    job?: number
    name: string
    not_run: number
    reason?: string
    schedule: number
    state: 'empty' | 'ended' | 'missed' | 'refused' | 'running'
    succeeded: number
    time: string
    until?: string
    waiting: number
    problems: {
      command: string
      computers: number
      reason?: string
      state: 'cancelled' | 'expired' | 'failure' | 'queued' | 'sent' | 'skipped' | 'success'
      clients: string[]
    }[]
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
   * A limited caller has the schedules that it made and those whose computers are all within its limits; for any other
   * id,
   * known or not, it gets a refusal with 403. A refusal with 403 also when a caller could not run the target itself.
   */
  export interface SchedulesService {
    list(caller: Caller): Promise<Schedule[]>
    /**
     * `schedule Evening (schedule 3), task Tidy up (task 4)`: what uses a task or a procedure, as far as the caller
     * sees it; or ''.
     */
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
    /**
     * Warns of a schedule that names something which does not exist, or of whose times, if it has any, none is to come.
     */
    warn(id: number, when: object | undefined, request: Pick<Request, 'warn'>): Promise<void>
    /**
     * A refusal for an unknown id. With it go the task and the procedure that were made with it. It can be taken back.
     * Warns of its jobs
     * that still wait.
     */
    delete(id: number, caller: Caller & Changer): Promise<Refusal | undefined>
    /**
     * What those that fire again name although it is not there any more, by their ids: `image win11`, `room Studio`.
     */
    missing(schedules: readonly Schedule[]): Promise<ReadonlyMap<number, string[]>>
    /** The ISO times at which it fires next; a refusal for an unknown id. */
    next(id: number, count: number, caller: Caller): Promise<string[] | Refusal>
    /** The same of a schedule at hand. */
    timesOf(schedule: Schedule, count: number): string[]
    /**
     * How firings went, the newest first, also of schedules that are gone; of a limited caller those of its schedules.
     */
    firings(filter: FiringFilter, caller: Caller): Promise<FiringEntry[]>
    /**
     * The ISO time of the last run that did not take place, as this daemon knows it since its start; none after a later
     * run.
     */
    missed(id: number): string | undefined
  }

  /** A file of the image repository, in the words of `GET /images`. */
  export type ImageFile = Omit<ImageVersion, 'name' | 'version' | 'check'>

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

  /** Images, their files and their repositories. */
  export interface ImagesService extends RepositoryService, ImageFilesService {
    /** The address of a repository, undefined for an unknown id. */
    addressOf(repository: number): Promise<string | undefined>
    /** The repository that images of this address are recorded with: 1 when it is that of none. */
    idOf(address: string): Promise<number>
    /**
     * The id for an image that command `by` is going to create: of a new record, or of a record that has no file.
     * Undefined when the name is taken, also by a running create.
     */
    reserve(by: string, image: NewImage): Promise<number | undefined>
    /**
     * A refusal of a name and an id that do not mean one image: of `image`, which has the name, or of an unknown id.
     */
    checkIdentity(payload: { name: string; id: string }, image: Image | undefined): Promise<Refusal | undefined>
    /** A refusal with 403 of a limited caller's image that would be written into one of others. */
    checkOwner(payload: CreationTarget, rights: Rights): Promise<Refusal | undefined>
    /** Which versions of all images, or of one, are how often on the computers of a caller: as `GET /image/stats`. */
    stats(rights: Rights, image?: number, after?: string): Promise<object | Refusal>
    /** How far the running parts of a job are, of those that copy images and whose logs report it. */
    progressOf(job: number): readonly PartProgress[]
  }

  /** An older file of an image. */
  export type ImageVersion = {
    check: {
      state: 'damaged' | 'no checksum' | 'not checked' | 'ok' | 'queued' | 'running' | 'unreadable'
      at?: string
      percent?: number
    }
    modified: string
    name: string
    permissions: string
    size: number
    version: number
  }

  export type ImageCheck = ImageVersion['check']

  /** Deleted files, which are kept for some days. */
  export type BinEntry = {
    deleted: string
    expires: string
    id: number
    name: string
    reason: 'creation failed' | 'deleted'
    size: number
  }

  /** The files of images in the folder of this server. */
  export interface ImageFilesService {
    /**
     * To be called before an agent creates an image: keeps an older file of that name as a version. Returns why the
     * agent
     * must not be sent the request. Does nothing for a repository of another server.
     */
    beginCreation(addr: string, payload: unknown): string | undefined
    /** To be called when it has ended: after a failure the image has its older file again. */
    endCreation(payload: unknown, result: 'success' | 'failure'): void
    /**
     * To be called when the agent has replied that it has created the image: its new version and the time for the
     * store.
     * A failure when the file or its checksum is missing or empty.
     */
    created(image: CreatedFile): Promise<{ version: number; at: number } | ReplyFailure>
    /** The version that a name means in `image/restore`, 0 when that is not known, and the time for the store. */
    restored(image: Pick<CreatedFile, 'id' | 'name'>): Promise<{ version: number; at: number }>
    /**
     * Of these images, which must be all, those that have a file: the file, its check and older versions, newest first.
     */
    read(names: readonly string[]): Promise<Map<string, ImageFile & { check: ImageCheck; versions: ImageVersion[] }>>
    /** The image that has this name, or a version of this name. */
    find(name: string): Promise<Image | undefined>
    /** Queues a check of the file of an image, or of one of its versions. */
    check(image: Image, version?: number): Promise<Refusal | undefined>
    /** Moves the files of an image and of its versions, or of one version only, to the bin. */
    delete(image: Image, version?: number): Promise<Refusal | undefined>
    /** The newest entry first. */
    bin(): Promise<BinEntry[]>
    /**
     * Brings files back: an image, with its record as it was if that is still kept, or a version; resolves to the name.
     * A refusal when that is not possible.
     */
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

  /**
   * An image that is going to be created; `repository` is an address, `room_id` the room that it belongs to in place of
   * a center.
   */
  export type NewImage = {
    center_id?: number
    group_id?: number
    name: string
    description: string
    repository: string
    room_id?: number
  }

  /** What an image is created as. */
  export type CreationTarget = {
    description?: string
    name: string
    repository?: string
    repository_id?: string | number
  }

  /** Scripts for the image cache of live systems, which `POST /shell/run` of agents runs. */
  export interface CachesService {
    /** Prints the space of the cache, and bytes and name of each image. */
    listScript: string
    deleteScript(names: readonly string[]): string
    /** `repository` is an address. */
    fetchScript(image: { name: string; repository: string; type: string }): string
    /** Stores the output without its last line, which says how the script ended. */
    readOutput(reply: { out?: string }, client: Pick<Client, 'setOutput'>): ReplyFailure | undefined
  }

  /** Why clients cannot be sent a command, by address. What is not known is no reason. */
  export type Obstacles = Map<string, string>

  /** A partition of some clients, and the name of an image or of a version of it. */
  export interface ImageTarget {
    clients: readonly string[]
    disk: string
    partition: string
    name: string
  }

  /** `repository` is an address. */
  export type CreateTarget = ImageTarget & { repository?: string; code: string }

  /** `overwrite: false`: computers with another system there are obstacles. */
  export type RestoreTarget = ImageTarget & { repository: string; type: string; overwrite?: boolean }

  /** The keys of `setup`. */
  export interface SetupTarget {
    clients: readonly string[]
    type: string
    disk: string
    cache: string
    cache_size: string
    partition_setup: unknown[]
  }

  /** What one computer has in a partition. */
  export type Content = { another_system: boolean; filesystem: string; system: string }

  export interface PartitionContents {
    /** The system of the image, '' when it is not known. */
    system: string
    /** By address; of computers that are known to have the partition. */
    byClient: Map<string, Content>
  }

  export interface PreflightService {
    create(target: CreateTarget): Promise<Obstacles>
    /** `waits`: until nobody is logged in, which is no obstacle then. */
    restore(target: RestoreTarget, waits?: boolean): Promise<Obstacles>
    setup(target: SetupTarget): Promise<Obstacles>
    /** What a restore would overwrite. */
    contents(target: ImageTarget): Promise<PartitionContents>
  }

  /** The keys of `image/plan`. */
  export type NewRestore = {
    image: string
    at?: string
    batch?: number
    clients?: string[]
    disk?: string
    dry_run?: boolean
    on?: string
    overwrite?: boolean
    partition?: string
    rooms?: number[]
    then?: 'poweroff' | 'session'
    then_after?: 'any' | 'success'
    type?: 'MULTICAST' | 'TORRENT' | 'UNICAST'
    until?: string
    wake?: boolean
    when_idle?: boolean
  }

  /** `command`: the one that restores an image. */
  export interface PlansService {
    /**
     * What it does, as `POST /image/plan` says it, with the ids of the new task and schedule; a new job's is in the
     * request.
     */
    add(command: string, restore: NewRestore, request: Caller & Pick<Request, 'job'>): Promise<object | Refusal>
    /** Of a schedule that was changed: what else is planned of the same night for some of its computers. */
    warn(command: string, schedule: number, request: Caller & Pick<Request, 'warn'>): Promise<void>
    /** In the words of `GET /image/plans`; of a limited caller those whose schedules it has. */
    list(command: string, caller: Caller): Promise<object[]>
    /** By the id of its schedule. What something else names stays. */
    remove(command: string, schedule: number, caller: Caller): Promise<Refusal | undefined>
  }

  /** A pack, or a file outside of packs with settings or collections; also one that is gone and has left something. */
  export type PackEntry = {
    bytes: number
    collections: string[]
    documents: number
    enabled: boolean
    files: {
      command: string
      file: string
      origin: string
      state: 'broken' | 'in service' | 'off'
      versions: number
      contract?: number
      differs_on?: string[]
      does?: string
      error?: string
      forward?: string
      kind?: 'command' | 'hook' | 'pack' | 'view'
      loaded_at?: string
      missing_on?: string[]
      pack?: string
      route?: string
      version?: number
    }[]
    name: string
    role: 'admin' | 'operate' | 'read'
    secrets: Record<string, boolean>
    settings: Record<string, unknown>
    stored: boolean
    contract?: number
    origin?: string
    problem?: string
    settings_schema?: Record<string, unknown>
    summary?: string
    version?: string
  }

  /** What a pack may do. */
  export type PackRole = PackEntry['role']

  /** Refused for a pack that does not exist. All changes are in force at once, on every host. */
  export interface PacksService {
    /** By name. */
    list(): Promise<PackEntry[]>
    /**
     * Replaces the settings. A secret that is absent stays, one that is null is removed. Refused when they do not match
     * the
     * schema, or by the `check` of the pack.
     */
    setSettings(pack: string, settings: Readonly<Record<string, unknown>>): Promise<Refusal | undefined>
    /** Resolves to what is wrong with its settings. */
    enable(pack: string): Promise<{ problem?: string } | Refusal>
    /** Its files go out of service; what it keeps stays. */
    disable(pack: string): Promise<Refusal | undefined>
    setRole(pack: string, role: PackRole): Promise<Refusal | undefined>
    /** Deletes what a pack keeps, also its settings. Refused while it is enabled and its files are there. */
    purge(pack: string): Promise<{ documents: number } | Refusal>
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

  /** One statement about the server or a client. */
  export type DoctorFinding = { check: string; level: 'ok' | 'problem' | 'warning'; text: string; advice?: string }

  /** Of this host of the fleet. */
  export interface DiagnosisService {
    host(): { host: string; version: string }
    /** Connects to nothing but addresses of this server. */
    server(): Promise<DoctorFinding[]>
    /** Of an address, also of one without a record. */
    client(addr: string): Promise<DoctorFinding[]>
  }

  export interface MetricsService {
    /** The media type of `text`. */
    type: string
    /** All metrics in the text format of Prometheus. */
    text(): Promise<string>
  }

  /**
   * Which events a reader gets: an event must match each list that is not empty. `after`: the id of the last event that
   * it has, '' for none.
   */
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
    /** The id of the newest event: who reads the events after it, and lists from now on, misses nothing. */
    newest(): number
    /**
     * Server-sent events, until the caller disconnects or reads too slowly, its rights or session end, or the daemon
     * stops.
     */
    read(
      filter: EventFilter,
      caller: Pick<Request, 'signal' | 'disconnect' | 'rights' | 'header' | 'isSecure'>,
    ): AsyncIterable<string> | Refusal
  }

  export interface ModulesService {
    /** Every module file, built-in ones first. */
    list(): ModuleEntry[]
    /** Modules that only other hosts of the fleet have; undefined in a daemon that runs alone. */
    elsewhere?(): { command: string; hosts: string[] }[]
  }

  /** The API reference of the commands in service. */
  export interface ApiDocsService {
    /** An OpenAPI 3.1 document. */
    openapi(): object
    /** The same as JSON: the same bytes until a command changes. */
    json(): Uint8Array
    /** An HTML page that shows the document and loads nothing else. */
    page(): Promise<TextResponse>
  }

  /** The page that shows the fleet in a browser. */
  export interface ConsoleService {
    /** The page, or one of its files for the parts of the path after the route; an unknown file is 404. */
    respond(rest: readonly string[]): Promise<TextResponse>
  }

  /** A module file; `route`, `forward`, `version` and `loaded_at` describe the version in service, if there is one. */
  export type ModuleEntry = {
    command: string
    file: string
    origin: string
    state: 'broken' | 'in service' | 'off'
    versions: number
    contract?: number
    differs_on?: string[]
    does?: string
    error?: string
    forward?: string
    kind?: 'command' | 'hook' | 'pack' | 'view'
    loaded_at?: string
    missing_on?: string[]
    pack?: string
    route?: string
    version?: number
  }

  /** What can be taken back. */
  export type UndoEntry = {
    at: string
    by: string
    counts: Record<string, number>
    expires: string
    id: number
    kind:
      | 'center'
      | 'computer'
      | 'group'
      | 'image'
      | 'import'
      | 'procedure'
      | 'repository'
      | 'room'
      | 'schedule'
      | 'task'
      | 'token'
      | 'user'
    name: string
    what: string
    again?: string[]
    back?: { count: number; kind: string; names: string[] }[]
    changes?: { after: unknown; before: unknown; field: string; kind: string; name: string; record: number }[]
    fields?: string[]
    gone?: { count: number; kind: string; names: string[] }[]
    later?: {
      at: string
      by: string
      fields: string[]
      id: number
      names: string[]
      changes?: { after: unknown; before: unknown; field: string; kind: string; name: string; record: number }[]
    }[]
    record?: number
  }

  /**
   * What is to be deleted: a record by its id, computers by their addresses, of an image perhaps one version alone;
   * `address`: computers are to get others.
   */
  export interface Deletion {
    kind:
      | 'address'
      | 'center'
      | 'computer'
      | 'group'
      | 'image'
      | 'procedure'
      | 'repository'
      | 'room'
      | 'schedule'
      | 'task'
      | 'token'
      | 'user'
    id?: string | number
    clients?: readonly string[]
    version?: number
  }

  /** What a deletion does to some records, or to jobs. */
  export type DeletionEffect = {
    effect: 'cancelled' | 'others' | 'restores' | 'running' | 'unused'
    text: string
    what: {
      id: number
      kind: 'job' | 'procedure' | 'schedule' | 'task'
      addresses?: number
      computers?: number
      name?: string
    }[]
  }

  export interface UndoService {
    /** What a deletion would do to schedules and queued commands, in words; asked before it. */
    effects(deletion: Deletion, caller: Pick<Request, 'rights'>): Promise<string[]>
    /** The same for programs. */
    effectDetails(deletion: Deletion, caller: Pick<Request, 'rights'>): Promise<DeletionEffect[]>
    /** For how many days the caller could take such a deletion back; 0: not at all. */
    daysFor(kind: Deletion['kind'], caller: Pick<Request, 'rights'>): number
    /**
     * Calls a method of the store. What it deletes or edits, and the computers that it adds, can be taken back for 30
     * days: it is kept in the same step, and the response has the id in `X-Undo-Id`.
     */
    keep<Result>(changer: Changer, call: (store: CommandStore) => Promise<Result>): Promise<Result>
    /** What the caller may take back, the newest first; with an id that alone, with names. */
    list(rights: Rights, id?: string): Promise<UndoEntry[]>
    /**
     * Without an id the caller's own last change. Refused with 409 when later edits have set the same values, without
     * `overwrite`.
     */
    apply(
      id: number | undefined,
      request: Pick<Request, 'rights' | 'kept' | 'about' | 'warn'>,
      overwrite?: boolean,
    ): Promise<UndoEntry | Refusal>
  }

  export type ViewEntry = {
    failures: number
    name: string
    pack: string
    runs: number
    state: 'failing' | 'ready'
    summary: string
    title: string
    view: 'chart' | 'client-badge' | 'computer' | 'overview' | 'page'
    longest_ms?: number
    mean_ms?: number
    problem?: string
  }

  /** What a view shows, with its kind in `view`. */
  export type ViewAnswer =
    | {
        from: string
        series: { points: { time: string; value: number }[]; title: string }[]
        title: string
        until: string
        view: 'chart'
        gap?: number
        unit?: string
      }
    | {
        badges: { client: string; text: string; title?: string; tone?: 'bad' | 'good' | 'neutral' | 'warning' }[]
        title: string
        view: 'client-badge'
      }
    | {
        lines: { label: string; value: string | number; tone?: 'bad' | 'good' | 'neutral' | 'warning' }[]
        title: string
        view: 'computer'
      }
    | {
        title: string
        view: 'overview'
        figure?: {
          value: string | number
          points?: { time: string; value: number }[]
          tone?: 'bad' | 'good' | 'neutral' | 'warning'
          unit?: string
        }
      }
    | {
        actions: {
          destructive: boolean
          payload: Record<string, unknown>
          route: string
          row_keys: string[]
          title: string
          form?: 'page' | 'row'
        }[]
        columns: { key: string; title: string; type?: 'number' | 'text' | 'time' }[]
        rows: {}[]
        title: string
        view: 'page'
        next?: string
      }

  export type ViewQuestion = {
    after?: string
    client?: string[]
    clients?: string[]
    from?: string
    length?: number
    query?: string
    step?: number
    until?: string
  }

  export interface ViewsService {
    /** Those that the caller may see, by name. */
    list(rights: Rights): ViewEntry[]
    /** Refused with 500 when the view throws, takes too long, or returns something else than its kind does. */
    ask(name: string, question: ViewQuestion, rights: Rights): Promise<ViewAnswer | Refusal>
  }

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
    /**
     * To be awaited after each step of long work: undefined while the time slice lasts, then a promise for the next
     * one.
     */
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

  /** The default export of `pack.ts` in a folder of modules. */
  export interface Pack<S = unknown, C = unknown> {
    /** The contract that it was written for. A daemon that does not know it refuses the pack. */
    contract: 3
    /** One line for people. */
    summary: string
    /** `1.2.0`. */
    version: string
    /** JSON Schema of an object. Values of properties with `writeOnly: true` are secrets: they are never read back. */
    settings?: S
    /** JSON Schema of the documents of each collection, by its name. */
    collections?: C
    /** Why these settings are refused: asked before they are stored, with the secrets. */
    check?(context: { settings: WithDefaults<S>; services: Services }): Awaitable<Refusal | undefined | void>
  }

  /** What the settings of a pack are to its files: those that are stored, and the defaults of the schema. */
  export type SettingsOf<P> = P extends { settings: infer S }
    ? Readonly<WithDefaults<S>>
    : Readonly<Record<string, unknown>>

  /** The collections of a pack, by their names. */
  export type CollectionsOf<P> = P extends { collections: infer C }
    ? { readonly [Name in keyof C]: Collection<FromSchema<C[Name]>> }
    : Readonly<Record<string, Collection>>

  /** What files of a pack find in the contexts of their functions. */
  export interface PackContext<P = undefined> {
    settings: SettingsOf<P>
    collections: CollectionsOf<P>
  }

  /** Documents of one kind, which all hosts see. What has resolved is on disk. */
  export interface Collection<Value = unknown> {
    get(key: string): Promise<StoredDocument<Value> | undefined>
    /**
     * Resolves to the new version. Throws when the value does not match the schema, is longer than 64 kB as JSON, or
     * when
     * the pack has too much (`limits.collection_bytes`). With `version` undefined unless the stored one has it; 0:
     * there
     * must be none.
     */
    put(key: string, value: Value, condition?: { version?: number }): Promise<number | undefined>
    /** False when there was none, or one of another version. */
    delete(key: string, condition?: { version?: number }): Promise<boolean>
    /** In the order of the keys. `after`: the last key of the page before. `limit`: at most 1,000, default 100. */
    list(page?: { prefix?: string; after?: string; limit?: number }): Promise<StoredDocument<Value>[]>
    /** All of them, read page by page: what is put or deleted meanwhile may be missing. */
    all(prefix?: string): AsyncIterable<StoredDocument<Value>>
  }

  export interface StoredDocument<Value = unknown> {
    key: string
    value: Value
    /** Grows with each `put`. */
    version: number
  }

  /** Events between these times did not reach the hook: a crash, or too many that waited. ISO times. */
  export interface EventsMissing {
    type: 'events-missing'
    time: string
    since: string
    until: string
  }

  /** What a hook may name in `on`. */
  export type HookEventType = StreamEvent['type']

  /** An event as `GET /events` has it; `clients` are all addresses that it concerns. */
  export type HookEvent<Type extends HookEventType = HookEventType> =
    | Extract<Named<StreamEvent>, { type: Type }>
    | EventsMissing

  /** The default export of a hook file: exactly one of `on`, `every`, `cron` and `before`. */
  export type Hook<P = undefined, Type extends HookEventType = HookEventType> = HookBase &
    (OnHook<P, Type> | EveryHook<P> | CronHook<P> | BeforeHook<P>)

  export interface RunContext<P = undefined> extends PackContext<P> {
    services: Services
  }

  export interface BeforeContext<P = undefined> extends PackContext<P> {
    /** The name of the command. */
    command: string
    /** Frozen: a check cannot change it. */
    payload: Readonly<Record<string, unknown>>
    /** Addresses. */
    clients: readonly string[]
    /** Of who asked for it. */
    rights: Rights
    services: Services
  }

  export type Tone = 'good' | 'warning' | 'bad' | 'neutral'

  /** A line of a card. */
  export interface ViewRow {
    label: string
    value: string | number
    tone?: Tone
  }

  /** A mark on tiles and in lists. */
  export interface ViewBadge {
    text: string
    tone?: Tone
    title?: string
  }

  /** A card of the first page. */
  export interface ViewFigure {
    value: string | number
    unit?: string
    tone?: Tone
    points?: readonly ViewPoint[]
  }

  /** ISO time and value. */
  export interface ViewPoint {
    time: string
    value: number
  }

  export interface ViewPage {
    columns: readonly { key: string; title: string; type?: 'text' | 'number' | 'time' }[]
    rows: readonly Readonly<Record<string, string | number | boolean | null>>[]
    /** For `after` of the next page; absent on the last one. */
    next?: string
    /** What can be sent for a row: the payload has the row's values of these keys; that of `clients` as a list. */
    actions?: readonly {
      title: string
      command: string
      payload: Readonly<Record<string, unknown>>
      rowKeys?: readonly string[]
      /** The command's form asks for the other keys: for a row, or once above the table, without a row. */
      form?: 'row' | 'page'
    }[]
  }

  export interface ViewChart {
    unit?: string
    /** Milliseconds: points that are farther apart are not joined, as nothing is known of the time between them. */
    gap?: number
    series: readonly { title: string; points: readonly ViewPoint[] }[]
  }

  /**
   * The default export of a view file. `data` has 5 s. It returns at most 100 lines, 1,000 rows of a page, or 20 series
   * of
   * 1,000 points; anything else than its kind returns is refused, with one line in the log.
   */
  export type View<P = undefined> = ViewBase &
    (
      | {
          view: 'computer'
          data(context: ViewContext<P> & { client: string }): Awaitable<readonly ViewRow[] | undefined>
        }
      | {
          view: 'client-badge'
          data(context: ViewContext<P> & { clients: readonly string[] }): Awaitable<ReadonlyMap<string, ViewBadge>>
        }
      | { view: 'overview'; data(context: ViewContext<P>): Awaitable<ViewFigure | undefined> }
      | { view: 'page'; data(context: ViewContext<P> & { query: string; after: string }): Awaitable<ViewPage> }
      | {
          view: 'chart'
          /** Milliseconds since 1970; `step`: milliseconds between points. */
          data(context: ViewContext<P> & { from: number; until: number; step: number }): Awaitable<ViewChart>
        }
    )

  export interface ViewContext<P = undefined> extends PackContext<P> {
    services: Services
    /** Of who looks at it. */
    rights: Rights
  }

  /** Of agents. */
  export type AgentRoute = `GET /${string}` | `POST /${string}`

  export type Route = AgentRoute | `DELETE /${string}`

  /** As `Command`, with the types of its schemas and pack by their names. `answer` has the type of `returns`. */
  export type CommandOf<Types extends CommandTypes> = Command<
    MemberOf<Types, 'payload'>,
    MemberOf<Types, 'reply'>,
    MemberOf<Types, 'query'>,
    MemberOf<Types, 'pack'>,
    MemberOf<Types, 'returns'>
  >

  /**
   * The default export of a command file. `P`, `R` and `Q` are the types of its schemas `payload`, `forward.reply` and
   * `query`, `Of` that of its pack, `A` that of `returns`.
   */
  export interface Command<P = undefined, R = undefined, Q = undefined, Of = undefined, A = undefined> extends OldKeys {
    /** The contract that it was written for; 2 when it says nothing. */
    contract?: 2 | 3
    /** One line for people: API reference, CLI, console. */
    summary: string
    /** The heading of the API reference that it is listed below; default: `Site` for a site's command. */
    group?: string
    /**
     * A payload that the command accepts; default: from the `examples` of its schema when all required keys have some.
     */
    example?: FromSchema<P>
    /** Method and path: also of the paths below it that no other route has. One module owns a method of a path. */
    route: Route
    /** Further names for steps of procedures. */
    aliases?: readonly string[]
    /** Of a file outside of packs, as those of a pack. */
    settings?: object
    collections?: Readonly<Record<string, object>>
    /** JSON Schema of the JSON response, for the API reference. */
    returns?: A extends undefined ? object : A
    /** Media type of a text response, for the API reference. */
    mediaType?: string
    /** Programs ask before they send it, as it deletes or ends something; with `consent` scripts need `--yes`, too. */
    confirm?: 'ask' | 'consent'
    /**
     * No tool of `fleet mcp`: what it runs, repeats or replaces may end or overwrite something, although nobody is
     * asked.
     */
    assistants?: false
    /**
     * Copies images: long, and heavy for the network. `write`: the agent writes the file of the image that the
     * payload's
     * `name` and `repository` mean. `true` is that of contract 2.
     */
    imaging?: 'read' | 'write' | true
    /** A text that tells runs apart, such as the script: a success ends the failures of runs with the same one only. */
    sameRun?(context: { payload: WithDefaults<P> }): string
    /** Where it succeeds, somebody has seen the failures of the client: `GET /failures` lists them no more. */
    endsFailures?: true
    /** Its answer takes long where there is much data: of one caller two are computed at a time, and some more wait. */
    heavy?: true
    /** Default: `read` for a GET, `operate` for a POST that forwards or acts, else `admin`. `none`: without a token. */
    access?: Access
    /** Limited callers may use it without `clients` or `client`: it concerns no computers, or asks `request.rights`. */
    scoped?: true
    http?: HttpKeys
    /** JSON Schema of the caller's body. A command without one ignores the body. */
    payload?: P
    audit?: AuditKeys
    /** Default with a schema: `required`. `optional`: an absent body is `{}`. `none`: a body is refused. */
    body?: 'required' | 'optional' | 'none'
    /** JSON Schema of the query, whose values are strings; a repeated key has its values joined with commas. */
    query?: Q
    /** Why a caller whose rights are limited may not: asked before `accept`, and before a run or a retry. */
    checkRights?(context: CheckContext<WithDefaults<P>, Of> & Pick<Request, 'rights'>): Awaitable<Refusal | undefined>
    /** Called once per job, before anything is sent: returns the payload to store and send, or a refusal. */
    accept?(context: AcceptContext<WithDefaults<P>, Of>): Awaitable<WithDefaults<P> | Refusal>
    /** Returns the response: an object for 200 with JSON, nothing for an empty 200, a text, or a refusal. */
    answer?(context: AnswerContext<WithDefaults<P>, Query<Q>, Of>): Awaitable<Answered<A> | TextResponse | Refusal>
    /**
     * Why clients are skipped, by address: asked before it is sent, and for `?dry_run=1`. What is not known is no
     * reason.
     */
    preflight?(context: CheckContext<WithDefaults<P>, Of>): Awaitable<ReadonlyMap<string, string>>
    /**
     * What the payload, here without clients, names that is gone, such as `image win11`: asked for schedules that run
     * it.
     */
    missing?(context: CheckContext<WithDefaults<P>, Of>): Awaitable<string | undefined>
    /** What `?dry_run=1` shows of each client in addition, by address. */
    preview?(context: CheckContext<WithDefaults<P>, Of>): Awaitable<ReadonlyMap<string, object>>
    /** What the daemon itself does for one of `clients`. When it throws, only that client fails. */
    act?(context: ActContext<WithDefaults<P>, Of>): Awaitable<Outcome>
    /** How the accepted payload is sent to the agents of `clients`. */
    forward?: Forward<WithDefaults<P>, R, Of>
  }

  /** With a schema what matches it, else any object or nothing. */
  export type Answered<A> = A extends undefined ? object | undefined | void : Frozen<FromSchema<A>>

  /** How a route is served. */
  export interface HttpKeys {
    /** Also serves paths in which its last part goes on, `/clientsX`, as the specification has it for some routes. */
    prefix?: true
    /** The token may also come as `?token=`, by exact path: for callers that cannot set a header. */
    queryToken?: true
    /** Browsers may use their own login (Basic) here, by exact path: only for a page that changes nothing. */
    browserLogin?: true
    /** Browsers that ask for `/` are led here. */
    startPage?: true
    /** Also serves the paths below its route: `request.rest` has what follows the route. */
    rest?: true
    /**
     * A body that is no JSON object counts as none: for programs that expect that, or an answer of the command's own.
     */
    anyBody?: true
    /** Served without a token, by exact path, while this option of section `rest` is true. */
    openWith?: 'open_metrics'
  }

  /** What the log and the audit log need: keys of the payload, and whether a command changes something. */
  export interface AuditKeys {
    /** Has the address of the computer whose record it writes. */
    computer?: string
    /** A request in which it is true changes nothing, so it is not logged as a write. */
    preview?: string
    /** It changes something although `access` is `read`. */
    writes?: true
  }

  /** The parsed query: typed by the schema, else any string by key. */
  export type Query<Q> = Q extends undefined ? Readonly<Record<string, string>> : WithDefaults<Q>

  export interface CheckContext<Payload, Of = undefined> extends PackContext<Of> {
    payload: Payload
    services: Services
  }

  export interface AcceptContext<Payload, Of = undefined> extends CheckContext<Payload, Of> {
    /** Absent for steps of tasks, procedures and schedules. */
    request?: Request
  }

  export interface AnswerContext<Payload, QueryOf = Readonly<Record<string, string>>, Of = undefined>
    extends CheckContext<Payload, Of> {
    request: Request<QueryOf>
  }

  export interface ActContext<Payload, Of = undefined> extends CheckContext<Payload, Of> {
    client: Pick<Client, 'addr'>
  }

  export interface ReplyContext<Reply, Payload, Of = undefined> extends CheckContext<Payload, Of> {
    reply: Reply
    client: Client
  }

  export type CheckReplyContext<Reply, Payload, Of = undefined> = Omit<ReplyContext<Reply, Payload, Of>, 'client'>

  export interface Forward<Payload = unknown, R = undefined, Of = undefined> extends OldForwardKeys {
    to: AgentRoute
    /** The forwarded object; default: the accepted payload without `clients`. An empty object is sent as no body. */
    body?: 'none' | ((context: CheckContext<Payload, Of>) => object)
    /**
     * Seconds until the command fails when no reply came; default 900. The option `deadlines` overrides a number only.
     */
    deadline?: number | ((context: CheckContext<Payload, Of> & Sending) => number | undefined)
    /** Further keys of the body, for agents that know them all. With a deadline of the payload these have 10 s more. */
    extension?(context: CheckContext<Payload, Of> & Sending): object
    /** Also sent to a client that has a last command, which it ends. */
    whileBusy?: true
    /** `false`: the displayed state does not become BSY. */
    showsBusy?: false
    /** `false`: agents never reply to it; it is a success when it is written. */
    expectsReply?: false
    /** A success also when the agent closes its connection. */
    endsOnClose?: true
    /** A 202 with a body is the reply, not only the promise of one. */
    endsOn202?: true
    /** Sent to each agent when it has connected. */
    onConnect?: true
    /** Sent to an agent before its queued parts; any reply opens the queue. */
    beforeQueue?: true
    /** Ends what an agent does: sent to those that run parts of a job that is stopped. */
    stopsJobs?: true
    /** What a status means with which an agent refuses this command, for the reason of the failure, by status. */
    statusReasons?: Readonly<Record<number, string>>
    /** With these statuses agents say that they do not have this: no failure, but a success with that reason. */
    unsupported?: readonly number[]
    /** JSON Schema of the agent's reply; a reply that does not match is a failure. */
    reply?: R
    /**
     * Refuses a reply that matches the schema but does not belong to the payload: an agent that was sent id 2 replies
     * with
     * id 1. It is a failure of that client with the reason `reply not understood: …`, and `onReply` is not called.
     */
    checkReply?(context: CheckReplyContext<FromSchema<R>, Payload, Of>): Refusal | undefined
    /**
     * Stores a reply that has a body. Resolves to `false` when the address has no computer record and nothing was
     * stored,
     * and to a failure when the reply says that the command failed on the client: what was stored stays.
     */
    onReply?(context: ReplyContext<FromSchema<R>, Payload, Of>): Awaitable<boolean | void | ReplyFailure>
  }

  export type StartLab = <P = undefined>(options: LabOptions<P>) => Promise<TestLab<P>>

  /** What the names stand for that every schema may have in `$ref`. */
  export type CommonTypes = {
    clients: string[]
    client: string[]
    ipv4: string
    id: string
    place: string
    speed: number
    tags: string[]
    netmask: string
    status: string
    inventory: {
      disk_setup?: {
        disk: string
        partition: string
        code: string
        filesystem: string
        os: string
        size: string
        used_size: string
        disk_type?: string
      }[]
      partition_setup?: {
        disk: string
        partition: string
        code: string
        filesystem: string
        os: string
        size: string
        used_size: string
        disk_type?: string
      }[]
      serial_number?: string
      link?: number
      status?: string
    }
    steps: ({ command: string; params: Record<string, unknown> } | { procedure: number })[]
    taskSteps: ({ procedure: number } | { task: number })[]
    when: {
      years: number
      months: number
      weeks: number
      week_days: number
      days: number
      hours: number
      am_pm: number
      minutes: number
    }
    whenChanged: {
      years: number
      months: number
      days: number
      hours: number
      am_pm: number
      minutes: number
      weeks?: number
      week_days?: number
    }
  }

  export type Definition<Root, Name extends string> = Root extends { definitions: Record<Name, infer Found> }
    ? Found
    : never

  /** The types of texts, numbers and the like, by the `type` of their schema. */
  export interface SimpleTypes {
    string: string
    integer: number
    number: number
    boolean: boolean
    null: null
  }

  export type RequiredKeys<S> = S extends { required: readonly (infer K)[] } ? K : never

  export type WithPresent<Of, Present, Root> = {
    -readonly [K in keyof Of as K extends Present ? K : never]: WithDefaults<Of[K], Root>
  } & { -readonly [K in keyof Of as K extends Present ? never : K]?: WithDefaults<Of[K], Root> }

  export type DefaultKeys<Of> = { [K in keyof Of]: Of[K] extends { default: unknown } ? K : never }[keyof Of]

  /** For programs. `hash` is the SHA-256 of the token's secret part, in hexadecimal digits. */
  export interface Token {
    id: number
    name: string
    hash: string
    role: Role
    centers: number[]
    rooms: number[]
    groups?: number[]
    created: number
    by: string
    disabled: boolean
    used: number
    expires: number
  }

  /** For people, with a password. `hash` is the text of its scrypt hash, with salt and parameters. */
  export type User = Account

  export interface HardwareItem {
    type: string
    description: string
  }

  /** The software of a partition: the name of the operating system, and one line per program. */
  export interface Software {
    os: string
    programs: string[]
  }

  /** A managed computer. `ip` is unique; `mac` is 12 hex digits; `hardware_id` is a hardware profile, 0 means none. */
  export interface Computer {
    id: number
    name: string
    ip: string
    mac: string
    room: number
    netmask: string
    boot: string
    remote: boolean
    serial_number: string
    hardware_id: number
    repo_id: number
    netiface: string
    netdriver: string
    livedir: string
    maintenance: boolean
    place?: { row: number; column: number }
    tags?: readonly string[]
  }

  /** New values of a computer's record: undefined ones change nothing, and null removes the place. */
  export interface ComputerValues extends Partial<Omit<New<Computer>, 'place'>> {
    place?: Place | null
  }

  /** A seat on the map of a room: its row and column, 1 to 99. Computers may share one. */
  export interface Place {
    row: number
    column: number
  }

  /** A row to be added: the store assigns the id. */
  export type New<Row> = Omit<Row, 'id'>

  export interface Room {
    id: number
    center: number
    name: string
    netmask: string
    location: string
    gateway: string
    ntp: string
    dns: string
    group: number
    remote: boolean
    tags?: readonly string[]
  }

  /** Repository 1 always exists; its empty `ip` stands for the daemon's own address. */
  export interface Repository {
    id: number
    name: string
    ip: string
    slots?: number
  }

  /** `name` is unique within its center. */
  export interface Procedure {
    id: number
    center: number
    name: string
    description: string
    steps: Step[]
    planned?: boolean
  }

  /** A procedure with its targets: a scope, addresses, or both; without them, all computers of its center. */
  export interface Task {
    where?: string
    group?: number
    id: number
    center: number
    name: string
    description: string
    steps: Step[]
    planned?: boolean
    scope?: { type: 'center' | 'computer' | 'room'; id: number }
    clients?: string[]
    options?: {
      wake?: boolean
      when_idle?: boolean
      until?: string
      batch?: number
      then?: 'poweroff' | 'session'
      then_after?: 'any' | 'success'
    }
  }

  /** Has one of `where` and `clients`. */
  export interface Group {
    id: number
    name: string
    where?: string
    clients?: string[]
  }

  export type JobResult =
    | {
        jobs: {
          arguments: (null | Record<string, unknown>)[]
          by: string
          commands: string[]
          computers: {
            cancelled: number
            expired: number
            failure: number
            queued: number
            sent: number
            skipped: number
            stopped: number
            success: number
          }
          counts: {
            cancelled: number
            expired: number
            failure: number
            queued: number
            sent: number
            skipped: number
            success: number
          }
          created: string
          id: number
          name: string
          origin: 'pack' | 'procedure' | 'request' | 'retry' | 'schedule' | 'task'
          caller?: string
          retry_of?: number
          room?: string
          rooms?: number
          running?: { seconds: number; deadline?: string }
          schedule?: number
          steps?: number
          where?: string
        }[]
      }
    | {
        arguments: (null | Record<string, unknown>)[]
        by: string
        commands: string[]
        counts: {
          cancelled: number
          expired: number
          failure: number
          queued: number
          sent: number
          skipped: number
          success: number
        }
        created: string
        id: number
        name: string
        origin: 'pack' | 'procedure' | 'request' | 'retry' | 'schedule' | 'task'
        parts: {
          client: string
          command: string
          queued: string
          state: 'cancelled' | 'expired' | 'failure' | 'queued' | 'sent' | 'skipped' | 'success'
          step: number
          ended?: string
          output?: string
          output_dropped?: true
          progress?: { percent: number; rate?: number; remaining?: number }
          reason?: string
          running?: { seconds: number; deadline?: string }
          sent?: string
          stopped?: string
          waiting?: {
            for: 'batch' | 'busy' | 'logout' | 'off' | 'slot' | 'step'
            place?: number
            seconds?: number
            until?: string
            woken?: string
          }
        }[]
        caller?: string
        next?: number
        retry_of?: number
        schedule?: number
        steps?: number
        where?: string
      }

  /** Which jobs to list; one part of the job must match all of `state`, `client` and `clients`. */
  export interface JobFilter {
    state?: PartState
    /** A step's command. */
    command?: string
    /** The id of the schedule that started it. */
    schedule?: number
    client?: string
    /** As if jobs had no parts of other clients: these are not counted either. There may be thousands. */
    clients?: readonly string[]
    limit: number
  }

  /**
   * One step of a procedure or task; `params` is the command's payload without `clients`. A procedure or task that a
   * step
   * names exists when the step is stored; later it can be missing only because its center was deleted.
   */
  export type Step = { command: string; params: Record<string, unknown> } | { procedure: number } | { task: number }

  /** `task` is the id of a task, a procedure or a scheduled command, depending on `type`. It need not exist. */
  export interface Schedule {
    years: number
    months: number
    weeks: number
    week_days: number
    days: number
    hours: number
    am_pm: number
    minutes: number
    id: number
    type: 'command' | 'procedure' | 'task'
    task: number
    name: string
    suspended: 0 | 1
    since: number
    by: string
    plan?: { task: number; procedure: number }
  }

  export interface StoredTask extends PlannedRestore {
    name: string
  }

  /** When a schedule runs, in local time: `when` of the specification. Other bits are ignored. */
  export interface Masks {
    years: number
    months: number
    weeks: number
    week_days: number
    days: number
    hours: number
    am_pm: number
    minutes: number
  }

  /** A command with its clients, which a schedule of type `command` runs. */
  export interface ScheduledCommand {
    where?: string
    group?: number
    id: number
    clients: string[]
    command: string
    params: Record<string, unknown>
  }

  /** `datasize` in bytes; `name` is unique, and is the file's name without `.img`. */
  export interface Image {
    id: number
    name: string
    description: string
    repo_id: number
    type: number
    datasize: number
    software_id: number
    group_id: number
    center_id: number
    room_id?: number
    clonator: string
    compressor: string
    filesystem: string
    version?: number
    disk?: number
    partition?: number
  }

  /** What commands are handed. */
  export interface CommandStore {
    /** Each level in the order of the ids; another object after a change of it, of a tag or of a group. */
    scopes(): Promise<Frozen<ScopeNode[]>>

    centers: {
      /** The new id, or undefined when the name is taken. */
      add(center: New<Center>): Promise<number | undefined>
      update(change: Pick<Center, 'id'> & Partial<Center>): Promise<'updated' | 'unknown' | 'name taken'>
      /**
       * Also deletes its rooms, computers, procedures and tasks. The deleted computers, or undefined for an unknown id.
       */
      delete(id: number): Promise<Computer[] | undefined>
    }

    rooms: {
      /** The new id; names are unique within a center. */
      add(room: New<Room>): Promise<number | 'name taken' | 'unknown center'>
      find(id: number): Promise<Room | undefined>
      /** In the order of the ids. */
      list(): Promise<Room[]>
      /** Other values stay as they are: another host may just have changed them. */
      update(change: Pick<Room, 'id'> & Partial<Room>): Promise<'updated' | 'unknown' | 'name taken' | 'unknown center'>
      /** Also deletes its computers. The deleted computers, or undefined for an unknown id. */
      delete(id: number): Promise<Computer[] | undefined>
    }

    repositories: {
      list(): Promise<Repository[]>
      /** The new id, or undefined when the name is taken. */
      add(repository: New<Repository>): Promise<number | undefined>
      /** `slots: 0` removes the limit. */
      update(change: Pick<Repository, 'id'> & Partial<Repository>): Promise<'updated' | 'unknown' | 'name taken'>
      /** Repository 1 and one that a computer or an image names are `in use`. */
      delete(id: number): Promise<'deleted' | 'unknown' | 'in use'>
    }

    groups: GroupMethods

    computers: SearchMethods & {
      /**
       * All or none. An empty list when all are stored, else every conflict (a repeated address in the list is one).
       */
      add(computers: New<Computer>[]): Promise<Conflict[]>
      find(ip: string): Promise<Frozen<Computer & { center: number }> | undefined>
      /** Those of these addresses, in any order; ignores unknown addresses. */
      findMany(ips: readonly string[]): Promise<Frozen<Computer & { center: number }>[]>
      /** Those of a room, or all, in the order of the ids. */
      list(room?: number): Promise<Computer[]>
      /**
       * Applies the same change to all computers with these addresses, or to none; ignores unknown addresses. A new
       * `ip`
       * is valid for one computer only.
       */
      update(ips: string[], change: ComputerValues): Promise<'updated' | Conflict['reason']>
      /**
       * Adds the rows without an id and changes the computers that the others name: all or none. Two computers may
       * exchange
       * their addresses; lists of addresses of tasks, scheduled commands and groups follow, also when it is taken back.
       * `before`: the changed computers as they were, in the order of the rows; none after a conflict.
       */
      merge(rows: (New<Computer> | ComputerChange)[]): Promise<{ conflicts: Conflict[]; before: Computer[] }>
      /** The deleted computers; ignores unknown addresses. */
      delete(ips: string[]): Promise<Computer[]>
    }

    inventory: InventoryMethods

    images: ImageMethods

    procedures: StepLists<Procedure>
    tasks: StepLists<Task>

    schedules: ScheduleMethods

    /** Must need little memory: 10,000 finished jobs of 100 parts each are usual. */
    jobs: {
      /** The new id. */
      add(job: New<Job>, parts: Part[]): Promise<number>
      /** Applies all changes in one step; ignores those of jobs or parts that do not exist. */
      update(changes: readonly Change[]): Promise<Changed>
      /** Cancels queued parts. */
      cancel(target: CancelTarget, reason: string, now: number): Promise<EndedParts[]>
      /** Newest first. */
      list(filter: JobFilter): Promise<(Job & { counts: PartCounts })[]>
      /** With `clients` only their parts are counted; undefined when it has none of them. */
      find(id: number, clients?: readonly string[]): Promise<(Job & { counts: PartCounts }) | undefined>
      /**
       * In the order of their indexes, from the first after `after` on; only the parts of `client`, of `clients` and in
       * `state`, if these are set. With `outputs: false` the outputs need not be read: they may be ''.
       */
      parts(id: number, page: PartPage): Promise<IndexedPart[]>
      /** By step, state and reason; only the computers `clients`, if set. */
      countComputers(id: number, clients?: readonly string[]): Promise<ComputerCount[]>
      /** The jobs that have parts in state queued or sent, the oldest first, with these parts only. */
      unfinished(page?: UnfinishedPage): Promise<UnfinishedParts[]>
      /** One for each caller whose jobs have parts in state queued. */
      waiting(): Promise<WaitingParts[]>
      /**
       * Deletes finished jobs created before `before`, and all finished jobs but the newest `keep`. How many it
       * deleted.
       */
      trim(limits: { before: number; keep: number }): Promise<number>
    }

    tokens: Accounts<Token>
    users: Accounts<User>
  }

  /** An event of `GET /events`. */
  export type StreamEvent =
    | {
        account: number
        name?: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'account-added'
      }
    | {
        account: number
        name?: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'account-changed'
      }
    | {
        account: number
        name?: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'account-removed'
      }
    | {
        reason: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'adoption-refused'
      }
    | {
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'auth-failed'
      }
    | {
        change: number
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'change-undone'
      }
    | {
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'client-connected'
      }
    | {
        replaced?: true
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'client-gone'
      }
    | {
        name?: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'client-pending'
      }
    | {
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'client-ready'
      }
    | {
        reason: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'client-refused'
      }
    | {
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'client-replaced'
      }
    | {
        state: string
        status: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'client-state'
      }
    | {
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'computer-added'
      }
    | {
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'computer-changed'
      }
    | {
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'computer-removed'
      }
    | {
        group: number
        name: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'group-added'
      }
    | {
        group: number
        name: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'group-changed'
      }
    | {
        group: number
        name: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'group-removed'
      }
    | {
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host: string
        type: 'host-gone'
      }
    | {
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host: string
        type: 'host-joined'
      }
    | {
        image: number
        name?: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'image-added'
      }
    | {
        image: number
        name?: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'image-changed'
      }
    | {
        image: number
        name?: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'image-removed'
      }
    | {
        inventory: 'disk' | 'hardware' | 'software' | 'system'
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'inventory-changed'
        added: string[]
        added_total?: number
        disk?: number
        partition?: number
        removed: string[]
        removed_total?: number
      }
    | {
        job: number
        name: string
        origin: string
        by: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'job-created'
      }
    | {
        job: number
        name: string
        by: string
        counts?: Record<string, number>
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'job-finished'
      }
    | {
        job: number
        step: number
        text: string
        omitted?: number
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'job-output'
      }
    | {
        job: number
        step: number
        command: string
        state: 'cancelled' | 'expired' | 'failure' | 'queued' | 'sent' | 'skipped' | 'success'
        reason?: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'job-part'
      }
    | {
        job: number
        step: number
        command: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'job-progress'
        percent: number
        rate?: number
        remaining?: number
      }
    | {
        list: ChangedList
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'list-changed'
      }
    | {
        mac: string
        recorded_mac: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'mac-differs'
      }
    | {
        file: string
        reason: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'module-failed'
      }
    | {
        file: string
        command: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'module-loaded'
      }
    | {
        file: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'module-removed'
      }
    | {
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'modules-changed'
      }
    | {
        alert: string
        text: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'pack-alert'
      }
    | {
        schedule: number
        name?: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'schedule-added'
      }
    | {
        schedule: number
        name?: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'schedule-changed'
      }
    | {
        schedule: number
        name?: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'schedule-removed'
      }
    | {
        user?: string
        locked: boolean
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'session-lock'
      }
    | {
        user?: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'session-login'
      }
    | {
        user?: string
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'session-logout'
      }
    | {
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'wake-answered'
      }
    | {
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'wake-sent'
      }
    | {
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'wake-timed-out'
      }
    | {
        id: number
        time: string
        clients: string[]
        rooms: number[]
        clients_total?: number
        host?: string
        type: 'write-refused'
      }

  export type Named<Event> = Event extends StreamEvent
    ? { [Key in keyof Event as Exclude<Key, ReaderKeys>]: Event[Key] }
    : never

  export interface HookBase {
    contract?: 3
    /** One line for people. */
    summary: string
    /** Of a file outside of packs, as those of a pack. */
    settings?: object
    collections?: Readonly<Record<string, object>>
    /** Of several hosts it runs on each, not on one of them. */
    each?: 'host'
  }

  export interface OnHook<P, Type extends HookEventType> extends Unless<'every' | 'cron' | 'before'> {
    on: readonly Type[]
    run(context: RunContext<P> & { events: readonly HookEvent<Type>[] }): Awaitable<void>
  }

  export interface EveryHook<P> extends Unless<'on' | 'cron' | 'before'> {
    /** `30 seconds`, `15 minutes`, `2 hours`, `1 day`; from 1 second on. */
    every: string
    run(context: RunContext<P>): Awaitable<void>
  }

  export interface CronHook<P> extends Unless<'on' | 'every' | 'before'> {
    /** Minute, hour, day, month, day of the week, in the daemon's time zone; with six fields seconds come first. */
    cron: string
    run(context: RunContext<P>): Awaitable<void>
  }

  export interface BeforeHook<P> extends Unless<'on' | 'every' | 'cron'> {
    /** Names of commands. */
    before: readonly string[]
    /** `allow`: a check that fails lets the command pass. Default: it refuses. */
    onError?: 'allow'
    /**
     * Asked when a request, task, schedule or retry begins, for `?dry_run=1`, and when a queued part is sent; at most 2
     * s.
     * Nothing: it may pass. A refusal: of all clients. A map: why these clients are skipped.
     */
    check(context: BeforeContext<P>): Awaitable<Refusal | ReadonlyMap<string, string> | undefined | void>
  }

  export interface ViewBase {
    contract?: 3
    /** One line for people. */
    summary: string
    /** The heading where it is drawn. */
    title: string
    /** Of a file outside of packs, as those of a pack. */
    settings?: object
    collections?: Readonly<Record<string, object>>
    /** The role that callers need; default `read`. */
    access?: Exclude<Access, 'none'>
    /**
     * Limited callers may see it: it asks `rights` which computers, or concerns none. Not needed where it gets clients.
     */
    scoped?: true
  }

  /** The types of the constants that a command has as its schemas, by their names, and of its pack. */
  export interface CommandTypes {
    payload?: object
    reply?: object
    query?: object
    returns?: object
    pack?: object
  }

  export type MemberOf<Types, Key> = Key extends keyof Types ? Types[Key] : undefined

  export interface OldKeys {
    /** @deprecated `confirm: 'ask'` */
    destructive?: true
    /** @deprecated `confirm: 'consent'` */
    needsConsent?: true
    /** @deprecated `http: { openWith: 'open_metrics' }` */
    openOption?: 'open_metrics'
    /** @deprecated `http: { queryToken: true }` */
    queryToken?: true
    /** @deprecated `http: { browserLogin: true }` */
    browserLogin?: true
    /** @deprecated `http: { startPage: true }` */
    startPage?: true
    /** @deprecated `http: { rest: true }` */
    rest?: true
    /** @deprecated `audit: { computer: … }` */
    computerKey?: string
    /** @deprecated `audit: { preview: … }` */
    previewKey?: string
  }

  /**
   * Frozen at every depth. Consoles read these values very often: an adapter should return the same object until
   * something
   * in it changes, so that its JSON is generated only once.
   */
  export type Frozen<Value> = Value extends object ? { readonly [Key in keyof Value]: Frozen<Value[Key]> } : Value

  export interface OldForwardKeys {
    /** @deprecated `imaging: 'write'` of the command */
    createsImage?: true
  }

  export interface LabOptions<P = undefined> {
    /** The folder of the modules: of a pack, or any other; `import.meta.dirname`. */
    folder: string
    /** How many clients connect, each with a record in room 1; default 0. */
    clients?: number
    /** Of the pack; its `check` is asked. */
    settings?: P extends { settings: object } ? object : Readonly<Record<string, unknown>>
    /**
     * The pack that `settings` and `collections` are of, where the folder has several files; default: by the folder's
     * name.
     */
    pack?: string
    /** When the clock starts, as ISO time; default: 2 March 2026, 8:00 in the time zone of the process. */
    start?: string
    /** Sections of the options file. */
    options?: Readonly<Record<string, unknown>>
  }

  /** A daemon in memory with its clients, and who calls it. */
  export interface TestLab<P = undefined> {
    /** Of the clients, as callers name them. */
    readonly addresses: string[]
    readonly clients: readonly TestClient[]
    readonly collections: CollectionsOf<P>
    /** All lines of the log so far. */
    readonly log: readonly string[]
    /** Sends `GET path` as the administrator; resolves when what it has started has ended. */
    get(path: string, headers?: Record<string, string>): Promise<LabResponse>
    post(path: string, payload?: object, headers?: Record<string, string>): Promise<LabResponse>
    /** Sends any request, such as `DELETE /path`, at once; a text is sent unchanged. */
    call(route: string, payload?: object | string, headers?: Record<string, string>): Promise<LabResponse>
    /** Moves the clock: `15 minutes`, or milliseconds. What becomes due runs, and has ended when it resolves. */
    advance(time: string | number): Promise<void>
    /** Resolves when no command and no hook is running. */
    settle(): Promise<void>
    /** Called by itself when the test file has ended. */
    stop(): Promise<void>
  }

  /** Each role includes the ones before. */
  export type Role = 'read' | 'operate' | 'admin'

  /** What tokens and users have in common. */
  export interface Account {
    id: number
    name: string
    hash: string
    role: Role
    centers: number[]
    rooms: number[]
    groups?: number[]
    created: number
    by: string
    disabled: boolean
    used: number
  }

  export type PartState = 'cancelled' | 'expired' | 'failure' | 'queued' | 'sent' | 'skipped' | 'success'

  /** The ids of its records; `schedule` is 0 when it has none. */
  export interface PlannedRestore extends NonNullable<Schedule['plan']> {
    schedule: number
  }

  export type ScopeNode =
    | { name: string; type: 'center' | 'room'; id: number; scope: readonly ScopeNode[] }
    | { name: string; type: 'computer'; id: number; scope: readonly []; ip: string }

  export interface Center {
    id: number
    name: string
    comment: string
  }

  export interface GroupMethods {
    list(): Promise<Group[]>
    /** The new id, or undefined when the name is taken. */
    add(group: New<Group>): Promise<number | undefined>
    /** Replaces all values. */
    update(group: Group): Promise<'updated' | 'unknown' | 'name taken'>
    /** The deleted one, or undefined for an unknown id. Does not ask who names it. */
    delete(id: number): Promise<Group | undefined>
  }

  export interface SearchMethods {
    /** In the order of the ids. */
    search(where: Where): Promise<{ id: number; ip: string }[]>
    /** Some texts that meet the condition, sorted: of all computers, or of those with these addresses. */
    searchValues(where: TextCondition, ips?: readonly string[]): Promise<string[]>
  }

  /** Why the computer at `index` of a list cannot be added or changed. */
  export interface Conflict {
    index: number
    reason: 'address taken' | 'unknown room' | 'unknown repository' | 'unknown computer' | 'repeated computer'
  }

  export interface ComputerChange extends ComputerValues {
    id: number
  }

  /**
   * Disks and programs of a computer, by its address. For an unknown address lists are empty, and writes give false.
   */
  export interface InventoryMethods {
    /** Ordered by disk, then partition. */
    partitions(ip: string): Promise<Partition[]>
    /** Of these addresses the computers that have the partition, in any order. */
    contents(ips: readonly string[], disk: number, partition: number): Promise<PartitionContent[]>
    /** The installed operating systems, ordered in the same way. */
    sessions(ip: string): Promise<{ disk: number; partition: number; name: string }[]>
    hardware(ip: string): Promise<Frozen<HardwareItem[]>>
    /** The programs of one partition. */
    software(ip: string, disk: number, partition: number): Promise<string[]>
    /**
     * Replaces the computer's rows. A row keeps its image and software while size, filesystem and os are unchanged,
     * otherwise both become 0. Names get ids: see `filesystem-names.ts`. A name exists while a partition has it; its id
     * is never assigned to another name.
     */
    refresh(ip: string, report: DiskReport): Promise<boolean>
    setHardware(ip: string, items: HardwareItem[]): Promise<boolean>
    /** A partition without a row gets one, whose other values are zero. */
    setSoftware(ip: string, disk: number, partition: number, software: Software): Promise<boolean>
    /** What these computers have, in the order of their ids; ignores unknown addresses. */
    survey(ips: readonly string[]): Promise<SurveyedComputer[]>
    /** Which of these computers have which lists of software, in any order; ignores unknown addresses. */
    owners(ips: readonly string[]): Promise<ListOwners[]>
    /** Lists of devices by their ids, in any order; ignores unknown ids. */
    devices(ids: readonly number[]): Promise<{ id: number; items: HardwareItem[] }[]>
    /** The lines of these lists of software, each once, in the order of their characters. */
    programs(ids: readonly number[], page: ProgramPage): Promise<ListedProgram[]>
  }

  export interface ImageMethods {
    /** Both in the order of the ids. `system` is empty when it is not known. */
    list(): Promise<Image[]>
    uses(): Promise<Frozen<ImageUse[]>>
    /** The partitions that have an image, of one image or of all: by image, then in the order of the computers' ids. */
    copies(image?: number): Promise<ImageCopy[]>
    find(name: string): Promise<Image | undefined>
    findById(id: number): Promise<Image | undefined>
    /** The operating system of an image, '' when it is not known. */
    system(id: number): Promise<string>
    /** The new id, or undefined when the name is taken. */
    add(image: New<Image>): Promise<number | undefined>
    /** Whose an image is from now on; false for an unknown id. */
    setOwner(id: number, owner: ImageOwner): Promise<boolean>
    /** The deleted image, undefined for an unknown id. Partitions that named it name none afterwards. */
    delete(id: number): Promise<Image | undefined>
    /** Stores the partition's software. Updates the image and names it in the partition, unless its id is unknown. */
    recordCreate(ip: string, image: CreatedImage): Promise<boolean>
    /** The partition gets the image, its software and its operating system. An unknown image changes nothing. */
    recordRestore(ip: string, image: RestoredImage): Promise<boolean>
  }

  /** Procedures or tasks. */
  export interface StepLists<Row extends Procedure> {
    /** In the order of the ids. */
    list(): Promise<Row[]>
    find(id: number): Promise<Row | undefined>
    /** The new id. */
    add(row: New<Row>): Promise<number | StepConflict>
    update(row: Row): Promise<'updated' | 'unknown' | StepConflict>
    /** One that a procedure, a task or a schedule names is `in use`. */
    delete(id: number): Promise<'deleted' | 'unknown' | 'in use'>
  }

  export interface ScheduleMethods {
    list(): Promise<Schedule[]>
    /** The new id. */
    add(schedule: New<Schedule>): Promise<number>
    /** Adds the command and a schedule of type command whose `task` is the command's id. The new id of the schedule. */
    addScheduledCommand(command: New<ScheduledCommand>, schedule: Omit<New<Schedule>, 'task'>): Promise<number>
    findScheduledCommand(id: number): Promise<ScheduledCommand | undefined>
    /**
     * Adds a procedure, a task whose step it is, and a schedule of the task, which has their ids in `plan`: all or
     * none.
     */
    addPlannedRestore(restore: NewPlannedRestore): Promise<PlannedRestore | StepConflict>
    /** False for an unknown id. Deletes a scheduled command that no schedule names any more. */
    update(schedule: Schedule): Promise<boolean>
    /** Sets `since`; ignores an unknown id. */
    setSince(id: number, since: number): Promise<void>
    /**
     * False for an unknown id. Deletes a scheduled command that no schedule names any more, and the task and the
     * procedure
     * that its `plan` has, unless something else names them.
     */
    delete(id: number): Promise<boolean>
  }

  /** One accepted request, or one run of a task, procedure or schedule. It has one part per client and step. */
  export interface Job {
    id: number
    created: number
    origin: 'pack' | 'procedure' | 'request' | 'retry' | 'schedule' | 'task'
    name: string
    caller?: string
    by: string
    account?: string
    steps: { command: string; payload: Record<string, unknown> }[]
    conditions?: { when_idle?: true; until?: number; batch?: number; after_success?: number }
    where?: string
    schedule?: number
    retry_of?: number
  }

  /**
   * One client with one step of a job. `reason` is '' unless it failed, was skipped or cancelled; `expires` are the
   * seconds
   * that it may wait as the first part of its client's queue; with `output_dropped` its output is ''.
   */
  export interface Part {
    client: string
    step: number
    state: 'cancelled' | 'expired' | 'failure' | 'queued' | 'sent' | 'skipped' | 'success'
    reason: string
    queued: number
    sent: number
    ended: number
    expires: number
    output: string
    output_dropped?: true
  }

  /** A change under a condition. */
  export interface Change extends PartUpdate {
    /** It has no effect when the part is not in this state, or was sent by another host or another life of this one. */
    from?: 'queued' | 'sent'
    /** Of a claim. */
    limits?: ClaimLimits
  }

  export interface Changed {
    /** Those that took effect. */
    applied: Change[]
    /**
     * Claims beyond their limits; absent when there are none. Those that are tried again within seconds are first
     * served by the sequence of jobs and parts.
     */
    full?: Change[]
    /** The parts of those that are in an ended state now. */
    ended: EndedPart[]
    finished: FinishedJob[]
  }

  /** Whose queued parts are cancelled. */
  export type CancelTarget = { job: number; clients?: readonly string[] } | { clients: readonly string[] }

  /** Parts of one job that were ended together. */
  export interface EndedParts {
    job: Pick<Job, 'id' | 'name' | 'by' | 'steps' | 'caller'>
    parts: EndedPart[]
    /** When these were its last ones. */
    finished?: FinishedJob
  }

  /** How many parts of a job are in each state. */
  export type PartCounts = Record<PartState, number>

  /** Which parts of a job to read. */
  export interface PartPage {
    after?: number
    limit: number
    client?: string
    /** Only the parts of these clients. */
    clients?: readonly string[]
    /** Only those in this state. */
    state?: PartState
    outputs?: boolean
  }

  /** A part with its index in its job, from 0. */
  export type IndexedPart = Part & { index: number }

  /**
   * Computers of a job whose first part that did not succeed is in the same step and state, or that succeeded in all.
   * `reason`: of what was stopped, see `stopperOf`; '' of all others.
   */
  export interface ComputerCount extends Pick<Part, 'step' | 'state' | 'reason'> {
    count: number
  }

  /**
   * Unfinished parts in the order of their jobs and indexes: the first `limit` of those after `after`; default: all.
   */
  export interface UnfinishedPage {
    after?: { job: number; index: number } | undefined
    limit?: number
    /** Only those in this state. */
    state?: 'queued' | 'sent'
  }

  /** Of one job. */
  export interface UnfinishedParts {
    job: Job
    parts: IndexedPart[]
  }

  /** What waits in the queue of those jobs that one caller asked for. */
  export interface WaitingParts {
    /** That of the jobs, '' for those without one. */
    account: string
    /** Parts in state queued. */
    parts: number
    /** Jobs that have such parts. */
    jobs: number
    /** Characters of the steps of these jobs as JSON, about. */
    characters: number
  }

  /** A deleted center or room stays in the lists of tokens and users: see `Account`. */
  export interface Accounts<Row extends Account> {
    /** In the order of the ids. */
    list(): Promise<Row[]>
    /** The new id. */
    add(row: New<Row>): Promise<number | AccountConflict>
    /**
     * Values that are undefined change nothing. A center or room that the row names already need not exist any more.
     */
    update(id: number, change: Partial<New<Row>>): Promise<'updated' | 'unknown' | AccountConflict>
    /** The deleted one, or undefined for an unknown id. */
    delete(id: number): Promise<Row | undefined>
    /** Sets `used` of each one in one step; ignores unknown ids. */
    setUsed(uses: { id: number; used: number }[]): Promise<void>
  }

  /** Lists of the API whose records have no events of their own. */
  export type ChangedList = 'centers' | 'rooms' | 'repositories' | 'procedures' | 'tasks'

  /** The keys that `GET /events` adds for its readers. */
  export type ReaderKeys = 'id' | 'rooms' | 'clients_total'

  /** Exactly one of them says when a hook runs. */
  export type Unless<Other extends string> = { [Key in Other]?: undefined }

  export interface TestClient {
    readonly addr: string
    /** What the daemon has sent since the client connected, without the first refresh. */
    readonly requests: readonly { method: string; path: string; body: unknown }[]
    /** From now on each such request gets this reply; before, `200` without a body. A function is called for each. */
    replyTo(route: string, reply: object | ((body: unknown) => object), status?: number): void
    /** A person logs in or out. */
    login(user: string): Promise<void>
    logout(user: string): Promise<void>
    disconnect(): Promise<void>
    connect(): Promise<void>
  }

  export interface LabResponse {
    status: number
    /** The header X-Reason: why it was refused; '' otherwise. */
    reason: string
    headers: Record<string, string | string[] | undefined>
    text: string
    /** The parsed body; undefined when there is none. */
    // biome-ignore lint/suspicious/noExplicitAny: each test expects a shape of its own
    json: any
  }

  /**
   * A condition on one computer. Patterns are in lower case and are compared with the whole text, in which `*` stands
   * for any
   * text: `*` alone is met by every text but ''. A computer that has no such text or number does not meet the
   * condition.
   */
  export type Where =
    | { and: readonly Where[] }
    | { or: readonly Where[] }
    | { not: Where }
    | { text: SearchText; like: string }
    /** A line of the list of an installed system; see `versionOf` for what its version is. */
    | { program: string; version?: Comparison<string> }
    /** A device of this type, or of any type for ''. */
    | { device: string; like: string }
    | { number: SearchNumber; compare: Comparison<number> }
    | { maintenance: boolean }
    /** One of these addresses. */
    | { in: readonly string[] }

  /** A condition on texts, of which those that meet it can be listed. */
  export type TextCondition = Extract<Where, { text: SearchText } | { program: string } | { device: string }>

  /** A row of a computer's disks; partition 0 is the disk itself. `size` in KiB, `used_size` in percent. */
  export interface Partition {
    disk: number
    partition: number
    code: number
    size: number
    used_size: number
    filesystem: number
    os: number
    image: number
    software: number
    image_version?: number
    image_since?: number
  }

  /** What a computer has in a partition; names are empty when there is none, or when it is not known. */
  export interface PartitionContent {
    ip: string
    /** The operating system. */
    system: string
    filesystem: string
    /** The id of the image, 0: none. */
    image: number
  }

  export interface DiskReport {
    /**
     * All rows of the computer. `filesystem` and `os` are names, '' means none. Of rows for the same partition the last
     * one
     * is stored.
     */
    rows: (Omit<Partition, 'filesystem' | 'os' | 'image' | 'software'> & { filesystem: string; os: string })[]
    /** Stored only if the computer has none yet. */
    serial_number: string
  }

  /** A computer with what it has: lists that several computers share are named by their ids, 0 for none. */
  export interface SurveyedComputer {
    id: number
    ip: string
    room: number
    /** Its list of devices. */
    hardware: number
    /** Ordered by disk, then partition. */
    rows: SurveyedPartition[]
  }

  /** A list of software and the computers of one room that have it, by their ids: once for each partition. */
  export interface ListOwners {
    list: number
    room: number
    computers: number[]
  }

  export interface ProgramPage {
    /** A pattern as in `Where`. */
    like: string
    /** Lines after this one. */
    after?: string | undefined
    limit: number
  }

  /** A line of lists of software, and the ids of the lists that have it. */
  export interface ListedProgram {
    program: string
    lists: number[]
  }

  /** What an image has, and how many computers have a partition of it. */
  export interface ImageUse {
    id: number
    system: string
    computers: number
  }

  /** A partition that has an image; `version` and `since` are 0 when they are not known. */
  export interface ImageCopy {
    image: number
    version: number
    since: number
    ip: string
    disk: number
    partition: number
  }

  /** See `Image`: the room or the center; neither: all. */
  export type ImageOwner = Pick<Image, 'center_id' | 'room_id'>

  /** The agent's report about an image that it created from one of its partitions. */
  export interface CreatedImage extends Pick<Image, 'id' | 'datasize' | 'clonator' | 'compressor' | 'filesystem'> {
    disk: number
    partition: number
    software: Software
    /** The image's new version, and the time in epoch milliseconds; 0 when they are not known. */
    version: number
    at: number
  }

  /** An image that an agent has written to a partition; `version` and `at` as above. */
  export interface RestoredImage extends Pick<CreatedImage, 'id' | 'disk' | 'partition' | 'version' | 'at'> {}

  /** Why a procedure or task cannot be stored. `loop`: its steps would lead back to itself. */
  export type StepConflict = 'unknown center' | 'name taken' | 'unknown step' | 'loop'

  export interface NewPlannedRestore {
    procedure: New<Procedure>
    task: Omit<New<Task>, 'steps'>
    /** Absent for one that runs at once. */
    schedule?: Omit<New<Schedule>, 'type' | 'task' | 'plan'> | undefined
  }

  /** A change of one part; absent keys stay as they are. */
  export interface PartUpdate
    extends Partial<Pick<Part, 'state' | 'reason' | 'sent' | 'ended' | 'expires' | 'output'>> {
    job: number
    index: number
  }

  /** So many parts of all hosts may be sent at once; the claim is one of them. */
  export interface ClaimLimits {
    /** Parts whose payload names this repository. */
    repository?: { address: string; slots: number }
    /** Parts of the job. */
    batch?: number
  }

  export interface EndedPart extends Pick<IndexedPart, 'index' | 'client' | 'step' | 'state' | 'reason' | 'ended'> {
    job: number
  }

  /** A job that has no unfinished part any more: reported once, with the change of its last part. */
  export interface FinishedJob extends Pick<Job, 'name' | 'by'> {
    job: number
    counts: PartCounts
    clients: string[]
  }

  /** Why a token or user cannot be stored. */
  export type AccountConflict = 'name taken' | 'unknown center' | 'unknown room'

  /** A text of a computer, of its room or of what it has: a computer may have several, such as tags. */
  export type SearchText =
    | 'boot'
    | 'center'
    | 'center_id'
    | 'computer_id'
    | 'image'
    | 'ip'
    | 'mac'
    | 'name'
    | 'repository'
    | 'room'
    | 'room_id'
    | 'serial_number'
    | 'system'
    | 'tag'

  export interface Comparison<Value> {
    operator: '=' | '<' | '<=' | '>' | '>='
    value: Value
  }

  /** A number of a computer. */
  export type SearchNumber = 'disk' | 'memory' | 'used'

  /** `system` and `image` are names, '' for none; `software` is a list of programs. */
  export interface SurveyedPartition extends Pick<Partition, 'disk' | 'partition' | 'size' | 'software'> {
    system: string
    image: string
  }
}

declare module 'fleet-host/test' {
  export const startLab: import('fleet-host').StartLab
}
