// Shows the lab: on a terminal a line per room that is redrawn in place, anywhere else a line when something changes.
import type { WriteStream } from 'node:tty'
import type { Computer, State } from './simulated-computer.ts'

export type Shown = { name: string; computers: Computer[] }
export type Screen = { start(): void; say(text: string): void; close(): void }

const mostSaid = 100
const states: State[] = ['idle', 'busy', 'in use', 'booting', 'lost', 'off']

export function createScreen(rooms: Shown[], output: WriteStream | NodeJS.WriteStream): Screen {
  const width = Math.max(...rooms.map(room => room.name.length))
  const said = new Set<string>()
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
    const lines = rooms.map(room => roomLine(room, width))
    if (lines.join() === shown.join()) return
    if (output.isTTY) live(lines)
    else changed(lines)
  }
  // Ten thousand agents have the same trouble at once: it is told once.
  const say = (text: string) => {
    if (said.has(text) || said.size >= mostSaid) return
    said.add(text)
    if (output.isTTY) live(shown, text)
    else output.write(`${text}\n`)
  }
  let timer: NodeJS.Timeout | undefined
  const start = () => {
    timer = setInterval(draw, output.isTTY ? 250 : 1_000)
  }
  return { start, say, close: () => clearInterval(timer) }
}

function roomLine({ name, computers }: Shown, width: number): string {
  const counts = new Map<State, number>(states.map(state => [state, 0]))
  for (const { state } of computers) counts.set(state, (counts.get(state) ?? 0) + 1)
  const connected = (['idle', 'busy', 'in use'] as const).reduce((sum, state) => sum + (counts.get(state) ?? 0), 0)
  const rest = states.slice(1).map(state => `${state} ${counts.get(state)}`)
  return [`${name.padEnd(width)}  connected ${connected}/${computers.length}`, ...rest].join('  ')
}
