// The contract of a command module: what a file in commands/ declares, types only.
import type { Masks, Step } from '../stores/store.ts'
import type { Client, InventoryReply, MasksChange, Outcome, Refusal, Request, Services } from './services.ts'

export type * from '../stores/store.ts'
export type * from './services.ts'

/**
 * The schema pieces that every module may name with `$ref`, and the type each stands for.
 * Their schemas are in host/modules/schema.ts.
 */
export interface SharedSchemas {
  /** At least one IPv4 address; repeated ones count once. */
  clients: string[]
  /** As `clients`, in reads: the first address is used. */
  client: string[]
  /** A dotted IPv4 address. */
  ipv4: string
  /** A string of decimal digits. */
  id: string
  /** An IPv4 netmask. */
  netmask: string
  /** An agent's word for its state: BSY, OPG, VDI, or one that begins with LINUX or WIN. */
  status: string
  /** What refresh and setup answer. */
  inventory: InventoryReply
  /** The steps of a procedure: commands, and other procedures. */
  steps: Step[]
  /** The steps of a task: procedures, and other tasks. */
  taskSteps: Step[]
  /** When a schedule fires: all eight fields. */
  when: Masks
  /** The same for a change of it, which may leave out `weeks` and `week_days`. */
  whenChanged: MasksChange
}

type Keys<S> = S extends { required: readonly (infer K)[] } ? K : never

/** The type of the values that a JSON Schema, written `as const`, lets through. */
export type FromSchema<S> = S extends { $ref: infer Name extends keyof SharedSchemas }
  ? SharedSchemas[Name]
  : S extends { enum: readonly (infer Value)[] }
    ? Value
    : S extends { type: readonly (infer Type)[] }
      ? Type extends string
        ? FromSchema<{ type: Type }>
        : never
      : S extends { type: 'string' }
        ? string
        : S extends { type: 'integer' | 'number' }
          ? number
          : S extends { type: 'boolean' }
            ? boolean
            : S extends { type: 'array'; items: infer Item }
              ? FromSchema<Item>[]
              : S extends { type: 'object'; properties: infer Of }
                ? { -readonly [K in keyof Of as K extends Keys<S> ? K : never]: FromSchema<Of[K]> } & {
                    -readonly [K in keyof Of as K extends Keys<S> ? never : K]?: FromSchema<Of[K]>
                  }
                : S extends undefined
                  ? undefined
                  : unknown

export type Route = `GET /${string}` | `POST /${string}`

type Awaitable<T> = T | Promise<T>

/** What a command module has as its default export. `P` and `R` are the types of its two schemas. */
export interface Command<P = undefined, R = undefined> {
  /** One line, for people. */
  summary: string
  /** A payload that the command takes. */
  example?: FromSchema<P>
  /** The method and the path prefix; one module owns a method of a path. */
  route: Route
  /** Further names of the command. */
  aliases?: readonly string[]
  /** Served without a token, by exact path; `open_metrics`: where that option of section `rest` is true. */
  open?: true | 'open_metrics'
  /** The token may also come as `?token=`, by exact path: for callers that cannot set a header. */
  queryToken?: true
  /** Serves what follows its path too, from a `/` on: `answer` finds it in `request.rest`. */
  rest?: true
  /** What `request.query` may hold, for the API reference; what agents are sent may always be queued. */
  query?: Record<string, QueryKey>
  /** JSON Schema of the caller's body. Without one a body is read and ignored. */
  payload?: P
  /** `required` by default where there is a schema; `optional`: an absent body is `{}`; `none`: a body is refused. */
  body?: 'required' | 'optional' | 'none'
  /** Once per accepted payload, before anything is sent: the payload to store and to send, or a refusal. */
  accept?(payload: FromSchema<P>, services: Services): Awaitable<FromSchema<P> | Refusal>
  /** What the caller gets: an object for 200 with JSON, a text, nothing for an empty 200, or a refusal. */
  answer?(
    payload: FromSchema<P>,
    services: Services,
    request: Request,
  ): Awaitable<object | Text | Refusal | undefined | void>
  /** The media type of a text that it answers, for the API reference. */
  answers?: string
  /** What the daemon itself does for one of `clients`. One that throws is a failure of that client only. */
  act?(ip: string, payload: FromSchema<P>, services: Services): Awaitable<Outcome>
  /** How the accepted payload goes to the agents of `clients`. */
  forward?: Forward<FromSchema<P>>
  /** JSON Schema of the agent's answer; one that breaks it is a failure. */
  reply?: R
  /** Stores an answer that has a body. `false`: its address has no computer record, nothing was stored. */
  settle?(reply: FromSchema<R>, client: Client<FromSchema<P>>, services: Services): Awaitable<boolean | void>
}

/** A key of the query, whose value is always text. */
export interface QueryKey {
  description: string
  example?: string
  required?: true
}

export interface Forward<Sent = unknown> {
  to: Route
  /** The forwarded object; by default the accepted payload less `clients`. An empty one is sent as no body. */
  body?: 'none' | ((sent: Sent) => object)
  /** Seconds until an agent that has not answered is given up; 900 by default. The option `deadlines` overrides it. */
  deadline?: number
  /** Goes also to a client that has a last command, and ends that. */
  whileBusy?: true
  /** `false`: the displayed state does not become BSY. */
  showsBusy?: false
  /** `false`: agents never answer it; a success when written. */
  expectsReply?: false
  /** A 202 with a body is the answer, not only a promise of one. */
  endsOn202?: true
  /** A success also when the agent closes its connection. */
  endsOnClose?: true
  /** Sent to each agent as soon as it has connected. */
  onConnect?: true
  /** Sent to an agent for which work waits; its answer, whatever it is, lets the work go out. */
  beforeQueue?: true
}

/** An answer that is no JSON: an object with just these keys. */
export interface Text {
  /** 200 by default. */
  status?: number
  /** The media type. */
  type: string
  body: string | AsyncIterable<string>
}
