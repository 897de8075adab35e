// The creations of images that run: keep the older file as a version, and take it back when the creation fails.
import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Log, message } from '../log/log.ts'
import { hasCode, isNotFound } from '../system/fs-errors.ts'
import type { Bin } from './bin.ts'
import type { Checks } from './checks.ts'
import { imageFile, imageNames, moveFiles, pathsOf, sumFile, versionName, versionsOf } from './file-names.ts'
import { olderVersions } from './image-folder.ts'
import { readJsonFile, writeJsonFile } from './json-file.ts'

export interface CreationsDeps {
  directory: string
  /** The file that names the running creations, for the start after a crash. */
  file: string
  /** With several hosts, whose folder may be the same. */
  shared?: {
    /** The file of this host from a time when it ran alone. */
    formerFile: string
    /** The files of the other hosts that run. */
    files(): string[]
  }
  /** Option `repository.keep_versions`. */
  keepVersions: number
  /** Whether agents write checksums: a creation without one is then a failure. */
  checksums: boolean
  log: Log
  bin: Bin
  checks: Checks
  /** Of all images. */
  recordNames(): Promise<string[]>
}

interface Creation {
  name: string
  addr: string
  /** The version that the older file is kept as; 0: there was none. */
  kept: number
  /** The agent has replied that it succeeded. */
  isComplete: boolean
  /** This program may only read the folder. */
  isReadOnly: boolean
}

const isBeingCreated = (name: string, addr: string) => `image ${name} is being created by ${addr}`

export class Creations {
  readonly #deps: CreationsDeps
  readonly #running = new Map<string, Creation>()

  constructor(deps: CreationsDeps) {
    this.#deps = deps
  }

  /** Takes back what was kept for creations that a crash of the daemon interrupted. */
  start(): void {
    const { directory, log, file, shared } = this.#deps
    const former = shared ? this.#read(shared.formerFile) : []
    const interrupted = [...this.#read(file), ...former]
    for (const creation of interrupted) {
      const kept = versionName(creation.name, creation.kept)
      // Interrupted before the older file was renamed: it is still the image's.
      if (creation.kept > 0 && !existsSync(join(directory, imageFile(kept)))) continue
      log.warn('images', `creation of ${creation.name}: interrupted by the end of the daemon`)
      try {
        this.#putAway(creation.name)
        this.#takeBack(creation)
      } catch (error) {
        log.error('images', `creation of ${creation.name}: older file not taken back`, error)
      }
    }
    if (interrupted.length > 0) this.#store()
    if (shared && former.length > 0) writeJsonFile(shared.formerFile, [])
  }

  /** To be called before an agent writes the file. Returns why it must not. */
  begin(addr: string, name: string): string | undefined {
    const creator = this.creatorOf(name)
    if (creator !== undefined) return isBeingCreated(name, creator)
    const creation = { name, addr, kept: this.#nextVersion(name), isComplete: false, isReadOnly: false }
    this.#running.set(name, creation)
    try {
      this.#store()
      // Another host may have begun at the same time: each that reads the other's file after it has written its own gives up.
      const other = this.#creatorElsewhere(name)
      if (other !== undefined) {
        this.#running.delete(name)
        this.#store()
        return isBeingCreated(name, other)
      }
      if (creation.kept > 0) this.#move(name, versionName(name, creation.kept))
      return undefined
    } catch (error) {
      creation.kept = 0
      // Where this program may only read, it keeps no versions.
      if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) {
        this.#deps.log.warn('images', `creation of ${name}: no version is kept: ${message(error)}`)
        creation.isReadOnly = true
        return undefined
      }
      this.#running.delete(name)
      return `image ${name}: the older file cannot be kept as a version: ${message(error)}`
    }
  }

  /** The address of the client that creates the image now. */
  creatorOf(name: string): string | undefined {
    return this.#running.get(name)?.addr ?? this.#creatorElsewhere(name)
  }

  /** To be called when the agent has replied that it succeeded. Why that cannot be: file or checksum are missing. */
  async verify(name: string): Promise<string | undefined> {
    const creation = this.#running.get(name)
    if (creation) creation.isComplete = true
    const files = this.#deps.checksums ? [imageFile(name), sumFile(name)] : [imageFile(name)]
    for (const file of files) {
      const size = await this.#sizeOf(file)
      if (size === 0) return `${file}: expected a file with content in the repository, got an empty one`
      if (size === undefined) return `${file}: expected a file in the repository, got none`
    }
    return undefined
  }

  /** The new version of an image that has been created; `before` is the number of the older one, 0 when not known. */
  versionAfter(name: string, before: number): number {
    const creation = this.#running.get(name)
    if (!creation || creation.kept === 0) return before + 1
    if (before > creation.kept) {
      // The numbers of files that were deleted are not used again.
      this.#move(versionName(name, creation.kept), versionName(name, before))
      creation.kept = before
    }
    return creation.kept + 1
  }

  /** To be called once for each successful `begin`. */
  end(name: string, result: 'success' | 'failure'): void {
    const creation = this.#running.get(name)
    if (!creation) return
    this.#running.delete(name)
    if (creation.isReadOnly) return
    const { log } = this.#deps
    try {
      if (result === 'failure') this.#reject(creation)
      else this.#deps.checks.forget(name)
      this.#store()
    } catch (error) {
      log.error('images', `creation of ${name}: older file not taken back`, error)
    }
    if (result === 'success') this.#trim(name).catch(error => log.error('images', `versions of ${name}`, error))
  }

  /** What an agent called complete goes to the bin, anything else is half an image. */
  #reject(creation: Creation): void {
    const { bin } = this.#deps
    if (creation.isComplete) bin.put(creation.name, 'creation failed')
    else bin.discard(creation.name)
    this.#takeBack(creation)
  }

