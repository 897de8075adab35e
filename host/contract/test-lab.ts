// What `fleet-host/test` gives to the tests of modules. Types only.
import type { CollectionsOf } from './pack.ts'

export interface LabOptions<P = undefined> {
  /** The folder of the modules: of a pack, or any other; `import.meta.dirname`. */
  folder: string
  /** How many clients connect, each with a record in room 1; default 0. */
  clients?: number
  /** Of the pack; its `check` is asked. */
  settings?: P extends { settings: object } ? object : Readonly<Record<string, unknown>>
  /** The pack that `settings` and `collections` are of, where the folder has several files; default: by the folder's name. */
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

export type StartLab = <P = undefined>(options: LabOptions<P>) => Promise<TestLab<P>>
