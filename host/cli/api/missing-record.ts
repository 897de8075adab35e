// What may be meant where the daemon says that there is no record of that name.
import { CliError } from '../cli-error.ts'
import type { ApiClient } from './client.ts'
import { nearName } from './near-name.ts'
import { isKind, readRecords } from './records.ts'

const pattern = /^there is no (\w+) (\D.*)$/

/** `there is no image wim; maybe meant: win`; any other error as it is. */
export async function withNearName(error: unknown, connect: () => ApiClient): Promise<unknown> {
  if (!(error instanceof CliError) || error.status !== 400) return error
  const [, kind = '', name = ''] = pattern.exec(error.message) ?? []
  if (!isKind(kind)) return error
  // Callers may not be allowed to list them.
  const near = nearName(name, await readRecords(connect(), kind).catch(() => []))
  const hint = near === undefined ? `fleet ${kind} list lists them` : `maybe meant: ${near}`
  return new CliError(`${error.message}; ${hint}`, { status: error.status })
}
