// The service for the files of images in the repository's folder: creations, versions, checks and the bin.
import type { Stats } from 'node:fs'
import type { Entry, Image, Store, UndoItem, Undone } from '../../stores/store.ts'
import type { Options } from '../config/options.ts'
import { refuse } from '../contract/refusal.ts'
import type { ImageFilesService, ImageVersion, Refusal } from '../contract/services.ts'
import type { Log } from '../log/log.ts'
import { CoalescedRead } from '../system/coalesced-read.ts'
import type { Events } from '../system/events.ts'
import { Bin } from './bin.ts'
import { Checks } from './checks.ts'
import { Creations, type CreationsDeps } from './creations.ts'
import {
  describe,
  localName,
  nextVersion,
  olderVersions,
  parseVersion,
  readFolder,
  statsOf,
  versionName,
} from './image-folder.ts'
import { localRepositories, type RecordDeps, restoreRecord } from './restore-record.ts'

export interface ImageFilesDeps extends Pick<CreationsDeps, 'hosts'>, RecordDeps {
  options: Options['repository']
  events: Events
  log: Log
}

export interface ImageFiles extends ImageFilesService {
  /** Stores the record of a deleted image again, with all files that were deleted with it. */
  undeleteImage(item: Pick<UndoItem, 'id' | 'record' | 'name'>): Promise<Undone | Refusal>
  close(): Promise<void>
}

/** Completes what a crash has interrupted, and begins to empty the bin of what is too old. */
export function createImageFiles(deps: ImageFilesDeps): ImageFiles {
  const { options, repository, store, clock, log } = deps
  const { directory } = options
  const checks = new Checks({ directory, log, onEnd: name => void reportCheck(deps, name) })
  const bin = new Bin(deps)
  const recordNames = async () => (await store.images.list()).map(image => image.name)
  const folder = new CoalescedRead(() => readFolder(directory))
  const creations = new Creations({ ...deps, bin, checks, recordNames })
  creations.start()
  bin.start()

  return {
    async close() {
      bin.close()
      await checks.close()
    },

    beginCreation(addr, payload) {
      const name = localName(payload, repository.address)
      return name === undefined ? undefined : creations.begin(addr, name)
    },
    endCreation(payload, result) {
      const name = localName(payload, repository.address)
      if (name !== undefined) creations.end(name, result)
    },
    async created({ id, name, repository: address }) {
      const before = (await store.images.findById(id))?.version ?? 0
      if (address !== repository.address) return { version: before + 1, at: clock.now() }
      const reason = await creations.verify(name)
      if (reason !== undefined) return { result: 'failure', reason }
      return { version: creations.versionAfter(name, before), at: clock.now() }
    },
    async restored({ id, name }) {
      const image = await store.images.findById(id)
      const parsed = parseVersion(name)
      const ofVersion = parsed?.image === image?.name ? parsed?.version : undefined
      return { version: (image?.name === name ? image.version : ofVersion) ?? 0, at: clock.now() }
    },
    find: name => findByFile(name, store),

    async read(names) {
      return names.length === 0 ? new Map() : describeFiles(await folder.get(), names, checks)
    },
    ...createChanges(deps, { checks, bin, creations, recordNames }),
  }
}

interface Keepers {
  checks: Checks
  bin: Bin
  creations: Creations
  recordNames(): Promise<string[]>
}

type Changes = Pick<ImageFiles, 'check' | 'delete' | 'bin' | 'undelete' | 'undeleteImage' | 'purge'>

