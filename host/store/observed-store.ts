// Wraps the store: times every write, remembers failed ones for the health check, and emits events for changes.
import { RecordedTypes } from '../../stores/rules/recorded-events.ts'
import type { RecordedStore, Store } from '../../stores/store.ts'
import { message } from '../log/log.ts'
import type { Events } from '../system/events.ts'
import { registerFrozen } from '../system/frozen.ts'
import { type MethodName, storeEvents, typesOfWrite } from './store-events.ts'

export interface ObservedStore {
  store: Store
  /** Rejects when the store cannot be written. */
  probe(): Promise<void>
  /** Rejects when the engine does not answer, or when the last write failed and another one fails too. */
  ensureWritable(): Promise<void>
  /** Calls the listener with the types of events that are recorded from now on, after each change. */
  onRecord(listener: (types: readonly string[]) => void): void
}

/** By group. All other methods are writes. */
const readMethods: { [Group in keyof Store]?: readonly (keyof Store[Group])[] } = {
  rooms: ['find', 'list'],
  repositories: ['list'],
  groups: ['list'],
  computers: ['find', 'findMany', 'list', 'search', 'searchValues'],
  inventory: ['partitions', 'contents', 'sessions', 'hardware', 'software', 'survey', 'owners', 'devices', 'programs'],
  images: ['list', 'uses', 'copies', 'find', 'findById', 'system'],
  procedures: ['list', 'find'],
  tasks: ['list', 'find'],
  schedules: ['list', 'findScheduledCommand'],
  jobs: ['list', 'find', 'parts', 'unfinished', 'waiting', 'countComputers'],
  tokens: ['list'],
  users: ['list'],
  undo: ['list', 'names'],
  documents: ['find', 'list', 'sizes'],
  storedEvents: ['record', 'read', 'state'],
  backup: ['isEmpty', 'dump'],
}

const reads: ReadonlySet<string> = new Set([
  'scopes',
  'close',
  ...Object.entries(readMethods).flatMap(([group, methods]) => methods.map(method => `${group}.${String(method)}`)),
])

/** Reads whose results are `Frozen`. */
const frozenReads: ReadonlySet<string> = new Set<MethodName>(['scopes', 'computers.find', 'inventory.hardware'])

/** `observeWrite` gets the seconds that each successful write took. */
export function observeStore(store: Store, events: Events, observeWrite: (seconds: number) => void): ObservedStore {
  const check = createWriteCheck(store)
  const recorded = new RecordedTypes([])
  const recordListeners: ((types: readonly string[]) => void)[] = [
    types => recorded.set(types),
    types => store.storedEvents.record(types),
  ]

  const write = (method: string, call: () => unknown): Promise<unknown> =>
    checked(check, method, async () => {
      const began = performance.now()
      const result = await call()
      observeWrite((performance.now() - began) / 1000)
      return result
    })

  /** `root`: the store. `path` is '' for it and `group.` for a group of methods. */
  function observe<Target extends object>(target: Target, root: Omit<Store, 'close'>, path = ''): Target {
    const members = new Map<PropertyKey, unknown>()
    return new Proxy(target, {
      get(_, key) {
        if (!members.has(key)) members.set(key, observeMember(target, key, root, `${path}${String(key)}`))
        return members.get(key)
      },
    })
  }

  function observeMember(target: object, key: PropertyKey, root: Omit<Store, 'close'>, path: string): unknown {
    const member: unknown = Reflect.get(target, key)
    if (typeof member !== 'function') return member instanceof Object ? observe(member, root, `${path}.`) : member
    // An adapter may be made of classes, whose methods need their own `this`.
    if (frozenReads.has(path)) return async (...args: unknown[]) => registerFrozen(await member.apply(target, args))
    if (path === 'storedEvents.record') return (types: string[]) => callAll(recordListeners, types)
    if (path === 'undo.keep') return keep
    if (reads.has(path)) return member.bind(target)
    return async (...args: unknown[]) => {
      const result = await write(
        path,
        isRecorded(path) ? () => record(root, path, args) : () => member.apply(target, args),
      )
      for (const event of storeEvents(path, result, args)) events.emit(event)
      return result
    }
  }

  const isRecorded = (path: string) => typesOfWrite(path).some(type => recorded.has(type))

  /** The write, and its events in the same step. */
  const record = ({ storedEvents }: Pick<Store, 'storedEvents'>, path: string, args: unknown[]) =>
    storedEvents.recording(
      result => storeEvents(path, result, args),
      bound => callMethod(bound, path, args),
    )

  /** What `call` writes counts for itself; here it may fail before or after that. */
  const keep: Store['undo']['keep'] = (note, call) =>
    checked(check, 'undo.keep', () => store.undo.keep(note, bound => call(observe(bound, bound))))

  return {
    store: observe(store, store),
    probe: check.probe,
    ensureWritable: check.ensureWritable,
    onRecord: listener => void recordListeners.push(listener),
  }
}

/** Notes whether the write has succeeded. */
async function checked<Result>(
  check: ReturnType<typeof createWriteCheck>,
  method: string,
  call: () => Promise<Result>,
): Promise<Result> {
  try {
    const result = await call()
    check.succeeded(method)
    return result
  } catch (error) {
    check.failed(method, message(error))
    throw error
  }
}

const callAll = <Value>(listeners: readonly ((value: Value) => void)[], value: Value) => {
  for (const listener of listeners) listener(value)
}

/** `path`: `group.method`. */
function callMethod(store: RecordedStore, path: string, args: unknown[]): Promise<unknown> {
  const [group = '', method = ''] = path.split('.')
  const methods: object = Reflect.get(store, group)
  return Reflect.get(methods, method).apply(methods, args)
}

/** Finds out whether the store can be written, also when nothing else writes it. */
function createWriteCheck(store: Store) {
  let failure: { method: string; reason: string } | undefined
  let hasLastFailed = false
  let address: string | undefined

  async function findAddress(): Promise<string | undefined> {
    const isStored = address !== undefined && (await store.computers.find(address)) !== undefined
    if (!isStored) address = (await store.computers.list())[0]?.ip
    return address
  }

  /**
   * Stores a computer as it is, because an engine accepts a write that changes no record also when its disk is full. A
   * store without computers gets such a write all the same: it fails when the engine has stopped.
   */
  const tryWrite = shareCalls(async () => {
    try {
      const ip = await findAddress()
      await (ip === undefined ? store.schedules.setSince(0, 0) : store.computers.update([ip], {}))
      hasLastFailed = false
    } catch (error) {
      hasLastFailed = true
      throw error
    }
  })

  /** An engine on another machine may be gone before a write has failed. One in this process answers at no cost. */
  const askEngine = shareCalls(async () => void (await store.rooms.find(0)))

  const probe = shareCalls(async () => {
    const reported = failure
    // A small write may succeed where a larger one fails: each failure is reported at least once.
    if ((await findAddress()) !== undefined) failure = undefined
    await tryWrite()
    if (reported) throw new Error(`${reported.method} failed: ${reported.reason}`)
  })

  return {
    succeeded(method: string) {
      hasLastFailed = false
      if (failure?.method === method) failure = undefined
    },
    failed(method: string, reason: string) {
      hasLastFailed = true
      failure = { method, reason }
    },
    probe,
    async ensureWritable() {
      await (hasLastFailed ? tryWrite() : askEngine())
    },
  }
}

/** Concurrent calls share one promise. */
function shareCalls(call: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  return () => {
    running ??= call().finally(() => {
      running = undefined
    })
    return running
  }
}
