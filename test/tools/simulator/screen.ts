// Prints the state of the simulated lab: one line per room, redrawn in place on a terminal.
import type { WriteStream } from 'node:tty'
import type { State } from './simulated-computer.ts'

export type RoomView = { name: string; computers: { state: State }[] }
export type Screen = { start(): void; print(text: string): void; close(): void }

const maxMessages = 100
const states: State[] = ['idle', 'busy', 'in use', 'booting', 'disconnected', 'off']

/** `moreLines`: lines below those of the rooms. */
export function createScreen(
  rooms: RoomView[],
  output: WriteStream | NodeJS.WriteStream,
  moreLines: () => string[] = () => [],
): Screen {
  const width = Math.max(...rooms.map(room => room.name.length))
  const printed = new Set<string>()
  let shown: string[] = []

  const live = (lines: string[], text = '') => {
    const fitting = lines.slice(0, Math.max(1, (output.rows ?? 24) - 2))
    const up = shown.length > 0 ? `\x1b[${shown.length}A\x1b[J` : ''
    output.write(
      up + [...(text ? [text] : []), ...fitting].map(line => `${line.slice(0, output.columns ?? 80)}\n`).join(''),
    )
    shown = fitting
  }
  const changed = (lines: string[]) => {
    for (const [room, line] of lines.entries()) if (line !== shown[room]) output.write(`${line}\n`)
    shown = lines
  }
  const draw = () => {
    const lines = [...rooms.map(room => roomLine(room, width)), ...moreLines()]
    if (lines.join() === shown.join()) return
    if (output.isTTY) live(lines)
    else changed(lines)
  }
  // Ten thousand agents may report the same error: print it once.
  const print = (text: string) => {
    if (printed.has(text) || printed.size >= maxMessages) return
    printed.add(text)
    if (output.isTTY) live(shown, text)
    else output.write(`${text}\n`)
  }
  let timer: NodeJS.Timeout | undefined
  const start = () => {
    timer = setInterval(draw, output.isTTY ? 250 : 1_000)
  }
  return { start, print, close: () => clearInterval(timer) }
}

function roomLine({ name, computers }: RoomView, width: number): string {
  const counts = new Map<State, number>(states.map(state => [state, 0]))
  for (const { state } of computers) counts.set(state, (counts.get(state) ?? 0) + 1)
  const connected = (['idle', 'busy', 'in use'] as const).reduce((sum, state) => sum + (counts.get(state) ?? 0), 0)
  const rest = states.slice(1).map(state => `${state} ${counts.get(state)}`)
  return [`${name.padEnd(width)}  connected ${connected}/${computers.length}`, ...rest].join('  ')
}
