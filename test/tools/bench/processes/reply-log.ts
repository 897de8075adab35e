// Keeps replies on disk as the baselines do: those of one tick share one flush.
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'

/** Each write is on disk when it returns. */
const syncedWrites = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_DSYNC

export class ReplyLog {
  #file: FileHandle | undefined
  #waiting: Buffer[] = []
  #storing: Promise<void> | undefined
  /** Replies that have not come. */
  #missing = 0
  #onStored = () => {}

  async open(file: string): Promise<void> {
    this.#file = await open(file, syncedWrites)
  }

  /** A request was sent to so many. */
  expect(replies: number): void {
    this.#missing = replies
  }

  /** Resolves when all replies to the next request are on disk. */
  stored(): Promise<void> {
    return new Promise(resolve => {
      this.#onStored = resolve
    })
  }

  /** Resolves when the bytes, with so many replies, are on disk. */
  store(bytes: Buffer, replies: number): Promise<void> {
    this.#missing -= replies
    this.#waiting.push(bytes)
    this.#storing ??= this.#writeWaiting()
    return this.#storing
  }

  async #writeWaiting(): Promise<void> {
    await new Promise(resolve => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      const bytes = Buffer.concat(this.#waiting)
      this.#waiting = []
      await this.#file?.write(bytes)
    }
    this.#storing = undefined
    if (this.#missing === 0) this.#onStored()
  }
}