/** What callers ask for. */
function createChanges(deps: ImageFilesDeps, { checks, bin, creations, recordNames }: Keepers): Changes {
  const { directory } = deps.options
  const hasFile = async (name: string) => (await statsOf(directory, name)) !== undefined
  const noEntry = (id: number) => refuse(`entry: there is no entry ${id} in the bin`)
  const moveToBin = (name: string, values: { image?: Image; of?: number }) => {
    bin.put(name, { reason: 'deleted', ...values })
    checks.forget(name)
  }

  return {
    async check(image, version) {
      const name = nameOf(image, version)
      if (!(await hasFile(name))) return refuse(`image: there is no file ${name}.img on this server`)
      const refusal = whyBeingCreated(creations, image.name)
      if (refusal) return refusal
      checks.add(name)
    },
    async delete(image, version) {
      const refusal = whyBeingCreated(creations, image.name)
      if (refusal) return refusal
      const name = nameOf(image, version)
      const records = await recordNames()
      if (version !== undefined && (records.includes(name) || !(await hasFile(name))))
        return refuse(`version: there is no file ${name}.img`)
      const versions = version === undefined ? olderVersions(directory, image.name, records) : []
      for (const each of versions) moveToBin(each, { of: image.id })
      if (await hasFile(name)) moveToBin(name, version === undefined ? { image } : {})
    },
    bin: () => bin.list(),
    async undelete(id) {
      const entry = await bin.find(id)
      if (!entry) return noEntry(id)
      const { image, name } = entry
      const former = image ? name : (parseVersion(name)?.image ?? name)
      // The agent would overwrite the file, or does so with its version when it has ended.
      const refusal = whyBeingCreated(creations, former)
      if (refusal) return refusal
      const isTaken = await hasFile(name)
      const added = image && !isTaken ? await restoreRecord(image, deps) : undefined
      if (image && added === undefined) return refuse(`entry: image ${name} exists`)
      // Files without a record come back as a version where the image has a file.
      const free = isTaken ? versionName(former, nextVersion(directory, former)) : name
      await bin.takeOut(id, name, free)
      return { name: free, ...(added !== undefined && { image: added }) }
    },
    async undeleteImage({ id, record, name }) {
      const refusal = whyBeingCreated(creations, name)
      if (refusal) return refusal
      const entries = await bin.entriesOf(record)
      const [isBinned, isThere] = [entries.some(entry => entry.name === name), await hasFile(name)]
      if (isBinned && isThere) return refuse(`image ${name}: another file has this name now`)
      const local = isBinned || isThere ? [] : await localRepositories(deps)
      const isLost = ([, row]: Entry) => row instanceof Object && 'datasize' in row && local.includes(row.repo_id)
      const text = `image ${name}: its file is not in the bin of images any more`
      const lost = { text, cause: { code: 'undo-file-gone', name } }
      const check = (restored: Entry[]) => (restored.some(isLost) ? lost : undefined)
      const undone = await deps.store.undo.apply(id, deps.clock.now(), { check })
      if (!undone) return refuse(`id: there is no change ${id} to undo`)
      if ('text' in undone) return refuse(undone.text, 400, undone.cause)
      for (const entry of entries) if (!(await hasFile(entry.name))) await bin.takeOut(entry.id, entry.name, entry.name)
      return undone
    },
    async purge(id) {
      if (!(await bin.find(id))) return noEntry(id)
      await bin.purge(id)
    },
  }
}

/** The image that has the name, or a version of this name. */
const findByFile = async (name: string, { images }: Pick<Store, 'images'>): Promise<Image | undefined> =>
  (await images.find(name)) ?? images.find(parseVersion(name)?.image ?? name)

function whyBeingCreated(creations: Creations, name: string): Refusal | undefined {
  const creator = creations.creatorOf(name)
  return creator === undefined ? undefined : refuse(`image: ${name} is being created by ${creator}`)
}

const nameOf = ({ name }: Image, version: number | undefined) =>
  version === undefined ? name : versionName(name, version)

/** The files of these images, with those of their older versions, the newest first. */
function describeFiles(files: ReadonlyMap<string, Stats>, names: readonly string[], checks: Checks) {
  const describeFile = (name: string, stats: Stats) => ({
    ...describe(stats),
    check: checks.stateOf(name, { size: stats.size, modified: stats.mtimeMs }),
  })
  const images = new Map(
    names.flatMap(name => {
      const stats = files.get(name)
      const versions: ImageVersion[] = []
      return stats ? [[name, { ...describeFile(name, stats), versions }] as const] : []
    }),
  )
  const isRecord = new Set(names)
  for (const [name, stats] of files) {
    const parsed = isRecord.has(name) ? undefined : parseVersion(name)
    if (!parsed) continue
    images.get(parsed.image)?.versions.push({ name, version: parsed.version, ...describeFile(name, stats) })
  }
  for (const { versions } of images.values()) versions.sort((one, other) => other.version - one.version)
  return images
}

/** Readers of events get the new state from the list of images. */
async function reportCheck({ store, events, log }: ImageFilesDeps, name: string): Promise<void> {
  try {
    const image = await findByFile(name, store)
    if (image) events.emit({ type: 'image-changed', image: image.id, name: image.name })
  } catch (error) {
    log.error('images', `check of ${name} not reported`, error)
  }
}
