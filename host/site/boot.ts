// Boot modes: the templates of a folder, and the boot files that clients get made from them.
import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { closest } from 'fastest-levenshtein'
import type { Computer } from '../../stores/store.ts'
import type { Log } from '../log.ts'
import { type AndThen, type Change, replaceFiles } from './replace.ts'
import { type BootServer, type BootSubject, readTemplate, type Template } from './template.ts'

/** A file below the output folder; `path` is relative to it. */
export interface BootFile {
  path: string
  content: string
}

export interface BootRoom {
  /** The names of the boot modes, sorted; a mode that is listed may still be unusable. */
  modes(): Promise<string[]>
  /** Why a mode cannot be used, undefined when it can. */
  unusable(mode: string): Promise<string | undefined>
  /**
   * Writes the files of all subjects, each of the mode `computer.boot`, or of none: then it resolves to the reason, or
   * rejects when the file system failed. `andThen` stores what belongs to it: with its reason or failure, too, all
   * files are as before. It must not call this room.
   */
  render(subjects: BootSubject[], andThen?: AndThen): Promise<string | undefined>
  /** The files that `render` would write, or the reason why it would not. */
  preview(subject: BootSubject): Promise<BootFile[] | string>
  /** Removes the files of computers; missing ones are no failure. */
  remove(computers: Pick<Computer, 'mac'>[]): Promise<void>
}

export interface BootParts {
  /** Folders; `output` is created when the first file is written. */
  templates: string
  output: string
  /** The server's address as the live system reaches it, and its locale. */
  server: string
  lang: string
  log: Log
}

/** BIOS machines read the one, UEFI machines the other. */
const folders = { menu: 'menu.lst', grub: 'grub' }

/** The templates of a mode; without a twin a client has no UEFI file. */
interface Mode {
  menu: Template
  grub?: Template
}

export function createBoot({ templates, output, server, lang, log }: BootParts): BootRoom {
  if (!existsSync(templates)) log.warn('boot', `${templates}: there is no such folder, so there are no boot modes`)
  const inTurn = createTurns()
  const told = { address: server, lang }

  async function filesOf(subjects: BootSubject[]): Promise<Map<string, Change> | string> {
    const modes = new Map<string, Mode>()
    for (const name of new Set(subjects.map(({ computer }) => computer.boot))) {
      const mode = await readMode(templates, name)
      if (typeof mode === 'string') return mode
      modes.set(name, mode)
    }
    // By path, as two records may have the same hardware address: the last one counts.
    const files = new Map<string, Change>()
    for (const subject of subjects) {
      const { name, mac, boot } = subject.computer
      const paths = pathsOf(mac)
      if (!paths) return `${name}: mac: wrong form, got ${JSON.stringify(mac)}; 12 hex digits would be right`
      const mode = modes.get(boot)
      for (const kind of ['menu', 'grub'] as const) files.set(paths[kind], change(paths[kind], subject, mode?.[kind]))
    }
    return files
  }

  function change(path: string, subject: BootSubject, template?: Template): Change {
    return template ? { path, content: () => template(subject, told) } : { path }
  }

  async function write(files: Iterable<Change>, andThen?: AndThen): Promise<string | undefined> {
    for (const folder of Object.values(folders)) await mkdir(join(output, folder), { recursive: true })
    const changes = Array.from(files, file => ({ ...file, path: join(output, file.path) }))
    return replaceFiles(changes, andThen)
  }

  return {
    modes: () => listModes(templates),
    async unusable(name) {
      const mode = await readMode(templates, name)
      return typeof mode === 'string' ? mode : undefined
    },
    render: (subjects, andThen) =>
      inTurn(async () => {
        const files = await filesOf(subjects)
        return typeof files === 'string' ? files : write(files.values(), andThen)
      }),
    async preview(subject) {
      const files = await filesOf([subject])
      if (typeof files === 'string') return files
      return [...files.values()].flatMap(({ path, content }) => (content ? [{ path, content: content() }] : []))
    },
    remove: computers =>
      inTurn(async () => {
        const paths = computers.flatMap(({ mac }) => Object.values(pathsOf(mac) ?? {}))
        await write([...new Set(paths)].map(path => ({ path })))
      }),
  }
}

/** `AABBCCDDEEFF` → `menu.lst/01-AA-BB-CC-DD-EE-FF` and `grub/01-aa:bb:cc:dd:ee:ff`: 01 is the type of Ethernet. */
function pathsOf(mac: string): { menu: string; grub: string } | undefined {
  const pairs = /^[0-9a-f]{12}$/i.test(mac) && mac.match(/../g)
  if (!pairs) return undefined
  return {
    menu: `${folders.menu}/01-${pairs.join('-').toUpperCase()}`,
    grub: `${folders.grub}/01-${pairs.join(':').toLowerCase()}`,
  }
}

async function listModes(templates: string): Promise<string[]> {
  const names = (await readdir(templates).catch(ifAbsent)) ?? []
  const found = await Promise.all(names.map(name => stat(join(templates, name)).catch(ifAbsent)))
  return names.filter((_, index) => found[index]?.isFile()).sort()
}

/** A mode's templates, or the reason why it cannot be used. */
async function readMode(templates: string, name: string): Promise<Mode | string> {
  if (/[/\\\0]/.test(name) || ['', '.', '..'].includes(name)) return `mode: no file name, got ${JSON.stringify(name)}`
  const menu = await readFileOf(templates, name)
  const grub = await readFileOf(templates, `uefi/${name}`)
  if (typeof menu === 'string') return menu
  if (typeof grub === 'string') return grub
  if (menu) return grub ? { menu, grub } : { menu }
  const known = await listModes(templates)
  const right = known.length === 0 ? '' : `; ${closest(name, known)} would be right`
  return `mode: there is no such template, got ${JSON.stringify(name)}${right}`
}

/** The template in a file, undefined when there is none of that name; a string says what is wrong with it. */
async function readFileOf(templates: string, name: string): Promise<Template | string | undefined> {
  const path = join(templates, name)
  if (!(await lstat(path).catch(ifAbsent))) return undefined
  const found = await stat(path).catch(ifAbsent)
  if (!found?.isFile()) return `boot template ${name}: no regular file`
  const text = await readFile(path, 'utf8')
  const wrong = `boot template ${name}: no marker with a name, got ${JSON.stringify(text.split('\n', 1)[0]?.slice(0, 80))}`
  return readTemplate(text) ?? `${wrong}; ##BOOT-TEMPLATE ${name} would be right`
}

/** What is said of a name that no file has; a link that leads nowhere is no file. */
const absent = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']

function ifAbsent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && absent.includes(String(error.code))) return undefined
  throw error
}

/** Runs pieces of work one after the other: two of them that write the same files would not be all or nothing. */
function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const mine = last.then(work)
    last = mine.catch(() => {})
    return mine
  }
}
