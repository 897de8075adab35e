// The API token: from the environment, the options, or made at the first start and kept in the data folder.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Options } from './options.ts'

/** The token and where it comes from; `made` is true only for the start that made it. */
export interface Token {
  value: string
  origin: string
  made: boolean
}

/** `FLEET_API_TOKEN` wins over the options, these over the kept file. Throws when the data folder cannot be written. */
export function findToken({ rest, store }: Options, environment: NodeJS.ProcessEnv): Token {
  const given = environment.FLEET_API_TOKEN?.trim()
  if (given) return { value: given, origin: 'FLEET_API_TOKEN', made: false }
  if (rest.api_token) return { value: rest.api_token, origin: 'the options', made: false }
  const file = join(store.path, 'api_token')
  try {
    const kept = readFileSync(file, 'utf8').trim()
    if (kept !== '') return { value: kept, origin: file, made: false }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  const value = randomBytes(24).toString('hex')
  mkdirSync(store.path, { recursive: true })
  writeFileSync(file, `${value}\n`, { mode: 0o600, flush: true })
  return { value, origin: file, made: true }
}