  /** An agent writes the checksum last: with one, or where agents write none, the image may be complete. */
  #putAway(name: string): void {
    const { bin, checksums, directory } = this.#deps
    if (checksums && !existsSync(join(directory, sumFile(name)))) bin.putInterrupted(name)
    else bin.put(name, 'creation failed')
  }

  #takeBack({ name, kept }: Creation): void {
    if (kept > 0) this.#move(versionName(name, kept), name)
  }

  #move(from: string, to: string): void {
    const folder = this.#deps.directory
    moveFiles({ folder, name: from }, { folder, name: to })
    this.#deps.checks.rename(from, to)
  }

  /** The number that no file has; 0 when there is no file to keep. */
  #nextVersion(name: string): number {
    const { directory } = this.#deps
    if (!existsSync(join(directory, imageFile(name)))) return 0
    return 1 + Math.max(0, ...versionsOf(name, imageNames(readdirSync(directory))))
  }

  /** Deletes the oldest versions, of which there are too many. */
  async #trim(name: string): Promise<void> {
    const { directory, keepVersions, log, checks, recordNames } = this.#deps
    const versions = await olderVersions(directory, name, await recordNames())
    for (const old of versions.slice(keepVersions)) {
      await Promise.all(pathsOf(directory, old).map(path => rm(path, { force: true })))
      checks.forget(old)
      log.info('images', `${old}: deleted, ${keepVersions} older versions are kept`)
    }
  }

  /** Undefined: there is no such file. A folder that cannot be read is not judged. */
  async #sizeOf(file: string): Promise<number | undefined> {
    try {
      accessSync(this.#deps.directory, constants.R_OK | constants.X_OK)
      return (await stat(join(this.#deps.directory, file))).size
    } catch (error) {
      return isNotFound(error) ? undefined : Number.NaN
    }
  }

  /** The client of another host that creates the image now. */
  #creatorElsewhere(name: string): string | undefined {
    const others = (this.#deps.shared?.files() ?? []).flatMap(file => this.#read(file))
    return others.find(creation => creation.name === name)?.addr
  }

  #read(file: string): Creation[] {
    return readJsonFile<Creation[]>(file, [], Array.isArray, this.#deps.log)
  }

  #store(): void {
    writeJsonFile(this.#deps.file, [...this.#running.values()])
  }
}
