// Takes the file of an image from a computer: under a name of its own, until the computer has confirmed what has arrived.
import { createHash } from 'node:crypto'
import { open, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { daemonFile, imageFile, manifestFile, sumFile } from '../image-folder.ts'

/** What has arrived: bytes and digests. */
export interface Arrived {
  size: number
  sha256: string
  md5: string
}

const publicMode = 0o644

export class ReceivedImage {
  readonly #directory: string
  readonly #path: string
  #arrived: Arrived | undefined

  /** `addr`: of the computer, which sends one image at a time. */
  constructor(directory: string, addr: string) {
    this.#directory = directory
    this.#path = daemonFile(directory, `received-${addr}.img`)
  }

  /** Resolves when all is on the disk; replaces what came before. Rejects with the system's error, and when `body` ends early. */
  async receive(body: AsyncIterable<Buffer>): Promise<Arrived> {
    this.#arrived = undefined
    const [sha256, md5] = [createHash('sha256'), createHash('md5')]
    let size = 0
    const file = await open(this.#path, 'w', publicMode)
    try {
      for await (const slice of body) {
        for (const hash of [sha256, md5]) hash.update(slice)
        size += slice.length
        for (let done = 0; done < slice.length; ) done += (await file.write(slice, done)).bytesWritten
      }
      // Whatever the umask is: other programs serve the folder.
      await file.chmod(publicMode)
      await file.sync()
    } finally {
      await file.close()
    }
    this.#arrived = { size, sha256: sha256.digest('hex'), md5: md5.digest('hex') }
    return this.#arrived
  }

  /** Gives the file its name, with its checksum and a description. Rejects unless it is what the computer has sent. */
  async publish(name: string, sent: { sha256: unknown; description: object }): Promise<void> {
    const arrived = this.#arrived
    if (!arrived) throw new Error(`image ${name}: expected its file, got none`)
    if (arrived.sha256 !== sent.sha256)
      throw new Error(
        `image ${name}: expected the digest ${sent.sha256} that the computer has sent, got ${arrived.sha256}`,
      )
    const manifest = { ...sent.description, ...arrived, created: new Date().toISOString() }
    const write = (file: string, text: string) =>
      writeFile(join(this.#directory, file), `${text}\n`, { mode: publicMode, flush: true })
    await write(sumFile(name), arrived.md5)
    await write(manifestFile(name), JSON.stringify(manifest, null, 2))
    // The image comes last: where it is, the others are too.
    await rename(this.#path, join(this.#directory, imageFile(name)))
    this.#arrived = undefined
  }

  async discard(): Promise<void> {
    this.#arrived = undefined
    await rm(this.#path, { force: true })
  }
}
