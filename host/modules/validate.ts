// Checks that a file's default export follows the contract of its kind, and compiles its schemas.
import { closest, distance } from 'fastest-levenshtein'
import { showValue } from '../log/shown-text.ts'
import { unknownKey } from '../system/validation-errors.ts'
import { version } from '../system/version.ts'
import type { CheckedFile, CheckedModule, ModulePlace } from './checked.ts'
import { validateCommand } from './validate-command.ts'
import { validateHook } from './validate-hook.ts'
import { validateOwnPack, validatePack } from './validate-pack.ts'
import { validateView } from './validate-view.ts'

/** The key that says the kind of a module. */
const kindKeys = ['route', 'on', 'every', 'cron', 'before', 'view'] as const

type KindKey = (typeof kindKeys)[number]

/** Throws an error with one line when the export breaks the contract. */
export function validateModule(place: ModulePlace, exported: unknown): CheckedFile {
  if (exported === undefined) throw new Error("file: expected 'export default { … }', got no default export")
  checkVersion(exported)
  if (place.isPackFile) return { module: validatePack(place, exported) }
  const key = kindKeyOf(exported)
  const checked = key === 'route' ? validateCommand(exported) : { module: validateOther(exported, key) }
  const ownPack = validateOwnPack(place, checked.module)
  return ownPack ? { ...checked, ownPack } : checked
}

const validateOther = (exported: unknown, key: Exclude<KindKey, 'route'>): CheckedModule =>
  key === 'view' ? validateView(exported) : validateHook(exported, key)

/** The newest contract that this daemon knows. */
const newest = 3

function checkVersion(exported: unknown): void {
  const contract = exported instanceof Object && 'contract' in exported ? exported.contract : undefined
  if (typeof contract !== 'number' || contract <= newest) return
  const needs = `it needs a daemon that knows contract ${contract}, this one has version ${version}`
  throw new Error(`contract: expected at most ${newest}, got ${contract}: ${needs}`)
}

/** Exactly one. */
function kindKeyOf(exported: unknown): KindKey {
  if (!(exported instanceof Object)) throw new Error(`module: expected an object, got ${showValue(exported)}`)
  const keys = Object.keys(exported)
  const found = kindKeys.filter(key => keys.includes(key))
  const [first] = found
  if (first !== undefined && found.length === 1) return first
  if (first !== undefined) throw new Error(`module: expected one of ${oneOf}, got ${found.join(' and ')}`)
  const misspelt = keys.find(key => key.length > 2 && distance(closest(key, kindKeys), key) <= 2)
  throw new Error(
    `module: ${misspelt === undefined ? `expected ${oneOf}, got none of them` : unknownKey(misspelt, kindKeys)}`,
  )
}

const oneOf = 'route (a command), on, every, cron or before (a hook), or view (a view)'
