// Finds the API token in the environment, the options or the data folder; the first start generates one.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isNotFound } from '../system/fs-errors.ts'
import type { Options } from './options.ts'

/** The token and its source; `isNew` is true only at the start that generated it. */
export interface Token {
  value: string
  origin: string
  isNew: boolean
}

/** `FLEET_API_TOKEN` overrides the options, these override the file. Throws when the data folder cannot be written. */
export function findToken({ rest, store }: Options, environment: NodeJS.ProcessEnv): Token {
  const fromEnvironment = environment.FLEET_API_TOKEN?.trim()
  if (fromEnvironment) return { value: fromEnvironment, origin: 'FLEET_API_TOKEN', isNew: false }
  if (rest.api_token) return { value: rest.api_token, origin: 'the options', isNew: false }
  const file = join(store.path, 'api_token')
  try {
    const stored = readFileSync(file, 'utf8').trim()
    if (stored !== '') return { value: stored, origin: file, isNew: false }
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
  const value = randomBytes(24).toString('hex')
  mkdirSync(store.path, { recursive: true })
  writeFileSync(file, `${value}\n`, { mode: 0o600, flush: true })
  return { value, origin: file, isNew: true }
}
