// Takes the file of an image from a computer: under a name of its own, until the computer has confirmed what has arrived.
import { createHash } from 'node:crypto'
import { readdirSync, renameSync, rmSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isFull, isNotFound, noSpace } from '../../system/file-system.ts'
import { daemonFile, imageFile, manifestFile, sumFile } from '../image-folder.ts'

/** What has arrived: bytes and digests. */
export interface Arrived {
  size: number
  sha256: string
  md5: string
}

const publicMode = 0o644

/** Whatever the umask is: other programs serve the folder. Resolves when all is on the disk. */
async function makePublic(file: FileHandle): Promise<void> {
  await file.chmod(publicMode)
  await file.sync()
}

/** What follows the address and the number in the names of its files; `host` has a folder together with others. */
const endOf = (host: string | undefined) => (host === undefined ? '.img' : `-${host}.img`)

/** The endings of its file and of those that are written beside it. */
const parts = ['', '.sum', '.json'] as const

/** What a crash of this host has left. Throws the system's error. */
export function deleteReceived(directory: string, host: string | undefined): void {
  const folder = dirname(daemonFile(directory, 'received'))
  const endings = parts.map(part => endOf(host) + part)
  for (const file of readNames(folder)) {
    const [, rest = ''] = /^received-[\da-f.:]+\d(\D.*)$/.exec(file) ?? []
    if (endings.includes(rest)) rmSync(join(folder, file), { force: true })
  }
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isNotFound(error)) return []
    throw error
  }
}

export class ReceivedImage {
  readonly #directory: string
  readonly #path: string
  #arrived: Arrived | undefined
  #isBusy = false
  #isDiscarded = false
  /** Each has a name of its own: what is left of one that was stopped is deleted later than the next one may begin. */
  static #number = 0

  /** `addr`: of the computer. */
  constructor(directory: string, addr: string, host?: string) {
    this.#directory = directory
    ReceivedImage.#number += 1
    this.#path = daemonFile(directory, `received-${addr}.${ReceivedImage.#number}${endOf(host)}`)
  }

  /** Resolves when all is on the disk; replaces what came before. Rejects with the system's error, and when `body` ends early. */
  receive(body: AsyncIterable<Buffer>): Promise<Arrived> {
    return this.#alone(async () => {
      this.#arrived = undefined
      const [sha256, md5] = [createHash('sha256'), createHash('md5')]
      let size = 0
      const file = await open(this.#path, 'w', publicMode)
      try {
        this.#throwIfDiscarded()
        for await (const slice of body) {
          for (const hash of [sha256, md5]) hash.update(slice)
          size += slice.length
          for (let done = 0; done < slice.length; ) done += (await file.write(slice, done)).bytesWritten
        }
        await makePublic(file)
      } finally {
        await file.close()
      }
      this.#arrived = { size, sha256: sha256.digest('hex'), md5: md5.digest('hex') }
      return this.#arrived
    })
  }

  /** Gives the file its name, with its checksum and a description. Rejects unless it is what the computer has sent. */
  publish(name: string, sent: { sha256: unknown; description: object }): Promise<void> {
    return this.#alone(async () => {
      const arrived = this.#arrived
      if (!arrived) throw new Error(`image ${name}: expected its file, got none`)
      if (arrived.sha256 !== sent.sha256)
        throw new Error(
          `image ${name}: expected the digest ${sent.sha256} that the computer has sent, got ${arrived.sha256}`,
        )
      const manifest = { ...sent.description, ...arrived, created: new Date().toISOString() }
      await this.#write('.sum', arrived.md5)
      await this.#write('.json', JSON.stringify(manifest, null, 2))
      // In one tick: after the end of the command the names may be those of the older image.
      this.#throwIfDiscarded()
      const rename = (part: (typeof parts)[number], file: string) =>
        renameSync(this.#path + part, join(this.#directory, file))
      rename('.sum', sumFile(name))
      rename('.json', manifestFile(name))
      // The image comes last: where it is, the others are too.
      rename('', imageFile(name))
      this.#arrived = undefined
    })
  }

  /** To be called when the command has ended: nothing is published after that. */
  async discard(): Promise<void> {
    this.#isDiscarded = true
    await this.#remove()
  }

  async #write(part: (typeof parts)[number], text: string): Promise<void> {
    const file = await open(this.#path + part, 'w', publicMode)
    try {
      await file.writeFile(`${text}\n`)
      await makePublic(file)
    } finally {
      await file.close()
    }
  }

  #throwIfDiscarded(): void {
    if (this.#isDiscarded) throw new Error('the command has ended')
  }

  /** One at a time. What was written after the command had ended is deleted. */
  async #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isBusy) throw new Error('expected one request at a time for this image, got another one')
    this.#isBusy = true
    try {
      return await work()
    } catch (error) {
      throw isFull(error) ? new Error(noSpace(this.#directory)) : error
    } finally {
      this.#isBusy = false
      if (this.#isDiscarded) await this.#remove()
    }
  }

  async #remove(): Promise<void> {
    this.#arrived = undefined
    await Promise.all(parts.map(part => rm(this.#path + part, { force: true })))
  }
}
