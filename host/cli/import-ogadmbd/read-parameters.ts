// Converts a parameter string of a procedure's step to a command with its payload.
import { decodeScript } from './script-text.ts'
import { readLayout } from './setup-slots.ts'

export interface CommandStep {
  command: string
  params: Record<string, unknown>
  /** The image that it names. */
  image?: { id: number; name: string }
}

/** The payload's keys for one value; a text is the reason why there are none. */
type Convert = (value: string) => Record<string, unknown> | string

interface Verb {
  command: string
  /** By the key of the parameter string; all are required. */
  values: Record<string, Convert>
}

const text =
  (key: string): Convert =>
  value =>
    value === '' ? 'expected a text, got none' : { [key]: value }

const show = (value: string) => JSON.stringify(value.slice(0, 80))

const digits =
  (key: string, pattern = /^\d{1,15}$/): Convert =>
  value =>
    pattern.test(value) ? { [key]: value } : `expected a number, got ${show(value)}`

const disk = digits('disk', /^[1-9]\d{0,3}$/)
const partition = digits('partition', /^[1-9]\d{0,3}$/)

/** How wake-ups are addressed, by `mar`. */
const wakeTypes = new Map([
  ['1', 'broadcast'],
  ['2', 'unicast'],
])

function wakeType(value: string): ReturnType<Convert> {
  const type = wakeTypes.get(value)
  return type === undefined ? `expected 1 or 2, got ${show(value)}` : { type }
}

function script(value: string): ReturnType<Convert> {
  const run = decodeScript(value)
  if (run.trim() === '') return 'expected a script, got none'
  return run.includes('\0') || !run.isWellFormed() ? 'expected text, got bytes that are none' : { run, echo: true }
}

const verbs = new Map<string, Verb>([
  ['Arrancar', { command: 'wol', values: { mar: wakeType } }],
  ['Apagar', { command: 'poweroff', values: {} }],
  ['Reiniciar', { command: 'reboot', values: {} }],
  ['Purgar', { command: 'stop', values: {} }],
  ['Actualizar', { command: 'refresh', values: {} }],
  ['InventarioHardware', { command: 'hardware', values: {} }],
  ['InventarioSoftware', { command: 'software', values: { dsk: disk, par: partition } }],
  // With the output, as `fleet run` does: it is kept with the job.
  ['EjecutarScript', { command: 'shell-run', values: { scp: script } }],
  ['IniciarSesion', { command: 'session', values: { dsk: disk, par: partition } }],
  [
    'CrearImagen',
    {
      command: 'image-create',
      values: {
        ...{ dsk: disk, par: partition, cpt: text('code') },
        ...{ idi: digits('id'), nci: text('name'), ipr: text('repository') },
      },
    },
  ],
  [
    'RestaurarImagen',
    {
      command: 'image-restore',
      values: {
        ...{ dsk: disk, par: partition, idi: digits('id'), nci: text('name') },
        ...{ ipr: text('repository'), ifs: digits('profile'), ptc: text('type') },
      },
    },
  ],
  ['Configurar', { command: 'setup', values: { ttp: text('type'), dsk: disk, cfg: readLayoutKeys } }],
  ['EjecutaComandosPendientes', { command: 'run-schedule', values: {} }],
])

function readLayoutKeys(value: string): ReturnType<Convert> {
  const layout = readLayout(value)
  return typeof layout === 'string' ? layout : { ...layout }
}

/** The commands that a step can become. */
export const importedCommands = [...verbs.values()].map(({ command }) => command)

/** The command, or the reason why the text is none. Keys that no command has are left out. */
export function readParameters(parameters: string): CommandStep | string {
  const values = splitValues(parameters)
  if (typeof values === 'string') return values
  const name = values.get('nfn') ?? ''
  const verb = verbs.get(name)
  if (!verb) return `nfn: expected ${[...verbs.keys()].join(', ')}; got ${show(name)}`
  const params: Record<string, unknown> = {}
  for (const [key, convert] of Object.entries(verb.values)) {
    const value = values.get(key)
    if (value === undefined) return `${name}: ${key} is missing`
    const converted = convert(value)
    if (typeof converted === 'string') return `${name}: ${key}: ${converted}`
    Object.assign(params, converted)
  }
  const { command } = verb
  if (!('idi' in verb.values)) return { command, params }
  return { command, params, image: { id: Number(values.get('idi')), name: values.get('nci') ?? '' } }
}

/** Carriage returns separate the values; one before a line feed is a line end within a script. */
function splitValues(parameters: string): Map<string, string> | string {
  const values = new Map<string, string>()
  for (const item of parameters.split(/\r(?!\n)/)) {
    if (item.trim() === '') continue
    const at = item.indexOf('=')
    const key = item.slice(0, Math.max(0, at)).trim()
    if (key === '') return `expected key=value, got ${show(item)}`
    if (values.has(key)) return `expected ${key} once, got it twice`
    values.set(key, item.slice(at + 1))
  }
  return values
}
