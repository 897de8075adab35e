// Parts of which only so many run at once: copies of one repository's images, and parts of a job with a batch.
//
// A place is a part that is being sent, or has been sent and has not ended, never a counter: whoever asks counts those.

import type { ClaimLimits } from '../../../stores/store.ts'
import type { ClientQueue } from './client-queue.ts'
import type { QueueDeps } from './queue-deps.ts'
import { nameOf, type QueuedName, type QueuedPart } from './queued-parts.ts'

interface Group {
  limit(): number
  /** Those that were started, by their names; some may have ended. Without a queue: sent without having waited. */
  started: Map<string, { queue: ClientQueue | undefined; part: QueuedPart }>
  /** Those whose `waitingPart` could be sent now. */
  waiting: Set<ClientQueue>
  /** With several hosts: the other ones have the rest. */
  isFull: boolean
}

/** Why a part waits; `place`: from 1, among those that wait for the same; `limit`: how many of these run at once. */
export interface Wait {
  for: 'logout' | 'slot' | 'batch'
  part: QueuedPart
  place?: number
  limit?: number
}

/** Milliseconds until a claim that the store has refused is tried again. */
const retryMilliseconds = 1000

export class StartGroups {
  readonly #deps: QueueDeps
  /** Asks again for the first part of a client. */
  readonly #advance: (addr: string) => void
  readonly #groups = new Map<string, Group>()
  #retry: (() => void) | undefined

  constructor(deps: QueueDeps, advance: (addr: string) => void) {
    this.#deps = deps
    this.#advance = advance
    deps.running.onEnded((job, index) => this.#onEnded({ job, index }))
    deps.slots?.onChange(() => this.offer())
  }

  /** A part that was sent without having waited. */
  noteSent(part: QueuedPart): void {
    for (const { started } of this.#groupsOf(part)) started.set(nameOf(part), { queue: undefined, part })
  }

  /** False: the queue waits in the groups of its first part. */
  take(queue: ClientQueue, part: QueuedPart): boolean {
    const groups = this.#groupsOf(part)
    const isFree = groups.every(group => this.#countFree(group) > 0)
    for (const { started, waiting } of groups) {
      if (isFree) started.set(nameOf(part), { queue, part })
      else waiting.add(queue)
    }
    return isFree
  }

  /** The part that was held does not wait any more. */
  leave(queue: ClientQueue, part: QueuedPart): void {
    for (const key of keysOf(part)) this.#groups.get(key)?.waiting.delete(queue)
  }

  /** Asks the waiting parts again, the first ones first, while some may start. */
  offer(): void {
    for (const [key, group] of this.#groups) {
      if (group.waiting.size === 0 && group.started.size === 0) this.#groups.delete(key)
      if (group.waiting.size === 0) continue
      for (const queue of inOrder(group.waiting)) {
        if (this.#countFree(group) <= 0) break
        if (group.waiting.has(queue)) this.#advance(queue.addr)
      }
    }
  }

  /** The part was not sent after all: another one may start in its place. */
  release(part: QueuedPart): void {
    for (const key of keysOf(part)) this.#groups.get(key)?.started.delete(nameOf(part))
    this.offer()
  }

  /** Of a job; those who wait for a slot have the place that they have among all jobs. */
  waitsOf(job: number): Wait[] {
    const waits = new Map<number, Wait>()
    for (const [key, { waiting, limit }] of this.#groups) {
      const reason = key.startsWith(slotPrefix) ? 'slot' : 'batch'
      for (const [at, { waitingPart: part }] of inOrder(waiting).entries()) {
        if (part?.job !== job || (reason === 'batch' && waits.has(part.index))) continue
        waits.set(part.index, { for: reason, part, place: at + 1, limit: limit() })
      }
    }
    return [...waits.values()]
  }

  /** With several hosts: on how many parts of the fleet the claim of this one depends. */
  limitsOf({ rules }: QueuedPart): ClaimLimits | undefined {
    const { repository: address, batch } = rules ?? {}
    const slots = address === undefined ? 0 : (this.#deps.slots?.of(address) ?? 0)
    if (slots === 0 && batch === undefined) return undefined
    return {
      ...(address !== undefined && slots > 0 && { repository: { address, slots } }),
      ...(batch !== undefined && { batch }),
    }
  }

  /** With several hosts: the store has refused the claim. It is tried again when another part has ended, or soon. */
  onFull(part: QueuedPart): void {
    for (const group of this.#groupsOf(part)) group.isFull = true
    this.#retry ??= this.#deps.clock.after(retryMilliseconds, () => {
      this.#retry = undefined
      this.#askStore(() => true)
    })
  }

  /** With several hosts: a part of this job with this command has ended on another one. */
  onForeignEnd(job: number, command: string): void {
    if (this.#groups.size === 0) return
    const isCopy = this.#deps.findCommand(command)?.command.imaging !== undefined
    this.#askStore(key => key === `job ${job}` || (isCopy && key.startsWith(slotPrefix)))
  }

  close(): void {
    this.#retry?.()
    this.#groups.clear()
  }

  #askStore(isMeant: (key: string) => boolean): void {
    const full = [...this.#groups].filter(([key, { isFull }]) => isFull && isMeant(key))
    for (const [, group] of full) group.isFull = false
    if (full.length > 0) this.offer()
  }

  #onEnded(part: QueuedName): void {
    if (this.#groups.size === 0) return
    const name = nameOf(part)
    for (const group of this.#groups.values()) if (group.started.delete(name)) group.isFull = false
    this.offer()
  }

  #groupsOf(part: QueuedPart): Group[] {
    return keysOf(part).map(key => this.#groups.get(key) ?? this.#addGroup(key, part))
  }

  #addGroup(key: string, { rules }: QueuedPart): Group {
    const { slots } = this.#deps
    const { batch, repository = '' } = rules ?? {}
    const limit = key.startsWith(slotPrefix)
      ? () => slots?.of(repository) || Number.POSITIVE_INFINITY
      : () => batch ?? Number.POSITIVE_INFINITY
    const group: Group = { limit, started: new Map(), waiting: new Set(), isFull: false }
    this.#groups.set(key, group)
    return group
  }

  #countFree({ started, limit, isFull }: Group): number {
    if (isFull) return 0
    const { running } = this.#deps
    const most = limit()
    // With any number nobody waits, and there may be thousands.
    if (most === Number.POSITIVE_INFINITY) return most
    for (const [name, { queue, part }] of started) {
      if (queue?.sending !== part && !running.has(part.job, part.index)) started.delete(name)
    }
    return most - started.size
  }
}

const slotPrefix = 'repository '

function keysOf({ rules }: QueuedPart): string[] {
  const keys: string[] = []
  if (rules?.repository !== undefined) keys.push(`${slotPrefix}${rules.repository}`)
  if (rules?.batch !== undefined) keys.push(`job ${rules.job}`)
  return keys
}

/** First come, first served: by job, then by the sequence of its parts. */
const inOrder = (waiting: ReadonlySet<ClientQueue>) =>
  [...waiting].sort(({ waitingPart: a }, { waitingPart: b }) => (a && b ? a.job - b.job || a.index - b.index : 0))
