// Converts a parameter string of a procedure's step to a command with its payload: scripts are decoded, disk layouts read.

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

const partitionKeys = { dsk: disk, par: partition }
const imageKeys = { idi: digits('id'), nci: text('name'), ipr: text('repository') }

const verbs = new Map(
  Object.entries<Verb>({
    Arrancar: { command: 'wol', values: { mar: wakeType } },
    Apagar: { command: 'poweroff', values: {} },
    Reiniciar: { command: 'reboot', values: {} },
    Purgar: { command: 'stop', values: {} },
    Actualizar: { command: 'refresh', values: {} },
    InventarioHardware: { command: 'hardware', values: {} },
    InventarioSoftware: { command: 'software', values: partitionKeys },
    // With the output, as `fleet run` does: it is kept with the job.
    EjecutarScript: { command: 'shell-run', values: { scp: script } },
    IniciarSesion: { command: 'session', values: partitionKeys },
    CrearImagen: { command: 'image-create', values: { ...partitionKeys, cpt: text('code'), ...imageKeys } },
    RestaurarImagen: {
      command: 'image-restore',
      values: { ...partitionKeys, ...imageKeys, ifs: digits('profile'), ptc: text('type') },
    },
    Configurar: { command: 'setup', values: { ttp: text('type'), dsk: disk, cfg: readLayout } },
    EjecutaComandosPendientes: { command: 'run-schedule', values: {} },
  }),
)

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

const escapes = /%u[0-9a-f]{4}|%[0-9a-f]{2}/gi

/** A script with white space, or with a % that begins no escape, was stored as it is. */
function isEncoded(text: string): boolean {
  return !/\s/.test(text) && text.includes('%') && !text.replaceAll(escapes, '').includes('%')
}

export function decodeScript(text: string): string {
  if (!isEncoded(text)) return text
  const spaced = hasPlusForSpace(text) ? text.replaceAll('+', ' ') : text
  return decodeUtf8(spaced) ?? decodeLatin1(spaced)
}

/** Forms write a space as + and leave only letters, digits and -_. as they are; other encoders write %20. */
const hasPlusForSpace = (text: string) => !/%20|[^\w.+%-]/.test(text)

/** Undefined when it is not UTF-8. */
function decodeUtf8(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The encoding of the function `escape` in the browsers of earlier consoles. */
const decodeLatin1 = (text: string): string =>
  text.replaceAll(escapes, code => String.fromCharCode(Number.parseInt(code.replace(/%u?/i, ''), 16)))

type Slot = Partial<Record<'partition' | 'code' | 'filesystem' | 'size' | 'format', string>>

interface Layout extends Record<string, unknown> {
  cache: string
  cache_size: string
  partition_setup: Slot[]
}

const slotKeys = new Map<string, keyof Slot>([
  ['par', 'partition'],
  ['cpt', 'code'],
  ['sfi', 'filesystem'],
  ['tam', 'size'],
  ['ope', 'format'],
])

/** The key of the payload; undefined: the disk, which `dsk` names, too. */
const layoutKeys = new Map<string, 'cache' | 'cache_size' | undefined>([
  ['dis', undefined],
  ['che', 'cache'],
  ['tch', 'cache_size'],
])

/** A payload has at least so many partitions. */
const leastSlots = 4

/** Reads lists of `key=value`: `*` separates the values, `%` or `!` the lists, and `par` begins a partition. */
export function readLayout(text: string): Layout | string {
  const layout: Layout = { cache: '0', cache_size: '0', partition_setup: [] }
  const slots = new Map<string, Slot>()
  let slot: Slot | undefined
  for (const item of text.split(/[*%!]/).filter(each => each.trim() !== '')) {
    const [, key = '', value = ''] = /^(\w+)=(.*)$/s.exec(item.trim()) ?? []
    if (key === 'par') {
      if (slots.has(value)) return `expected each partition once, got ${value} again`
      slot = {}
      slots.set(value, slot)
    }
    const [slotKey, layoutKey] = [slotKeys.get(key), layoutKeys.get(key)]
    if (slotKey && slot) slot[slotKey] = value
    else if (layoutKey) layout[layoutKey] = value
    else if (!layoutKeys.has(key)) return `expected key=value of a partition, got ${JSON.stringify(item.slice(0, 80))}`
  }
  if (slots.size === 0) return 'expected a partition, got none'
  // A partition that the layout does not have.
  for (let number = 1; number <= leastSlots; number += 1) {
    const partition = String(number)
    if (!slots.has(partition)) slots.set(partition, { partition, ...emptySlot })
  }
  layout.partition_setup = [...slots.values()].sort((a, b) => Number(a.partition) - Number(b.partition))
  return layout
}

const emptySlot = { code: 'EMPTY', filesystem: 'EMPTY', size: '0', format: '0' }
