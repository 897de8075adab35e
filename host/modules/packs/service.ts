// Packs as commands ask for them: their list, settings, roles, and what they have stored.
import type { Store } from '../../../stores/store.ts'
import type { LoadedPack } from '../../contract/loaded-module.ts'
import { refuse } from '../../contract/refusal.ts'
import type { PackEntry, PacksService, Refusal } from '../../contract/services.ts'
import type { Loader } from '../loader.ts'
import { type ChangeSettingsDeps, changeSettings } from './change-settings.ts'
import { type Packs, roleOf } from './packs.ts'
import { nameOf, secretPaths, without } from './setting-values.ts'

export interface PacksServiceDeps extends ChangeSettingsDeps {
  packs: Packs
  store: Pick<Store, 'documents'>
  loader: Pick<Loader, 'list' | 'renewService'>
}

export function createPacksService(deps: PacksServiceDeps): PacksService {
  const { packs, store, loader } = deps
  const { documents } = store
  const { records } = packs

  /** What `change` resolves to, for a pack that is loaded. */
  async function withPack<Result>(
    pack: string,
    change: (loaded: LoadedPack) => Promise<Result>,
  ): Promise<Result | Refusal> {
    const loaded = packs.find(pack)
    return loaded ? change(loaded) : refuse(`pack: there is no pack ${pack}`)
  }

  /** Resolves when its files are in service, or out of it. */
  async function setEnabled(pack: string, enabled: boolean): Promise<undefined> {
    await records.change(pack, record => ({ ...record, enabled }))
    await loader.renewService()
  }

  return {
    list: () => listPacks(deps),
    setSettings: (pack, settings) => withPack(pack, loaded => changeSettings(loaded, settings, deps)),
    enable: pack =>
      withPack(pack, async loaded => {
        await setEnabled(pack, true)
        const { problem } = packs.settingsOf(loaded)
        return problem === undefined ? {} : { problem }
      }),
    disable: pack => withPack(pack, () => setEnabled(pack, false)),
    setRole: (pack, role) => withPack(pack, () => records.change(pack, record => ({ ...record, role }))),
    async purge(pack) {
      const loaded = packs.find(pack)
      if (loaded && packs.isEnabled(pack, loaded.origin))
        return refuse(`pack: expected one that is disabled, got ${pack}`)
      const count = await documents.purge(pack)
      if (count === 0 && !records.get(pack)) return refuse(`pack: ${pack} has stored nothing`)
      // A pack that was disabled stays so.
      if (loaded) await records.change(pack, ({ enabled }) => (enabled === undefined ? {} : { enabled }))
      else await records.delete(pack)
      return { documents: count }
    },
  }
}

async function listPacks({ packs, store, loader }: PacksServiceDeps): Promise<PackEntry[]> {
  const sizes = new Map((await store.documents.sizes()).map(size => [size.pack, size]))
  const names = new Set([...packs.loaded().map(({ name }) => name), ...packs.records.names(), ...sizes.keys()])
  const files = loader.list()
  // The daemon's own documents.
  names.delete('')
  return [...names].sort().map(name => {
    const { documents: count = 0, bytes = 0 } = sizes.get(name) ?? {}
    return {
      name,
      ...settingsEntry(name, packs),
      files: files.filter(({ pack }) => pack === name),
      documents: count,
      bytes,
      stored: count > 0 || hasDecisions(name, packs),
    }
  })
}

/** Whether a purge deletes anything of its record: where there are files, it keeps whether the pack is enabled. */
function hasDecisions(name: string, packs: Packs): boolean {
  const keys = Object.keys(packs.records.get(name) ?? {})
  return packs.find(name) ? keys.some(key => key !== 'enabled') : keys.length > 0
}

/** Of a pack whose files are gone only what is stored. */
function settingsEntry(
  name: string,
  packs: Packs,
): Omit<PackEntry, 'name' | 'files' | 'documents' | 'bytes' | 'stored'> {
  const record = packs.records.get(name)
  const loaded = packs.find(name)
  const role = roleOf(record)
  const isSet = (secret: string) => record?.secrets?.[secret] !== undefined
  if (!loaded) {
    const secrets = Object.fromEntries(Object.keys(record?.secrets ?? {}).map(secret => [secret, true]))
    return { enabled: false, role, settings: record?.settings ?? {}, secrets, collections: [] }
  }
  const { summary, version, contract, settings: schema, collections = {} } = loaded.declared
  const { settings, problem } = packs.settingsOf(loaded)
  const paths = secretPaths(schema)
  return {
    summary,
    ...(version !== undefined && { version }),
    ...(contract !== undefined && { contract }),
    origin: loaded.origin,
    enabled: packs.isEnabled(name, loaded.origin),
    role,
    ...(schema && { settings_schema: { ...schema } }),
    settings: without(settings, paths),
    secrets: Object.fromEntries(paths.map(path => [nameOf(path), isSet(nameOf(path))])),
    collections: Object.keys(collections),
    ...(problem !== undefined && { problem }),
  }
}
