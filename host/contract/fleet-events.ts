// The events of the daemon: what each says, and who gets it, for bus, stream and console. docs/api.md says when they happen.
import type { change } from '../../commands/_schemas/inventory-history.ts'
import type { progress } from '../../commands/_schemas/jobs.ts'
import type { PartState } from '../../stores/store.ts'
import type { Hello } from './agents-services.ts'
import type { FromSchema } from './from-schema.ts'

/**
 * What readers of `GET /events` with limited rights get of an event: those of their clients, of lists the part that lies
 * within the limits, those of what they have made themselves, all, or none. Other readers get all of these.
 */
type Readers = 'of client' | 'of list' | 'maker' | 'everyone' | 'unlimited'

/** No reader gets it: it stays in the daemon, or among the hosts of a fleet. */
type Internal = 'daemon' | 'fleet'

/** `fields` is for the type only. */
interface Entry<Fields, For = Readers> {
  readers: For
  isRelayed: boolean
  fields?: Fields
}

const streamed = <Fields extends object>(readers: Readers, isRelayed = false): Entry<Fields> => ({ readers, isRelayed })
const relayed = <Fields extends object>(readers: Readers) => streamed<Fields>(readers, true)
const ofClient = <Fields extends object = object>() => streamed<{ addr: string } & Fields>('of client')
const internal = <Fields extends object = object>(readers: Internal): Entry<Fields, Internal> => ({
  readers,
  isRelayed: readers === 'fleet',
})

type OfGroup = { group: number; name: string }
type OfComputers = { computers: { ip: string; room: number }[] }
/** Lists of the API whose records have no events of their own. */
export type ChangedList = 'centers' | 'rooms' | 'repositories' | 'procedures' | 'tasks'
type OfImage = { image: number; name?: string }
/** `name`: absent of one that was changed without it. */
type OfAccount = { kind: 'token' | 'user'; account: number; name?: string }
/** `maker`: `by` of the schedule. */
type OfSchedule = { schedule: number; name?: string; maker?: string }
/** `step`: index in the job's steps. */
type CopyOfPart = FromSchema<typeof progress> & { job: number; step: number; addr: string; command: string }
/**
 * `counts`: the number of parts by final state, of those that this daemon has seen; absent for a reader who sees only
 * some of the computers.
 */
type JobFinished = { job: number; name: string; by: string; counts?: Record<string, number>; addrs: string[] }
type CommandEnded = { addr: string; command: string; result: 'success' | 'failure'; reason?: string; overdue?: true }

/** `inventory`: its kind. */
type InventoryChanged = Omit<FromSchema<typeof change>, 'time' | 'kind'> & {
  inventory: FromSchema<typeof change>['kind']
}

