// A disk in memory that remembers what was written and what was synced, and shows what may be left after a power cut.
import { dirname } from 'node:path'
import type { Chance } from '../virtual-world/chance.ts'

/** A file, or a folder, which has no bytes. */
export interface Inode {
  bytes: Buffer | undefined
}

interface Write {
  kind: 'write' | 'truncate'
  inode: Inode
  at: number
  bytes: Buffer
  /** A sync has failed meanwhile: the kernel forgets what it could not write, and later syncs say nothing about it. */
  isForgotten: boolean
}

/** Names that are given or, without an inode, removed together. */
interface Naming {
  kind: 'names'
  names: [path: string, inode: Inode | undefined][]
}

/** What the steps `from` to `upTo` wrote to it, of a folder the names in it, is on the disk when this step is reached. */
interface Sync {
  kind: 'sync'
  path: string
  inode: Inode
  from: number
  upTo: number
}

type Step = Write | Naming | Sync

/** By path; folders have no bytes. */
export type Files = ReadonlyMap<string, Buffer | undefined>

const empty = Buffer.alloc(0)

export class VirtualDisk {
  readonly steps: Step[] = []
  /** As programs see it, whatever was synced. */
  readonly names: Map<string, Inode>
  readonly #before: ReadonlyMap<string, Inode>
  readonly #bytesBefore: ReadonlyMap<Inode, Buffer>

  /** What it begins with is on the disk. */
  constructor(before: Files = new Map([['/', undefined]])) {
    this.names = new Map([...before].map(([path, bytes]) => [path, { bytes }]))
    this.#before = new Map(this.names)
    this.#bytesBefore = new Map([...this.names.values()].map(inode => [inode, inode.bytes ?? empty]))
  }

  get files(): Files {
    return new Map([...this.names].map(([path, { bytes }]) => [path, bytes]))
  }

  setNames(...names: Naming['names']): void {
    this.steps.push({ kind: 'names', names })
    setNames(this.names, names)
  }

  write(inode: Inode, at: number, bytes: Buffer): void {
    this.#change({ kind: 'write', inode, at, bytes: Buffer.from(bytes), isForgotten: false })
  }

  truncate(inode: Inode, at: number): void {
    this.#change({ kind: 'truncate', inode, at, bytes: empty, isForgotten: false })
  }

  /** Returns what is to be called when the sync has ended. */
  sync(path: string, inode: Inode, from = 0): () => void {
    const step: Sync = { kind: 'sync', path, inode, from, upTo: this.steps.length }
    return () => void this.steps.push(step)
  }

  failSync(inode: Inode): void {
    for (const step of this.steps) if (isWrite(step) && step.inode === inode) step.isForgotten = true
  }

  /** What may be left after a power cut that follows the first `count` steps. */
  cutPower(count: number, chance: Chance): Map<string, Buffer | undefined> {
    const steps = this.steps.slice(0, count)
    const isSynced = findSynced(steps)
    const arrives = chance.pick([() => true, () => false, () => chance.isTrue(0.5), () => chance.isTrue(0.5)])
    // Most file systems keep the sequence of changed names: after the first lost one all others are lost.
    const keepsSequence = chance.isTrue(0.5)
    let isLosing = false
    const names = new Map(this.#before)
    const contents = new Map(this.#bytesBefore)
    for (const [index, step] of steps.entries()) {
      if (isWrite(step)) {
        const before = contents.get(step.inode) ?? empty
        if (isSynced(step, index)) contents.set(step.inode, apply(step, before))
        else if (arrives()) contents.set(step.inode, applyPartly(step, before, chance))
      } else if (step.kind === 'names') {
        const isLost: boolean = !isSynced(step, index) && ((keepsSequence && isLosing) || !arrives())
        isLosing ||= isLost
        if (!isLost) setNames(names, step.names)
      }
    }
    const reachable = [...names].filter(([path]) => path === '/' || names.has(dirname(path)))
    return new Map(reachable.map(([path, inode]) => [path, inode.bytes && (contents.get(inode) ?? empty)]))
  }

  #change(step: Write): void {
    this.steps.push(step)
    step.inode.bytes = apply(step, step.inode.bytes ?? empty)
  }
}

const isWrite = (step: Step): step is Write => step.kind === 'write' || step.kind === 'truncate'

function setNames(all: Map<string, Inode>, names: Naming['names']): void {
  for (const [path, inode] of names) {
    if (inode) all.set(path, inode)
    else all.delete(path)
  }
}

/** Returns whether the step with that index is on the disk for sure. */
function findSynced(steps: readonly Step[]): (step: Write | Naming, index: number) => boolean {
  const syncs = steps.filter(step => step.kind === 'sync')
  const hasSync = (index: number, isOf: (sync: Sync) => boolean) =>
    syncs.some(sync => sync.from <= index && index < sync.upTo && isOf(sync))
  return (step, index) =>
    isWrite(step)
      ? !step.isForgotten && hasSync(index, ({ inode }) => inode === step.inode)
      : step.names.every(([path]) => hasSync(index, sync => sync.path === dirname(path)))
}

function apply({ kind, at, bytes }: Write, before: Buffer): Buffer {
  const after = Buffer.alloc(kind === 'truncate' ? at : Math.max(before.length, at + bytes.length))
  before.copy(after)
  bytes.copy(after, at)
  return after
}

/** Disks write so many bytes as a whole, and file systems show NULs in the place of multiples of it. */
const sectorBytes = 512

const sectorOf = (at: number) => at - (at % sectorBytes)

/** The beginning of what was written, or some of its sectors: where the others were not before, they are NULs. */
function applyPartly(step: Write, before: Buffer, chance: Chance): Buffer {
  const { kind, at, bytes } = step
  if (kind === 'truncate' || chance.isTrue(0.3)) return apply(step, before)
  if (chance.isTrue(0.5)) {
    const end = at + chance.between(0, bytes.length)
    const cut = end < before.length ? Math.max(at, sectorOf(end)) : end
    return apply({ ...step, bytes: bytes.subarray(0, cut - at) }, before)
  }
  const after = apply(step, before)
  const arrives = chance.pick([() => false, () => chance.isTrue(0.5)])
  for (let from = at, to: number; from < at + bytes.length; from = to) {
    to = Math.min(sectorOf(from) + sectorBytes, at + bytes.length)
    if (!arrives()) after.fill(0, from, to).set(before.subarray(from, to), from)
  }
  return after.subarray(0, chance.isTrue(0.5) ? after.length : chance.between(before.length, after.length))
}
