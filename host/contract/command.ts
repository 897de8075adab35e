// The contract of a command module: what a file in commands/ declares, types only.
import type { Frozen } from '../../stores/store.ts'
import type { FromSchema, WithDefaults } from './from-schema.ts'
import type { OldForwardKeys, OldKeys } from './old-keys.ts'
import type { PackContext } from './pack.ts'
import type {
  Access,
  Awaitable,
  Client,
  Outcome,
  Refusal,
  ReplyFailure,
  Request,
  Sending,
  Services,
  TextResponse,
} from './services.ts'

export type * from '../../stores/store.ts'
export type * from './hook.ts'
export type * from './pack.ts'
export type * from './services.ts'
export type * from './view.ts'

/** Of agents. */
export type AgentRoute = `GET /${string}` | `POST /${string}`

export type Route = AgentRoute | `DELETE /${string}`

/** The types of the constants that a command has as its schemas, by their names, and of its pack. */
interface CommandTypes {
  payload?: object
  reply?: object
  query?: object
  returns?: object
  pack?: object
}

type MemberOf<Types, Key> = Key extends keyof Types ? Types[Key] : undefined

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
  /** A payload that the command accepts; default: from the `examples` of its schema when all required keys have some. */
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
  /** No tool of `fleet mcp`: what it runs, repeats or replaces may end or overwrite something, although nobody is asked. */
  assistants?: false
  /**
   * Copies images: long, and heavy for the network. `write`: the agent writes the file of the image that the payload's
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
  /** Why clients are skipped, by address: asked before it is sent, and for `?dry_run=1`. What is not known is no reason. */
  preflight?(context: CheckContext<WithDefaults<P>, Of>): Awaitable<ReadonlyMap<string, string>>
  /** What the payload, here without clients, names that is gone, such as `image win11`: asked for schedules that run it. */
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
  /** A body that is no JSON object counts as none: for programs that expect that, or an answer of the command's own. */
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
  /** Seconds until the command fails when no reply came; default 900. The option `deadlines` overrides a number only. */
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
   * Refuses a reply that matches the schema but does not belong to the payload: an agent that was sent id 2 replies with
   * id 1. It is a failure of that client with the reason `reply not understood: …`, and `onReply` is not called.
   */
  checkReply?(context: CheckReplyContext<FromSchema<R>, Payload, Of>): Refusal | undefined
  /**
   * Stores a reply that has a body. Resolves to `false` when the address has no computer record and nothing was stored,
   * and to a failure when the reply says that the command failed on the client: what was stored stays.
   */
  onReply?(context: ReplyContext<FromSchema<R>, Payload, Of>): Awaitable<boolean | void | ReplyFailure>
}