/** Their types in the order in which errors list them. */
export const fleetEvents = {
  'client-connected': ofClient(),
  /** `replaced`: it has connected to another host of the fleet. */
  'client-gone': ofClient<{ replaced?: true }>(),
  'client-replaced': ofClient(),
  'client-refused': ofClient<{ reason: string }>(),
  'client-pending': ofClient<{ name?: string }>(),
  'adoption-refused': ofClient<{ reason: string }>(),
  'mac-differs': ofClient<{ mac: string; recorded_mac: string }>(),
  /** What an inventory has that the one before had not, and the other way. */
  'inventory-changed': ofClient<InventoryChanged>(),
  'auth-failed': ofClient(),
  /** A refresh of the client has ended: the one after it connected, or a later one. */
  'client-ready': ofClient(),
  /** `state` as in `GET /clients`: BSY while a command runs. */
  'client-state': ofClient<{ state: string; status: string }>(),
  'session-login': ofClient<{ user?: string }>(),
  'session-logout': ofClient<{ user?: string }>(),
  /** Of who is logged in; a login is one of a session that is not locked. */
  'session-lock': ofClient<{ user?: string; locked: boolean }>(),
  /** `kind`: how the packet is sent, for other hosts of the fleet, which send it too. */
  'wake-sent': relayed<{ addr: string; kind?: string }>('of client'),
  'wake-answered': ofClient(),
  'wake-timed-out': ofClient(),
  /** Parts that ended before it was stored have their `job-part` events right after this one. */
  'job-created': streamed<{ job: number; name: string; origin: string; by: string; addrs: string[] }>('of list'),
  'job-part': ofClient<{ job: number; step: number; command: string; state: PartState; reason?: string }>(),
  'job-progress': relayed<CopyOfPart>('of client'),
  /** `text`: what its script has printed since the last one, of which the first `omitted` characters are left out. */
  'job-output': ofClient<{ job: number; step: number; text: string; omitted?: number }>(),
  'job-finished': streamed<JobFinished>('of list'),
  'computer-added': relayed<OfComputers>('of list'),
  /** `ip` and `room` are the new ones. */
  'computer-changed': relayed<{ addrs: string[]; ip?: string; room?: number }>('of list'),
  'computer-removed': relayed<OfComputers>('of list'),
  /** It says nothing of the record, as not every reader may see it. */
  'list-changed': relayed<{ list: ChangedList }>('everyone'),
  'image-added': relayed<OfImage>('everyone'),
  'image-changed': relayed<OfImage>('everyone'),
  'image-removed': relayed<OfImage>('everyone'),
  'group-added': relayed<OfGroup>('everyone'),
  'group-changed': relayed<OfGroup>('everyone'),
  'group-removed': relayed<OfGroup>('everyone'),
  'schedule-added': relayed<OfSchedule>('maker'),
  'schedule-changed': relayed<OfSchedule>('maker'),
  'schedule-removed': relayed<OfSchedule>('maker'),
  /** `change`: the id of what was taken back. `who` has done it, and `what` is the change in words, for the audit log of other hosts. */
  'change-undone': relayed<{ change: number; maker: string; who: string; what: string }>('maker'),
  /** The audit log has new records of refused requests: once for all in half a second. */
  'write-refused': streamed<object>('unlimited'),
  'account-added': streamed<OfAccount>('unlimited'),
  'account-changed': streamed<OfAccount>('unlimited'),
  'account-removed': streamed<OfAccount>('unlimited'),
  'host-joined': streamed<{ host: string }>('unlimited'),
  'host-gone': streamed<{ host: string }>('unlimited'),
  'module-loaded': streamed<{ file: string; command: string }>('unlimited'),
  'module-failed': streamed<{ file: string; reason: string }>('unlimited'),
  'module-removed': streamed<{ file: string }>('unlimited'),
  /** A pack has found something on a computer; `alert`: `pack/kind`. */
  'pack-alert': ofClient<{ alert: string; text: string }>(),
  /** Other modules are in service than before, once for all that change together: for readers of lists of commands or views. */
  'modules-changed': streamed<object>('everyone'),

  // Job parts and client states carry the same information as these two.
  'command-sent': internal<{ addr: string; command: string }>('daemon'),
  'command-ended': internal<CommandEnded>('daemon'),
  /** An agent has introduced its computer, or updates that: not every reader may see it. */
  'client-hello': internal<{ addr: string; hello: Hello }>('daemon'),
  /** Clients of other hosts of the fleet have got a record. */
  'clients-adopted': internal<{ addrs: string[] }>('fleet'),
  /** Values that boot files have, of a room or a repository: other hosts of the fleet write theirs. */
  'room-changed': internal<{ room: number }>('fleet'),
  'repository-changed': internal<{ repository: number }>('fleet'),
  /** Tokens or users: other hosts of the fleet read them again. */
  'accounts-changed': internal('fleet'),
  /** The hosts of a fleet end the parts of the job that they run: all, or those of these clients. `by`: the caller. */
  'job-stop': internal<{ job: number; by?: string; only?: readonly string[] }>('fleet'),
  /** The queued parts of the job, or those of these clients, are cancelled: hosts may have some that are stored as sent. */
  'job-cancel': internal<{ job: number; reason: string; only?: readonly string[] }>('fleet'),
  /** A hook is paused or not, or is to run, now or at `time` (milliseconds since 1970). */
  'hook-changed': internal<{ hook: string; change: 'paused' | 'due'; time?: number }>('fleet'),
  /** Settings, roles or what is enabled of packs: the same. */
  'packs-changed': internal('fleet'),
}

type Table = typeof fleetEvents
type FieldsOf<Entry> = Entry extends { fields?: infer Fields } ? NonNullable<Fields> : never
type Flat<Type> = { [Key in keyof Type]: Type[Key] }

export type FleetEvent = { [Type in keyof Table]: Flat<{ type: Type } & FieldsOf<Table[Type]>> }[keyof Table]

/** Keys that `clients` and `rooms` stand for in the stream, or that only the host needs; JSON leaves out undefined values. */
export const internalKeys = {
  addr: undefined,
  addrs: undefined,
  computers: undefined,
  ip: undefined,
  room: undefined,
  maker: undefined,
  who: undefined,
  what: undefined,
  kind: undefined,
}

/** What every event of the stream has. */
interface StreamKeys {
  id: number
  /** ISO time. */
  time: string
  clients: string[]
  /** Ids. */
  rooms: number[]
  /** How many clients there are, when `clients` has only the first ones. */
  clients_total?: number
  /** Where it happened, of a fleet of several hosts. */
  host?: string
}

/** An event of `GET /events`. */
export type StreamEvent = {
  [Type in keyof Table]: Table[Type] extends Entry<infer Fields>
    ? Flat<{ type: Type } & StreamKeys & Omit<Fields, keyof typeof internalKeys>>
    : never
}[keyof Table]

// `as`: TypeScript takes the keys of an object for any text.
const allTypes = Object.keys(fleetEvents) as FleetEvent['type'][]

/** The types that `GET /events` sends. */
export const streamedTypes = allTypes.filter(
  (type): type is StreamEvent['type'] =>
    fleetEvents[type].readers !== 'daemon' && fleetEvents[type].readers !== 'fleet',
)

/** The types that the hosts of a fleet send each other. */
export const publishedTypes = allTypes.filter(type => fleetEvents[type].readers !== 'daemon')

/** Of events of other hosts, what the departments of this one must know: these are relayed to its own bus. */
export const relayedTypes: ReadonlySet<string> = new Set(allTypes.filter(type => fleetEvents[type].isRelayed))
