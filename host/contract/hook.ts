// What runs after events, at times, or decides before a command. Types only.
import type { StreamEvent } from './fleet-events.ts'
import type { PackContext } from './pack.ts'
import type { Awaitable, Refusal, Rights, Services } from './services.ts'

/** The keys that `GET /events` adds for its readers. */
type ReaderKeys = 'id' | 'rooms' | 'clients_total'

type Named<Event> = Event extends StreamEvent ? { [Key in keyof Event as Exclude<Key, ReaderKeys>]: Event[Key] } : never

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

interface HookBase {
  contract?: 3
  /** One line for people. */
  summary: string
  /** Of a file outside of packs, as those of a pack. */
  settings?: object
  collections?: Readonly<Record<string, object>>
  /** Of several hosts it runs on each, not on one of them. */
  each?: 'host'
}

/** Exactly one of them says when a hook runs. */
type Unless<Other extends string> = { [Key in Other]?: undefined }

interface OnHook<P, Type extends HookEventType> extends Unless<'every' | 'cron' | 'before'> {
  on: readonly Type[]
  run(context: RunContext<P> & { events: readonly HookEvent<Type>[] }): Awaitable<void>
}

interface EveryHook<P> extends Unless<'on' | 'cron' | 'before'> {
  /** `30 seconds`, `15 minutes`, `2 hours`, `1 day`; from 1 second on. */
  every: string
  run(context: RunContext<P>): Awaitable<void>
}

interface CronHook<P> extends Unless<'on' | 'every' | 'before'> {
  /** Minute, hour, day, month, day of the week, in the daemon's time zone; with six fields seconds come first. */
  cron: string
  run(context: RunContext<P>): Awaitable<void>
}

interface BeforeHook<P> extends Unless<'on' | 'every' | 'cron'> {
  /** Names of commands. */
  before: readonly string[]
  /** `allow`: a check that fails lets the command pass. Default: it refuses. */
  onError?: 'allow'
  /**
   * Asked when a request, task, schedule or retry begins, for `?dry_run=1`, and when a queued part is sent; at most 2 s.
   * Nothing: it may pass. A refusal: of all clients. A map: why these clients are skipped.
   */
  check(context: BeforeContext<P>): Awaitable<Refusal | ReadonlyMap<string, string> | undefined | void>
}

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
