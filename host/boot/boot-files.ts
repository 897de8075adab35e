// Renders the boot files of computers, the menus of their boot loaders, from the templates of their boot modes.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Computer } from '../../stores/store.ts'
import type { Log } from '../log/log.ts'
import { createMutex } from '../system/mutex.ts'
import { makePublicFolder } from '../system/public-files.ts'
import { slices } from '../system/request-slices.ts'
import { isUsable, listModes, type Mode, readMode } from './modes.ts'
import { type Change, replaceFiles, type Save } from './replace-files.ts'
import type { BootServer, BootSubject } from './template.ts'

export type Boot = ReturnType<typeof createBoot>

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

export function createBoot({ templates, output, server, lang, log }: BootDeps) {
  if (!existsSync(templates)) log.warn('boot', `${templates}: folder not found, there are no boot modes`)
  // Two writers of the same files would overwrite each other's temporary files.
  const exclusive = createMutex()
  const filesFor = (subjects: readonly BootSubject[]) => filesOf(subjects, templates, { address: server, lang })
  const replace = (files: Change[], save?: Save) =>
    replaceFiles(
      files.map(file => ({ ...file, path: join(output, file.path) })),
      save,
    )
  return {
    /** The names of the boot modes, sorted; also of modes that are unusable. */
    modes: () => listModes(templates),
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
    const pause = slices.pause()
    if (pause) await pause
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
