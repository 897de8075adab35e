// Renders the boot files of computers, the menus of their boot loaders, from the templates of their boot modes.
import { existsSync, lstatSync, type Stats } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { closest } from 'fastest-levenshtein'
import type { Computer } from '../../stores/store.ts'
import type { Log } from '../log/log.ts'
import { isNotFound, makePublicFolder } from '../system/file-system.ts'
import { createMutex } from '../system/mutex.ts'
import { createPause } from '../system/time-slices.ts'
import { type Change, replaceFiles, type Save, tickMilliseconds } from './replace-files.ts'
import { type BootServer, type BootSubject, readTemplate, type Template } from './template.ts'

export type Boot = ReturnType<typeof createBoot>

export interface BootDeps {
  /** The folders of the templates and of the boot files; `output` is created with the first file. */
  templates: string
  output: string
  /** Where the live system reaches this server, and the live system's locale. */
  server: BootServer
  log: Log
}

/** The layout of existing sites' TFTP folder: BIOS machines read `menu.lst`, UEFI machines `grub`. */
const folders = { menu: 'menu.lst', grub: 'grub' }

export function createBoot({ templates, output, server, log }: BootDeps) {
  if (!existsSync(templates)) log.warn('boot', `${templates}: folder not found, there are no boot modes`)
  // Two writers of the same files would overwrite each other's temporary files.
  const exclusive = createMutex()
  const filesFor = (subjects: readonly BootSubject[]) => filesOf(subjects, templates, server)
  const replace = (files: Change[], save?: Save) =>
    replaceFiles(
      files.map(file => ({ ...file, path: join(output, file.path) })),
      save,
    )
  return {
    /** The names of the boot modes, sorted; also of modes that are unusable. */
    modes: () => listModes(templates),
    /** What the comment in the second line of its template says of a mode, where it has one. */
    describeModes: async () => {
      const modes = await listModes(templates)
      const texts = await Promise.all(modes.map(mode => readFile(join(templates, mode), 'utf8').catch(ignoreNotFound)))
      return modes.flatMap((mode, at) => {
        const description = texts[at]
          ?.split('\n', 2)[1]
          ?.match(/^#+\s*(\S.*)/)?.[1]
          ?.trim()
        return description ? [{ mode, description }] : []
      })
    },
    /** The reason why a mode cannot be used, undefined when it can. */
    async unusable(name: string): Promise<string | undefined> {
      const mode = await readMode(templates, name)
      return typeof mode === 'string' ? mode : undefined
    },
    /** Whether a mode can be used. Faster than `unusable`, as it does not look for a similar name. */
    isUsable: (name: string) => isUsable(templates, name),
    /**
     * Writes the boot files of all subjects, each of the mode `computer.boot`, or of none. Resolves with the reason when
     * a mode is unusable or `save` gives one; rejects on I/O errors and when `save` rejects. `save` is called when the
     * new files are in their places; it must not call `render` or `remove`.
     */
    render: (subjects: readonly BootSubject[], save?: Save): Promise<string | undefined> =>
      exclusive(async () => {
        const files = await filesFor(subjects)
        if (typeof files === 'string') return files
        for (const folder of Object.values(folders)) makePublicFolder(join(output, folder))
        return replace(files, save)
      }),
    /** The files that `render` would write, or the reason why it would not. Writes nothing. */
    async preview(subject: BootSubject): Promise<{ path: string; content: string }[] | string> {
      const files = await filesFor([subject])
      if (typeof files === 'string') return files
      return files.flatMap(({ path, content }) => (content ? [{ path, content: content() }] : []))
    },
    /** Removes the files of computers; missing files are ignored. */
    remove: (computers: readonly Pick<Computer, 'mac'>[]): Promise<void> =>
      exclusive(async () => {
        const paths = computers.flatMap(({ mac }) => Object.values(pathsOf(mac) ?? {}))
        await replace(Array.from(new Set(paths), path => ({ path })))
      }),
  }
}

/** Both files of each subject, the UEFI file without content where the mode has no twin; or why a mode or address is invalid. */
async function filesOf(
  subjects: readonly BootSubject[],
  templates: string,
  server: BootServer,
): Promise<Change[] | string> {
  const modes = new Map<string, Mode>()
  // By path: of two records with the same hardware address the last one counts.
  const files = new Map<string, Change>()
  const pause = createPause(tickMilliseconds)
  for (const subject of subjects) {
    const { name, mac, boot } = subject.computer
    const mode = modes.get(boot) ?? (await readMode(templates, boot))
    if (typeof mode === 'string') return mode
    modes.set(boot, mode)
    const paths = pathsOf(mac)
    if (!paths) return `${name}: mac: expected 12 hex digits, got ${JSON.stringify(mac)}`
    for (const kind of ['menu', 'grub'] as const) {
      const template = mode[kind]
      files.set(paths[kind], { path: paths[kind], ...(template && { content: () => template(subject, server) }) })
    }
    const tick = pause()
    if (tick) await tick
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

/** The templates of a mode for BIOS machines and, where it has a twin, for UEFI machines. */
interface Mode {
  menu: Template
  grub?: Template
}

/** The names of the regular files, sorted. */
async function listModes(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(ignoreNotFound)) ?? []
  const stats = await Promise.all(names.map(name => stat(join(folder, name)).catch(ignoreNotFound)))
  return names.filter((_, index) => stats[index]?.isFile()).sort()
}

/** A mode's templates, or the reason why it cannot be used; for an unknown mode it contains the nearest name. */
async function readMode(folder: string, name: string): Promise<Mode | string> {
  const mode = await findMode(folder, name)
  if (mode !== undefined) return mode
  const modes = await listModes(folder)
  const expected = modes.length === 0 ? 'a boot template' : closest(name, modes)
  return `mode: expected ${expected}, got unknown mode ${JSON.stringify(name)}`
}

/** Whether a mode can be used. Reads only the mode's own files, however many templates there are. */
async function isUsable(folder: string, name: string): Promise<boolean> {
  return typeof ((await findMode(folder, name)) ?? '') !== 'string'
}

/** As `readMode`, but undefined for a name without a template. */
async function findMode(folder: string, name: string): Promise<Mode | string | undefined> {
  const isFileName = !/[/\\\0]/.test(name) && !['', '.', '..'].includes(name)
  if (!isFileName) return `mode: expected a file name, got ${JSON.stringify(name)}`
  const menu = await readTemplateFile(folder, name)
  const grub = await readTemplateFile(folder, `uefi/${name}`)
  if (typeof menu === 'string') return menu
  if (typeof grub === 'string') return grub
  return menu && (grub ? { menu, grub } : { menu })
}

/** The template in a file, the reason why it is not one, or undefined when there is no entry of that name. */
async function readTemplateFile(folder: string, name: string): Promise<Template | string | undefined> {
  const path = join(folder, name)
  if (!hasEntry(path)) return undefined
  const stats = await stat(path).catch(ignoreNotFound)
  if (!stats?.isFile()) return `boot template ${name}: expected a regular file, got ${kindOf(stats)}`
  const text = await readFile(path, 'utf8')
  const line = JSON.stringify(text.split('\n', 1)[0]?.slice(0, 80))
  return readTemplate(text) ?? `boot template ${name}: expected ##BOOT-TEMPLATE ${name} in the first line, got ${line}`
}

function kindOf(stats: Stats | undefined): string {
  if (!stats) return 'a broken link'
  return stats.isDirectory() ? 'a folder' : 'a special file'
}

/** Synchronous: called for every added computer and served from the kernel's dentry cache. */
function hasEntry(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    ignoreNotFound(error)
    return false
  }
}

/** Also ignores a file in place of a folder, a loop of symbolic links, and a name that is too long. */
function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error, ['ENOTDIR', 'ELOOP', 'ENAMETOOLONG'])) throw error
}
