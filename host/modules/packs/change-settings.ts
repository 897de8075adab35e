// Stores new settings of a pack, when its schema and its own check accept them.

import type { LoadedPack } from '../../contract/loaded-module.ts'
import { isRefusal, refuse } from '../../contract/refusal.ts'
import type { Refusal, Services } from '../../contract/services.ts'
import { message } from '../../log/log.ts'
import { freeze } from '../../system/frozen.ts'
import { withTimeout } from '../../system/timeout.ts'
import { encryptedOf } from './pack-secrets.ts'
import type { Packs } from './packs.ts'
import { nameOf, type Path, secretPaths, setAt, type Values, valueAt, withDefaults, without } from './setting-values.ts'

export interface ChangeSettingsDeps {
  packs: Packs
  /** What the functions of a pack are handed. */
  services: { of(loaded: LoadedPack): Services }
}

/** Milliseconds of a `check`: it may ask another server. */
const checkMilliseconds = 10_000

export async function changeSettings(
  loaded: LoadedPack,
  settings: Readonly<Values>,
  { packs, services }: ChangeSettingsDeps,
): Promise<Refusal | undefined> {
  const { name, declared } = loaded
  const { settings: schema } = declared
  if (!schema) return refuse(`settings: expected a pack with settings, got ${name}, which has none`)
  const paths = secretPaths(schema)
  const record = packs.records.get(name) ?? {}
  const secrets = secretsOf(settings, packs.secrets.read(name, record, paths), paths)
  const open = without(settings, paths)
  const all = withDefaults(schema, structuredClone(open))
  for (const path of paths) setAt(all, path, secrets.get(nameOf(path)))
  const reason = loaded.checkSettings?.(all) ?? (await askPack(loaded, all, services.of(loaded)))
  if (reason !== undefined) return refuse(redact(reason, secrets.values()))
  return packs.records.change(name, current => {
    const encrypted = encryptedOf(settings, current, { name, paths, packs })
    return isRefusal(encrypted) ? encrypted : { ...current, settings: open, secrets: encrypted }
  })
}

/** The values of secrets, by their names: new ones, and of those that are absent the stored ones. */
function secretsOf(settings: Readonly<Values>, stored: ReadonlyMap<string, unknown>, paths: readonly Path[]) {
  const values = new Map<string, unknown>()
  for (const path of paths) {
    const value = valueAt(settings, path)
    const secret = value === undefined ? stored.get(nameOf(path)) : value
    if (secret !== undefined && secret !== null) values.set(nameOf(path), secret)
  }
  return values
}

/** Why the pack itself refuses the settings. */
async function askPack(loaded: LoadedPack, settings: Values, services: Services): Promise<string | undefined> {
  const { check } = loaded.declared
  if (!check) return undefined
  const late = new AbortController()
  const signal = AbortSignal.any([services.signal, late.signal])
  // In a function of its own: a check that is not asynchronous may throw at once.
  const ask = async () => check({ settings: freeze(settings), services: { ...services, signal } })
  try {
    const seconds = checkMilliseconds / 1000
    const answer = await withTimeout(ask(), checkMilliseconds, `the check of the pack took more than ${seconds} s`)
    if (isRefusal(answer)) return answer.refused
    return answer === undefined || answer === null
      ? undefined
      : 'check: expected a refusal or nothing, got something else'
  } catch (error) {
    return message(error)
  } finally {
    late.abort()
  }
}

/** Texts of a pack's check may have its secrets, of a refused login for example: they are for header and log. */
function redact(reason: string, secrets: Iterable<unknown>): string {
  let text = reason
  for (const secret of secrets) if (typeof secret === 'string' && secret !== '') text = text.replaceAll(secret, '***')
  return text
}
