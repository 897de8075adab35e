// Finds the API token in the environment, the options or the data folder; the first start generates one.
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { isNotFound } from '../system/fs-errors.ts'
import { createDataFolder } from './data-folder.ts'
import type { Options } from './options.ts'

/** The token and its source; `isNew` is true only at the start that generated it. */
export interface Token {
  value: string
  origin: string
  isNew: boolean
}

/** The file of a generated token. */
export const tokenFile = ({ store }: Pick<Options, 'store'>): string => join(store.path, 'api_token')

/**
 * `FLEET_API_TOKEN` overrides the options, these override the file. Undefined when there is none, or the file is empty;
 * throws when it cannot be read.
 */
export function readToken(options: Options, environment: NodeJS.ProcessEnv): Token | undefined {
  const fromEnvironment = environment.FLEET_API_TOKEN?.trim()
  if (fromEnvironment) return { value: fromEnvironment, origin: 'FLEET_API_TOKEN', isNew: false }
  if (options.rest.api_token) return { value: options.rest.api_token, origin: 'the options', isNew: false }
  const file = tokenFile(options)
  try {
    const value = readFileSync(file, 'utf8').trim()
    return value === '' ? undefined : { value, origin: file, isNew: false }
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** As `readToken`, but generates a token where there is none. Throws when the data folder cannot be written. */
export function findToken(options: Options, environment: NodeJS.ProcessEnv): Token {
  const token = readToken(options, environment)
  if (token) return token
  createDataFolder(options.store.path)
  return { value: generateToken(options), origin: tokenFile(options), isNew: true }
}

/**
 * Writes a new token of 192 random bits to its file, which has the old token or the new one at every moment, and returns
 * it. The file belongs to the owner of the old one, or of the folder: root may do this for the daemon's user.
 */
export function generateToken(options: Options): string {
  const file = tokenFile(options)
  const folder = dirname(file)
  const unfinished = `${file}.tmp`
  const { uid, gid } = statSync(file, { throwIfNoEntry: false }) ?? statSync(folder)
  const value = randomBytes(24).toString('hex')
  rmSync(unfinished, { force: true })
  withDescriptor(openSync(unfinished, 'wx', 0o600), descriptor => {
    writeFileSync(descriptor, `${value}\n`)
    // By descriptor: the folder's owner could put a link in the place of the file.
    if (process.getuid?.() === 0) fchownSync(descriptor, uid, gid)
    fsyncSync(descriptor)
  })
  renameSync(unfinished, file)
  withDescriptor(openSync(folder, 'r'), fsyncSync)
  return value
}

function withDescriptor(descriptor: number, work: (descriptor: number) => void): void {
  try {
    work(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
