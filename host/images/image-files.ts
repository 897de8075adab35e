// The service for the files of images in the repository's folder: creations, versions, checks and the bin.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Image, Store } from '../../stores/store.ts'
import type { Options } from '../config/options.ts'
import { refuse } from '../contract/refusal.ts'
import type { ImageFilesService, Refusal, RepositoryService } from '../contract/services.ts'
import type { Log } from '../log/log.ts'
import type { Clock } from '../system/clock.ts'
import type { Events } from '../system/events.ts'
import { SharedRead } from '../system/shared-read.ts'
import { Bin } from './bin.ts'
import { Checks } from './checks.ts'
import { Creations } from './creations.ts'
import { imageNames, parseVersion, versionName, versionsOf } from './file-names.ts'
import { describeFiles, olderVersions, readFolder } from './image-folder.ts'
import { statsOf } from './repository.ts'

export interface ImageFilesDeps {
  options: Options['repository']
  /** A repository of another address is not in this folder. */
  repository: Pick<RepositoryService, 'address'>
  store: Pick<Store, 'images'>
  events: Events
  log: Log
  clock: Clock
  /** The names of this host and of all hosts of its fleet; absent when it runs alone. */
  hosts?: { own: string; members(): string[] }
}

export interface ImageFiles extends ImageFilesService {
  close(): Promise<void>
}

/** The folder of the daemon's own files, in that of the images. */
const ownFolder = '.fleet-host'

/** Completes what a crash has interrupted, and begins to empty the bin of what is too old. */
export function createImageFiles(deps: ImageFilesDeps): ImageFiles {
  const { options, repository, store, clock, log, hosts } = deps
  const { directory } = options
  const own = (name: string) => join(directory, ownFolder, name)
  const checks = new Checks({ directory, file: own('checks.json'), log, onEnd: name => void reportCheck(deps, name) })
  const bin = new Bin({ directory, folder: own('bin'), days: options.keep_days, log, clock })
  const { keep_versions: keepVersions, checksums } = options
  const files = creationFiles(own, hosts)
  const recordNames = async () => (await store.images.list()).map(image => image.name)
  const folder = new SharedRead(() => readFolder(directory))
  const creations = new Creations({ directory, ...files, keepVersions, checksums, log, bin, checks, recordNames })
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
      return { version: (image && versionIn(image, name)) ?? 0, at: clock.now() }
    },
    find: name => findByFile(name, store),

    async read(names) {
      return names.length === 0 ? new Map() : describeFiles(await folder.get(), names, checks)
    },
    ...createChanges(deps, { checks, bin, creations, recordNames }),
  }
}

/** Each host of a fleet writes a file of its own and reads those of the others. */
function creationFiles(own: (name: string) => string, hosts: ImageFilesDeps['hosts']) {
  const formerFile = own('creations.json')
  if (!hosts) return { file: formerFile }
  const fileOf = (host: string) => own(`creations-${host}.json`)
  const others = () => hosts.members().filter(host => host !== hosts.own)
  return { file: fileOf(hosts.own), shared: { formerFile, files: () => others().map(fileOf) } }
}

interface FileKeepers {
  checks: Checks
  bin: Bin
  creations: Creations
  recordNames(): Promise<string[]>
}

type Changes = Pick<ImageFilesService, 'check' | 'delete' | 'bin' | 'undelete' | 'purge'>

/** What callers ask for. */
function createChanges(
  { options, store }: ImageFilesDeps,
  { checks, bin, creations, recordNames }: FileKeepers,
): Changes {
  const { directory } = options
  const hasFile = async (name: string) => (await statsOf(directory, name)) !== undefined
  const noEntry = (id: number) => refuse(`entry: there is no entry ${id} in the bin`)

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
      const versions = version === undefined ? await olderVersions(directory, image.name, records) : []
      for (const each of versions) moveToBin(each, null)
      if (await hasFile(name)) moveToBin(name, version === undefined ? image : null)
    },
    bin: () => bin.list(),
    async undelete(id) {
      const entry = await bin.find(id)
      if (!entry) return noEntry(id)
      const { image } = entry
      // The agent would overwrite the file, or does so with its version when it has ended.
      const refusal = whyBeingCreated(creations, (image ? undefined : parseVersion(entry.name)?.image) ?? entry.name)
      if (refusal) return refusal
      const name = await freeName(directory, entry.name, image === null)
      if (name === undefined) return refuse(`entry: image ${entry.name} exists`)
      if (!image) {
        await bin.takeOut(id, entry.name, name)
        return { name }
      }
      // The list of its software may be gone, and so may its repository.
      const added = await store.images.add({ ...image, software_id: 0, repo_id: 1 })
      if (added === undefined) return refuse(`entry: image ${entry.name} exists`)
      await bin.takeOut(id, entry.name, name)
      return { name, image: added }
    },
    async purge(id) {
      if (!(await bin.find(id))) return noEntry(id)
      await bin.purge(id)
    },
  }

  function moveToBin(name: string, image: Image | null): void {
    bin.put(name, 'deleted', image)
    checks.forget(name)
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

/** The version of an image that has this file name; undefined when it is not known. */
function versionIn(image: Image, name: string): number | undefined {
  if (image.name === name) return image.version
  const parsed = parseVersion(name)
  return parsed?.image === image.name ? parsed.version : undefined
}

/** The name of the image that a payload creates in this server's folder. */
function localName(payload: unknown, address: string): string | undefined {
  if (!(payload instanceof Object && 'name' in payload && 'repository' in payload)) return undefined
  return payload.repository === address && typeof payload.name === 'string' ? payload.name : undefined
}

/** Files without a record come back as a version where the image has a file. */
async function freeName(directory: string, name: string, asVersion: boolean): Promise<string | undefined> {
  if ((await statsOf(directory, name)) === undefined) return name
  if (!asVersion) return undefined
  const image = parseVersion(name)?.image ?? name
  return versionName(image, 1 + Math.max(0, ...versionsOf(image, imageNames(await readdir(directory)))))
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
