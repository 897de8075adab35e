// The folder of boot templates: which modes there are, and what is wrong with one that cannot be used.
import { lstatSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { closest } from 'fastest-levenshtein'
import { readTemplate, type Template } from './template.ts'

/** The templates of a mode for BIOS machines and, where it has a twin, for UEFI machines. */
export interface Mode {
  menu: Template
  grub?: Template
}

/** The names of the regular files, sorted. */
export async function listModes(folder: string): Promise<string[]> {
  const names = (await readdir(folder).catch(ifAbsent)) ?? []
  const found = await Promise.all(names.map(name => stat(join(folder, name)).catch(ifAbsent)))
  return names.filter((_, index) => found[index]?.isFile()).sort()
}

/** A mode's templates, or the reason why it cannot be used, with the nearest name for one that no template has. */
export async function readMode(folder: string, name: string): Promise<Mode | string> {
  const mode = await lookUp(folder, name)
  const known = mode ? [] : await listModes(folder)
  const right = known.length === 0 ? '' : `; ${closest(name, known)} would be right`
  return mode ?? `mode: there is no such template, got ${JSON.stringify(name)}${right}`
}

/** Whether a mode can be used: that costs no more than its own files, however many templates there are. */
export async function isUsable(folder: string, name: string): Promise<boolean> {
  return typeof ((await lookUp(folder, name)) ?? '') !== 'string'
}

/** As `readMode`, but undefined for a name that no template has. */
async function lookUp(folder: string, name: string): Promise<Mode | string | undefined> {
  if (/[/\\\0]/.test(name) || ['', '.', '..'].includes(name)) return `mode: no file name, got ${JSON.stringify(name)}`
  const menu = await readFileOf(folder, name)
  const grub = await readFileOf(folder, `uefi/${name}`)
  if (typeof menu === 'string') return menu
  if (typeof grub === 'string') return grub
  return menu && (grub ? { menu, grub } : { menu })
}

/** The template in a file, undefined when nothing has that name; a string says what is wrong with it. */
async function readFileOf(folder: string, name: string): Promise<Template | string | undefined> {
  const path = join(folder, name)
  if (!isThere(path)) return undefined
  const found = await stat(path).catch(ifAbsent)
  if (!found?.isFile()) return `boot template ${name}: no regular file`
  const text = await readFile(path, 'utf8')
  const line = JSON.stringify(text.split('\n', 1)[0]?.slice(0, 80))
  const wrong = `boot template ${name}: no marker with a name in its first line, got ${line}`
  return readTemplate(text) ?? `${wrong}; ##BOOT-TEMPLATE ${name} would be right`
}

/** Without a turn of the thread pool: every computer that is added asks, and the system knows it by heart. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (error) {
    ifAbsent(error)
    return false
  }
}

/** What is said of a name that no file has; a link that leads nowhere is no file. */
const absent = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG']

function ifAbsent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && absent.includes(String(error.code))) return undefined
  throw error
}
