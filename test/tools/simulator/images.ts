// Images on simulated computers: the log of a copy, the port that serves the logs, the cache, and the files of new images.
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { ScriptEnd } from './scripts.ts'

interface Fault {
  /** The part of the copy, 0 to 1, at which it ends. */
  at: number
  lines: string[]
}

const full = 'lzop: No space left on device: <stdout>'

const faults: Record<'restore' | 'create', Fault[]> = {
  restore: [
    { at: 0.1, lines: ['Target partition size(5368 MB) is smaller than source(10737 MB). Use option -C.'] },
    { at: 0.3, lines: ['lzop: <stdin>: unexpected end of file', 'read image_data error: Success'] },
    { at: 0.6, lines: ['write error: Input/output error'] },
    // The program was ended by somebody: nothing more is printed.
    { at: 0.8, lines: [] },
  ],
  create: [
    { at: 0.5, lines: [full, 'write image_data error: Broken pipe'] },
    { at: 0.9, lines: [] },
  ],
}

const lineSeconds = 1

interface Copy {
  kind: keyof typeof faults
  /** Epoch milliseconds. */
  started: number
  seconds: number
  fault: Fault | undefined
}

export class CopyLog {
  /** Of 100 copies, how many fail although the agent replies with success. */
  readonly #failing: number
  #copy: Copy | undefined

  constructor(failing: number) {
    this.#failing = failing
  }

  /** Returns the seconds after which the copy ends. A broken computer always fails. */
  begin(kind: Copy['kind'], seconds: number, isBroken: boolean): { seconds: number; fails: boolean } {
    const fails = isBroken || Math.random() * 100 < this.#failing
    const choices = faults[kind]
    const fault = fails ? choices[Math.floor(Math.random() * choices.length)] : undefined
    this.#copy = { kind, started: Date.now(), seconds, fault }
    return { seconds: seconds * (fault?.at ?? 1), fails }
  }

  /** As it is now: the programs print a line each second. */
  text(now = Date.now()): string {
    if (!this.#copy) return 'No command has run.\n'
    const { kind, started, seconds, fault } = this.#copy
    const end = seconds * (fault?.at ?? 1)
    const elapsed = Math.min((now - started) / 1000, end)
    const lines = [
      'Partclone v0.3.23 http://partclone.org',
      kind === 'restore'
        ? 'Starting to restore image (-) to device (/dev/sda1)'
        : 'Starting to clone device (/dev/sda1) to image (-)',
    ]
    for (let second = lineSeconds; second <= elapsed && second < seconds; second += lineSeconds) {
      lines.push(progressLine(second, seconds))
    }
    if (elapsed < end) return asText(lines)
    if (fault) return asText([...lines, ...fault.lines])
    return asText([...lines, progressLine(seconds, seconds), 'Syncing... OK!', 'Cloned successfully.'])
  }
}

const asText = (lines: string[]) => `${lines.join('\n')}\n`

function progressLine(second: number, seconds: number): string {
  const percent = ((100 * second) / seconds).toFixed(2).padStart(6)
  return `Elapsed: ${clock(second)}, Remaining: ${clock(seconds - second)}, Completed: ${percent}%, Rate:   6.84GB/min,`
}

/** `00:01:30` */
const clock = (seconds: number) => new Date(Math.round(seconds) * 1000).toISOString().slice(11, 19)

interface LoggingComputer {
  readonly spec: { readonly ip: string }
  readonly log: CopyLog
}

/** Resolves when the port is open; rejects when it cannot be opened. */
export async function openLogPort(port: number, computers: readonly LoggingComputer[]): Promise<{ close(): void }> {
  const byAddress = new Map(computers.map(computer => [computer.spec.ip, computer]))
  const server = createServer(({ url, socket }, response) => {
    const computer = byAddress.get(socket.localAddress ?? '')
    if (!computer || url !== '/cgi-bin/LogCommand.sh') return response.writeHead(404).end()
    return response.writeHead(200, { 'Content-Type': 'text/plain' }).end(computer.log.text())
  })
  server.listen(port, '0.0.0.0')
  await once(server, 'listening')
  return {
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const kibibytes = 52_428_800
/** Bytes of each image. */
const imageBytes = 4_312_147_165

export class ImageCache {
  readonly #names = new Set<string>()

  /** The output of a script for caches; undefined for another one. */
  run(script: string): ScriptEnd | undefined {
    const [, end] = /^end\(\) \{ echo "([\w-]+: )\$1"/m.exec(script) ?? []
    if (end === undefined) return undefined
    const [, deleted] = /^for name in (.*); do$/m.exec(script) ?? []
    const [, fetched] = /'\/([^']+)\.img'/.exec(script) ?? []
    const lines = deleted ? this.#delete(deleted) : fetched ? this.#fetch(fetched) : this.#list()
    return { out: [...lines, `${end}ok`, ''].join('\n') }
  }

  #delete(quoted: string): string[] {
    const names = [...quoted.matchAll(/'([^']+)'/g)].map(([, name = '']) => name)
    return names.map(name => `${this.#names.delete(name) ? 'deleted' : 'not in the cache'}: ${name}`)
  }

  #fetch(name: string): string[] {
    this.#names.add(name)
    return [`${name}.img copied`]
  }

  #list(): string[] {
    const free = kibibytes - Math.ceil((this.#names.size * imageBytes) / 1024)
    return [`${free} of ${kibibytes} KiB free`, ...[...this.#names].map(name => `${imageBytes} ${name}`)]
  }
}

const fileBytes = 1 << 20

/** A tool that fails leaves half of the file, and no checksum. */
export function writeImage(folder: string, name: string, fails: boolean): void {
  if (!/^[\w.-]+$/.test(name)) return
  mkdirSync(folder, { recursive: true })
  const content = randomBytes(fails ? fileBytes / 2 : fileBytes)
  writeFileSync(join(folder, `${name}.img`), content)
  if (!fails) writeFileSync(join(folder, `${name}.img.full.sum`), createHash('md5').update(content).digest('hex'))
}
