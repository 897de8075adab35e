// What simulated computers make of shell scripts: they run a few commands, and say of others that they do not.
import type { ComputerSpec } from './computer-data.ts'

/** What it printed, its exit code, and the seconds for which it sleeps; none and 0 where they are absent. */
export interface ScriptEnd {
  out?: string
  /** What it printed after so many seconds. */
  pieces?: { out: string; after: number }[]
  status?: number
  seconds?: number
}

type Program = (words: string[], spec: ComputerSpec) => ScriptEnd

const units: Record<string, number> = { m: 60, h: 3600, d: 86_400 }
const release = '6.8.0-45-generic'
const kernelOf = (name: string) => `Linux ${name} ${release} #45-Ubuntu SMP x86_64 GNU/Linux`
const disks =
  'Filesystem     1K-blocks     Used Available Use% Mounted on\n/dev/sda2      104857600 24117248  80740352  23% /'

const line = (out: string): ScriptEnd => ({ out: `${out}\n` })

const programs: Record<string, Program> = {
  uname: ([option], { name }) => line((option === '-a' && kernelOf(name)) || (option === '-r' && release) || 'Linux'),
  hostname: ([option], { name, ip }) => line(option === '-I' ? ip : name),
  whoami: () => line('root'),
  uptime: () => line(' 10:42:07 up 2:13,  0 users,  load average: 0.08, 0.03, 0.01'),
  df: () => line(disks),
  echo: words => line(words.join(' ')),
  printf: ([format = '', ...words]) => ({
    out: format.replaceAll('\\n', '\n').replaceAll(/%[sd]/g, () => words.shift() ?? ''),
  }),
  sleep: ([time = '']) => ({ seconds: Number.parseFloat(time) * (units[time.at(-1) ?? ''] ?? 1) || 0 }),
  true: () => ({}),
  ':': () => ({}),
  set: () => ({}),
  false: () => ({ status: 1 }),
  exit: ([status]) => ({ status: Number(status) || 0 }),
}

/** Quoted texts belong to their command, and a comment begins after a blank. */
const parts = /(?:'[^']*'|"[^"]*"|(?<=\S)#|[^;\n&'"#]|&(?!&))+|&&|[;\n]|#[^\n]*/g

const assignment = /^(?:export +)?(\w+)=('[^']*'|"[^"]*"|\S*)$/

/** With the values of the variables that are known, except in single quotes. */
const withValues = (command: string, values: ReadonlyMap<string, string>): string =>
  command.replaceAll(/'[^']*'|\$\{?(\w+)\}?/g, (text, name) => values.get(name) ?? text)

/** What runs lines several times, in some cases or not at all. */
const compound = /^(?:if|for|while|until|case|function)\b|^[{(]|^\w+ *\(\)|<</

const notRun = (text: string) => `not run, as this computer is simulated: ${text}\n`

export function runScript(script: string, spec: ComputerSpec): ScriptEnd {
  const commands = (script.replaceAll('\\\n', ' ').match(parts) ?? []).map(part => part.trim())
  if (commands.some(command => compound.test(command))) {
    const [first = '', ...others] = script.trim().split('\n')
    return { out: notRun(others.length > 0 ? `${first} …` : first) }
  }
  const ran = { out: '', pieces: [] as NonNullable<ScriptEnd['pieces']>, status: 0, seconds: 0 }
  const endsOnFailure = commands.some(command => /^set -\w*e/.test(command))
  const values = new Map<string, string>()
  let isLeftOut = false
  for (const command of commands) {
    if (command === '&&') isLeftOut ||= ran.status !== 0
    else if (command === '' || command === ';') isLeftOut = false
    if (isLeftOut || /^(?:&&|;|#.*)?$/.test(command)) continue
    const [, variable, value = ''] = assignment.exec(command) ?? []
    if (variable !== undefined) values.set(variable, withValues(value, values).replaceAll(/^['"]|['"]$/g, ''))
    if (variable !== undefined) continue
    const { out = '', status = 0, seconds = 0 } = runCommand(withValues(command, values), spec)
    if (out !== '') ran.pieces.push({ out, after: ran.seconds })
    Object.assign(ran, { out: ran.out + out, status, seconds: ran.seconds + seconds })
    if (/^exit\b/.test(command) || (endsOnFailure && status !== 0)) break
  }
  return ran
}

function runCommand(command: string, spec: ComputerSpec): ScriptEnd {
  const [name = '', ...words] = (command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []).map(word =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double),
  )
  const bare = command.replaceAll(/'[^']*'|"[^"$`]*"/g, '')
  const isKnown = Object.hasOwn(programs, name) && !/[$`|<>()&]/.test(bare)
  return (isKnown && programs[name]?.(words, spec)) || { out: notRun(command) }
}
