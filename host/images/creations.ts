// The creations of images that run: keep the older file as a version, and take it back when the creation fails.
import { existsSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Options } from '../config/options.ts'
import { type Log, message } from '../log/log.ts'
import { hasCode, isNotFound } from '../system/file-system.ts'
import type { Bin } from './bin.ts'
import type { Checks } from './checks.ts'
import {
  daemonFile,
  imageFile,
  moveFiles,
  nextVersion,
  olderVersions,
  pathsOf,
  sumFile,
  versionName,
} from './image-folder.ts'
import { readList, writeList } from './json-file.ts'

export interface CreationsDeps {
  /** `checksums`: whether agents write them; a creation without one is then a failure. */
  options: Pick<Options['repository'], 'directory' | 'keep_versions' | 'checksums'>
  /** The names of this host and of all hosts of its fleet, whose folder may be the same; absent when it runs alone. */
  hosts?: { local: string; members(): string[] }
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
  readonly #directory: string
  readonly #running = new Map<string, Creation>()

  constructor(deps: CreationsDeps) {
    this.#deps = deps
    this.#directory = deps.options.directory
  }

  /** Takes back what was kept for creations that a crash of the daemon interrupted. */
  start(): void {
    const { log, hosts, options, bin } = this.#deps
    // Of a host of a fleet also those from a time when it ran alone.
    const files = new Set([this.#fileOf(hosts?.local), this.#fileOf()])
    for (const file of files) {
      const interrupted = readList<Creation>(file, log)
      for (const creation of interrupted) {
        const kept = versionName(creation.name, creation.kept)
        // Interrupted before the older file was renamed: it is still the image's.
        if (creation.kept > 0 && !this.#exists(imageFile(kept))) continue
        log.warn('images', `creation of ${creation.name}: interrupted by the end of the daemon`)
        try {
          // An agent writes the checksum last: with one, or where agents write none, the image may be complete.
          bin.putFailed(creation.name, options.checksums && !this.#exists(sumFile(creation.name)))
          this.#takeBack(creation)
        } catch (error) {
          log.error('images', `creation of ${creation.name}: older file not taken back`, error)
        }
      }
      if (interrupted.length > 0) writeList(file, [])
    }
  }

  /** To be called before an agent writes the file. Returns why it must not. */
  begin(addr: string, name: string): string | undefined {
    const creator = this.creatorOf(name)
    if (creator !== undefined) return isBeingCreated(name, creator)
    const kept = this.#exists(imageFile(name)) ? nextVersion(this.#directory, name) : 0
    const creation = { name, addr, kept, isComplete: false, isReadOnly: false }
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
      if (kept > 0) this.#move(name, versionName(name, kept))
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
    const { checksums } = this.#deps.options
    for (const file of checksums ? [imageFile(name), sumFile(name)] : [imageFile(name)]) {
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
    const { log, bin, checks } = this.#deps
    try {
      if (result === 'success') checks.forget(name)
      else {
        // What an agent called complete goes to the bin, anything else is half an image.
        if (creation.isComplete) bin.putFailed(name)
        else bin.discard(name)
        this.#takeBack(creation)
      }
      this.#store()
    } catch (error) {
      log.error('images', `creation of ${name}: older file not taken back`, error)
    }
    if (result === 'success') this.#trim(name).catch(error => log.error('images', `versions of ${name}`, error))
  }

  #takeBack({ name, kept }: Creation): void {
    if (kept > 0) this.#move(versionName(name, kept), name)
  }

  #move(from: string, to: string): void {
    moveFiles({ folder: this.#directory, name: from }, { folder: this.#directory, name: to })
    this.#deps.checks.rename(from, to)
  }

  /** Deletes the oldest versions, of which there are too many. */
  async #trim(name: string): Promise<void> {
    const { options, log, checks, recordNames } = this.#deps
    const versions = olderVersions(this.#directory, name, await recordNames())
    for (const old of versions.slice(options.keep_versions)) {
      await Promise.all(pathsOf(this.#directory, old).map(path => rm(path, { force: true })))
      checks.forget(old)
      log.info('images', `${old}: deleted, ${options.keep_versions} older versions are kept`)
    }
  }

  #exists(file: string): boolean {
    return existsSync(join(this.#directory, file))
  }

  /** Undefined: there is no such file. A file that cannot be read is not judged. */
  #sizeOf(file: string): Promise<number | undefined> {
    return stat(join(this.#directory, file)).then(
      ({ size }) => size,
      error => (isNotFound(error) ? undefined : Number.NaN),
    )
  }

  /** The client of another host that creates the image now. */
  #creatorElsewhere(name: string): string | undefined {
    const { hosts, log } = this.#deps
    const others = hosts?.members().filter(host => host !== hosts.local) ?? []
    const creations = others.flatMap(host => readList<Creation>(this.#fileOf(host), log))
    return creations.find(creation => creation.name === name)?.addr
  }

  /** Names the creations that run on a host, for the start after a crash; each host of a fleet writes one of its own. */
  #fileOf(host?: string): string {
    return daemonFile(this.#directory, host === undefined ? 'creations.json' : `creations-${host}.json`)
  }

  #store(): void {
    writeList(this.#fileOf(this.#deps.hosts?.local), [...this.#running.values()])
  }
}
