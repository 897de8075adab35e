// The cache of images: a partition with copies of them, where live systems of the family have them, too.
import { type FileHandle, mkdir, open, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { messageOf } from '../../../agent-program/agent-log.ts'
import type { ActionContext } from '../../../agent-program/agent-system.ts'
import { readCache } from '../disk-list.ts'
import { whileMounted } from './mounted.ts'
import type { ImageDescription } from './transfer-client.ts'

type ImageBytes = AsyncGenerator<Buffer>

/** Passes the bytes of an image on, and keeps them. */
export type Keep = (slices: ImageBytes) => ImageBytes

interface CachedRestore {
  /** Of the image. */
  name: string
  description: ImageDescription
  /** Restores these bytes, and rejects unless they are those of the image. */
  copy(slices: ImageBytes): Promise<void>
  /** Restores what the daemon sends. */
  load(keep?: Keep): Promise<void>
}

/** Restores from the cache when it has this version of the image, else puts the image there while it comes. */
export async function throughCache(restore: CachedRestore, context: ActionContext): Promise<void> {
  const { signal, onOutput } = context
  let [isMounted, isRestored] = [false, false]
  try {
    const device = await readCache(signal)
    if (device === undefined) throw new Error('this computer has none')
    if (restore.description.md5 === undefined) throw new Error('expected a checksum of the image, got none')
    await whileMounted(device, 'rw', signal, async root => {
      isMounted = true
      await restoreWith(new CachedImage(join(root, imageFolder), restore, onOutput), restore, context)
      isRestored = true
    })
  } catch (error) {
    signal.throwIfAborted()
    // What the cache does then is no fault of the restore.
    if (isRestored) return onOutput(`the cache could not be left: ${messageOf(error)}\n`)
    if (isMounted) throw error
    onOutput(`the image does not go into the cache: ${messageOf(error)}\n`)
    await restore.load()
  }
}

async function restoreWith(cached: CachedImage, { copy, load }: CachedRestore, { signal, onOutput }: ActionContext) {
  if (await cached.isCurrent()) {
    try {
      await copy(cached.read())
      return onOutput('the image came from the cache\n')
    } catch (error) {
      signal.throwIfAborted()
      onOutput(`the restore from the cache failed, the daemon sends the image: ${messageOf(error)}\n`)
    }
  }
  try {
    await load(slices => cached.keep(slices))
    await cached.publish()
  } finally {
    await cached.removeRest()
  }
}

/** On the partition. */
const imageFolder = 'opt/opengnsys/images'

class CachedImage {
  readonly #folder: string
  readonly #path: string
  readonly #rest: string
  readonly #description: ImageDescription
  readonly #onOutput: ActionContext['onOutput']
  #isKept = false

  constructor(folder: string, { name, description }: CachedRestore, onOutput: ActionContext['onOutput']) {
    this.#folder = folder
    this.#path = join(folder, `${name}.img`)
    this.#rest = `${this.#path}.part`
    this.#description = description
    this.#onOutput = onOutput
  }

  /** By its size and its checksum, as they were written. */
  async isCurrent(): Promise<boolean> {
    const { size, md5 } = this.#description
    const [stats, sum] = await Promise.all([
      stat(this.#path).catch(() => undefined),
      readFile(this.#sum, 'utf8').catch(() => ''),
    ])
    return stats?.size === size && sum.trim() === md5
  }

  /** The file is closed when the generator has ended: until then the cache cannot be unmounted. */
  async *read(): ImageBytes {
    const file = await open(this.#path)
    try {
      yield* file.createReadStream({ highWaterMark: 256 * 1024, autoClose: false })
    } finally {
      await file.close()
    }
  }

  /** Where they cannot be kept, as there is no room, the bytes are passed on only. May be called again. */
  async *keep(slices: ImageBytes): ImageBytes {
    this.#isKept = false
    let file = await this.#begin().catch(error => this.#giveUp(error))
    try {
      for await (const slice of slices) {
        try {
          await file?.appendFile(slice)
        } catch (error) {
          this.#giveUp(error)
          await file?.close().catch(() => {})
          file = undefined
        }
        yield slice
      }
      this.#isKept = file !== undefined
    } finally {
      await file?.close()
    }
  }

  /** To be called when the bytes were those of the image. */
  async publish(): Promise<void> {
    if (!this.#isKept) return
    try {
      await rename(this.#rest, this.#path)
      await writeFile(this.#sum, `${this.#description.md5}\n`)
      this.#onOutput('the image is in the cache now\n')
    } catch (error) {
      this.#giveUp(error)
    }
  }

  async removeRest(): Promise<void> {
    await rm(this.#rest, { force: true }).catch(error => this.#giveUp(error))
  }

  get #sum(): string {
    return `${this.#path}.full.sum`
  }

  async #begin(): Promise<FileHandle> {
    await mkdir(this.#folder, { recursive: true })
    // What it replaces would take its room.
    for (const path of [this.#sum, this.#path]) await rm(path, { force: true })
    const { bavail, bsize } = await statfs(this.#folder)
    const { size = 0 } = this.#description
    if (bavail * bsize >= size) return open(this.#rest, 'w')
    throw new Error(`it has ${bavail * bsize} bytes free, the image ${size}`)
  }

  #giveUp(error: unknown): undefined {
    this.#onOutput(`the image does not go into the cache: ${messageOf(error)}\n`)
  }
}
