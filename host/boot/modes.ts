// Reads boot modes from the folder of boot templates, and explains why a mode cannot be used.
import { lstatSync, type Stats } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { closest } from 'fastest-levenshtein'
import { isNotFound } from '../system/fs-errors.ts'
import { readTemplate, type Template } from './template.ts'

/** The templates of a mode for BIOS machines and, where it has a twin, for UEFI machines. */
export interface Mode {
  menu: Template
  grub?: Template
}

/** The names of the regular files, sorted. */
export async function listModes(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(ignoreNotFound)) ?? []
  const stats = await Promise.all(names.map(name => stat(join(folder, name)).catch(ignoreNotFound)))
  return names.filter((_, index) => stats[index]?.isFile()).sort()
}

/** A mode's templates, or the reason why it cannot be used; for an unknown mode it contains the nearest name. */
export async function readMode(folder: string, name: string): Promise<Mode | string> {
  const mode = await findMode(folder, name)
  if (mode !== undefined) return mode
  const modes = await listModes(folder)
  const expected = modes.length === 0 ? 'a boot template' : closest(name, modes)
  return `mode: expected ${expected}, got unknown mode ${JSON.stringify(name)}`
}

/** Whether a mode can be used. Reads only the mode's own files, however many templates there are. */
export async function isUsable(folder: string, name: string): Promise<boolean> {
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
