// Checks what a pack declares, that of a folder or of a single file, and compiles its schemas.
import type { LoadedPack } from '../contract/loaded-file.ts'
import type { CheckedModule, CheckedPack, ModulePlace } from './checked.ts'
import { compileContract } from './compile-contract.ts'
import { packSchema } from './pack-schema.ts'
import { closed, misplacedSecret } from './packs/setting-values.ts'
import { createSchemas } from './schemas.ts'

type Declared = LoadedPack['declared']

const checkContract = compileContract<Declared>(packSchema, 'pack')

export function validatePack(place: ModulePlace, exported: unknown): CheckedPack {
  checkName(place)
  return compilePack(checkContract(exported))
}

function checkName({ pack }: ModulePlace): void {
  if (!/^[a-z0-9-]+$/.test(pack)) throw new Error(`pack: expected a name of a-z, 0-9 and -, got ${pack}`)
}

/** Of a file outside of packs: each hook is a pack, because it acts with a role, and what declares settings or collections. */
export function validateOwnPack(place: ModulePlace, module: CheckedModule): CheckedPack | undefined {
  const { isInPack } = place
  const { contract, summary, settings, collections } = declaredIn(module)
  const key = settings ? 'settings' : collections && 'collections'
  if (isInPack && key !== undefined) throw new Error(`${key}: expected it in the file pack of this folder, got it here`)
  if (isInPack || (key === undefined && module.kind !== 'hook')) return undefined
  checkName(place)
  const declared: Declared = { summary }
  if (contract) declared.contract = contract
  if (settings) declared.settings = settings
  if (collections) declared.collections = collections
  return compilePack(declared)
}

function declaredIn(module: CheckedModule) {
  if (module.kind === 'command') return module.command
  if (module.kind === 'hook') return module.hook
  return module.kind === 'view' ? module.view : module.declared
}

function compilePack(declared: Declared): CheckedPack {
  const { compile } = createSchemas()
  const { settings, collections = {} } = declared
  const schemas = Object.entries(collections).map(([name, schema]) => [schema, `collections.${name}`] as const)
  for (const [schema, name] of settings ? [[settings, 'settings'] as const, ...schemas] : schemas) {
    const misplaced = misplacedSecret(schema, name)
    if (misplaced !== undefined) throw new Error(misplaced)
  }
  const checkDocuments = new Map(
    Object.entries(collections).map(([name, schema]) => [name, compile(schema, `collections.${name}`)]),
  )
  return { kind: 'pack', declared, checkSettings: settings && compile(closed(settings), 'settings'), checkDocuments }
}
