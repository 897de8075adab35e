// Watches directories without listing them: one kernel watch each, however many files a directory has.
import { type FSWatcher, watch } from 'node:fs'
import { join } from 'node:path'
import { isNotFound } from '../system/fs-errors.ts'

export interface DirectoryWatchesDeps {
  /** Called for every change of a file in a directory. */
  changed(file: string): void
  failed(error: unknown): void
}

export class DirectoryWatches {
  readonly #directories: () => Iterable<string>
  readonly #deps: DirectoryWatchesDeps
  #watchers: FSWatcher[] = []

  /** Those of `directories` that exist are watched. */
  constructor(directories: () => Iterable<string>, deps: DirectoryWatchesDeps) {
    this.#directories = directories
    this.#deps = deps
  }

  /** To be called from time to time, before a scan: the path of a directory may lead to another one by then. */
  renew(): void {
    this.close()
    for (const directory of this.#directories()) this.#watch(directory)
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close()
    this.#watchers = []
  }

  #watch(directory: string): void {
    const { changed, failed } = this.#deps
    try {
      this.#watchers.push(watch(directory, (_, name) => changed(join(directory, name ?? ''))).on('error', failed))
    } catch (error) {
      if (!isNotFound(error, ['ENOTDIR'])) failed(error)
    }
  }
}
