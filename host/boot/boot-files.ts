// Boot files: each client's own menu for its boot loader, made from the templates of its boot mode.
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Computer } from '../../stores/store.ts'
import type { Log } from '../system/log.ts'
import { createMutex } from '../system/mutex.ts'
import { isUsable, listModes, type Mode, readMode } from './modes.ts'
import { type AndThen, type Change, replaceFiles } from './replace-files.ts'
import type { BootServer, BootSubject } from './template.ts'

/** A file below the output folder; `path` is relative to it. */
export interface BootFile {
  path: string
  content: string
}

export interface Boot {
  /** The names of the boot modes, sorted; a mode that is listed may still be unusable. */
  modes(): Promise<string[]>
  /** Why a mode cannot be used, undefined when it can. */
  unusable(mode: string): Promise<string | undefined>
  /** The same without the reason, which costs more to tell. */
  isUsable(mode: string): Promise<boolean>
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

export interface BootDeps {
  /** Two folders; `output` is created with the first file. */
  templates: string
  output: string
  /** The address at which the live system finds the server, and the locale that it gets. */
  server: string
  lang: string
  log: Log
}

/** The layout of existing sites' TFTP folder: BIOS machines read the one, UEFI machines the other. */
const folders = { menu: 'menu.lst', grub: 'grub' }

export function createBoot({ templates, output, server, lang, log }: BootDeps): Boot {
  if (!existsSync(templates)) log.warn('boot', `${templates}: there is no such folder, so there are no boot modes`)
  // Of two that write the same files at once neither would be all or nothing.
  const inTurn = createMutex()
  const filesFor = (subjects: BootSubject[]) => filesOf(subjects, templates, { address: server, lang })
  const replace = (files: Change[], andThen?: AndThen) =>
    replaceFiles(
      files.map(file => ({ ...file, path: join(output, file.path) })),
      andThen,
    )
  return {
    modes: () => listModes(templates),
    async unusable(name) {
      const mode = await readMode(templates, name)
      return typeof mode === 'string' ? mode : undefined
    },
    isUsable: name => isUsable(templates, name),
    render: (subjects, andThen) =>
      inTurn(async () => {
        const files = await filesFor(subjects)
        if (typeof files === 'string') return files
        for (const folder of Object.values(folders)) await mkdir(join(output, folder), { recursive: true })
        return replace(files, andThen)
      }),
    async preview(subject) {
      const files = await filesFor([subject])
      if (typeof files === 'string') return files
      return files.flatMap(({ path, content }) => (content ? [{ path, content: content() }] : []))
    },
    remove: computers =>
      inTurn(async () => {
        const paths = computers.flatMap(({ mac }) => Object.values(pathsOf(mac) ?? {}))
        await replace(Array.from(new Set(paths), path => ({ path })))
      }),
  }
}

/** Both files of each subject, the UEFI file without content where the mode has no twin; or why that cannot be. */
async function filesOf(subjects: BootSubject[], templates: string, server: BootServer): Promise<Change[] | string> {
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
    if (!paths) return `${name}: mac: expected 12 hex digits, got ${JSON.stringify(mac)}`
    for (const kind of ['menu', 'grub'] as const) {
      const path = paths[kind]
      const template = modes.get(boot)?.[kind]
      files.set(path, template ? { path, content: () => template(subject, server) } : { path })
    }
  }
  return [...files.values()]
}

/** `AABBCCDDEEFF` → `menu.lst/01-AA-BB-CC-DD-EE-FF`, `grub/01-aa:bb:cc:dd:ee:ff`; 01 is the number of Ethernet. */
function pathsOf(mac: string): { menu: string; grub: string } | undefined {
  const pairs = /^[0-9a-f]{12}$/i.test(mac) && mac.match(/../g)
  if (!pairs) return undefined
  return {
    menu: `${folders.menu}/01-${pairs.join('-').toUpperCase()}`,
    grub: `${folders.grub}/01-${pairs.join(':').toLowerCase()}`,
  }
}
