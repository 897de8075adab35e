// The console of the computer: draws a text on it when the text has changed.
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

export class Screen {
  readonly #path: string
  #drawn = ''
  #next = ''
  #isDrawing = false

  /** `path`: the device of the console; nothing is drawn where it is missing. */
  constructor(path: string) {
    this.#path = path
  }

  draw(text: string): void {
    this.#next = text
    if (!this.#isDrawing) void this.#drawAll()
  }

  /** Waits for the console, which a key can stop; of the texts that come meanwhile only the last one is drawn. */
  async #drawAll(): Promise<void> {
    this.#isDrawing = true
    while (this.#next !== this.#drawn) {
      this.#drawn = this.#next
      await write(this.#path, frameOf(this.#drawn)).catch(() => {})
    }
    this.#isDrawing = false
  }
}

async function write(path: string, frame: string): Promise<void> {
  // The keys of that console must not send signals to this program.
  const file = await open(path, constants.O_WRONLY | constants.O_NOCTTY | constants.O_APPEND)
  try {
    await file.write(frame)
  } finally {
    await file.close()
  }
}

/** From the first row on, without a cursor; what was in these rows, or is below them, disappears. */
const frameOf = (text: string): string => `\x1b[?25l\x1b[H${text.replaceAll('\n', '\x1b[K\r\n')}\x1b[J`
