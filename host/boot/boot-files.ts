// Renders the boot files of computers, the menus of their boot loaders, from the templates of their boot modes.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Computer } from '../../stores/store.ts'
import type { Log } from '../log/log.ts'
import { createMutex } from '../system/mutex.ts'
import { makePublicFolder } from '../system/public-files.ts'
import { createPause } from '../system/time-slices.ts'
import { isUsable, listModes, type Mode, readMode } from './modes.ts'
import { type Change, replaceFiles, type Save, tickMilliseconds } from './replace-files.ts'
import type { BootServer, BootSubject } from './template.ts'

/** A file below the output folder; `path` is relative to it. */
export interface BootFile {
  path: string
  content: string
}

export interface Boot {
  /** The names of the boot modes, sorted; also of modes that are unusable. */
  modes(): Promise<string[]>
  /** The reason why a mode cannot be used, undefined when it can. */
  unusable(mode: string): Promise<string | undefined>
  /** Whether a mode can be used. Faster than `unusable`, as it does not look for a similar name. */
  isUsable(mode: string): Promise<boolean>
  /**
   * Writes the boot files of all subjects, each of the mode `computer.boot`, or of none. Resolves with the reason when
   * a mode is unusable or `save` gives one; rejects on I/O errors and when `save` rejects. `save` is called when the
   * new files are in their places; it must not call `render` or `remove`.
   */
  render(subjects: BootSubject[], save?: Save): Promise<string | undefined>
  /** The files that `render` would write, or the reason why it would not. Writes nothing. */
  preview(subject: BootSubject): Promise<BootFile[] | string>
  /** Removes the files of computers; missing files are ignored. */
  remove(computers: Pick<Computer, 'mac'>[]): Promise<void>
}

export interface BootDeps {
  /** The folders of the templates and of the boot files; `output` is created with the first file. */
  templates: string
  output: string
  /** The server's address for the live system, and the live system's locale. */
  server: string
  lang: string
  log: Log
}

/** The layout of existing sites' TFTP folder: BIOS machines read `menu.lst`, UEFI machines `grub`. */
const folders = { menu: 'menu.lst', grub: 'grub' }

export function createBoot({ templates, output, server, lang, log }: BootDeps): Boot {
  if (!existsSync(templates)) log.warn('boot', `${templates}: folder not found, there are no boot modes`)
  // Two writers of the same files would overwrite each other's temporary files.
  const exclusive = createMutex()
  const filesFor = (subjects: BootSubject[]) => filesOf(subjects, templates, { address: server, lang })
  const replace = (files: Change[], save?: Save) =>
    replaceFiles(
      files.map(file => ({ ...file, path: join(output, file.path) })),
      save,
    )
  return {
    modes: () => listModes(templates),
    async unusable(name) {
      const mode = await readMode(templates, name)
      return typeof mode === 'string' ? mode : undefined
    },
    isUsable: name => isUsable(templates, name),
    render: (subjects, save) =>
      exclusive(async () => {
        const files = await filesFor(subjects)
        if (typeof files === 'string') return files
        for (const folder of Object.values(folders)) makePublicFolder(join(output, folder))
        return replace(files, save)
      }),
    async preview(subject) {
      const files = await filesFor([subject])
      if (typeof files === 'string') return files
      return files.flatMap(({ path, content }) => (content ? [{ path, content: content() }] : []))
    },
    remove: computers =>
      exclusive(async () => {
        const paths = computers.flatMap(({ mac }) => Object.values(pathsOf(mac) ?? {}))
        await replace(Array.from(new Set(paths), path => ({ path })))
      }),
  }
}

/** Both files of each subject, the UEFI file without content where the mode has no twin; or why a mode or address is invalid. */
async function filesOf(subjects: BootSubject[], templates: string, server: BootServer): Promise<Change[] | string> {
  const modes = new Map<string, Mode>()
  for (const name of new Set(subjects.map(({ computer }) => computer.boot))) {
    const mode = await readMode(templates, name)
    if (typeof mode === 'string') return mode
    modes.set(name, mode)
  }
  // By path: of two records with the same hardware address the last one counts.
  const files = new Map<string, Change>()
  const pause = createPause(tickMilliseconds)
  for (const subject of subjects) {
    await pause()
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
