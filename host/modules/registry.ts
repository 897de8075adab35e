// The modules in service and the table of the commands' routes, which are always replaced as a whole.
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { LoadedPack } from '../contract/loaded-file.ts'
import type { LoadedHook, LoadedModule, LoadedView } from '../contract/loaded-module.ts'
import { createTable, type RouteTable } from './route-table.ts'

export class Registry {
  #modules: readonly LoadedModule[] = []
  #commands: readonly LoadedCommand[] = []
  #hooks: readonly LoadedHook[] = []
  #views: readonly LoadedView[] = []
  #packs: readonly LoadedPack[] = []
  #allPacks: readonly LoadedPack[] = []
  #table = createTable([])
  #names = new Map<string, LoadedCommand>()
  readonly #controllers = new Map<LoadedModule, AbortController>()
  readonly #listeners = new Set<() => void>()

  get table(): RouteTable {
    return this.#table
  }

  /** All that is in service, of each kind. */
  get modules(): readonly LoadedModule[] {
    return this.#modules
  }

  get commands(): readonly LoadedCommand[] {
    return this.#commands
  }

  get hooks(): readonly LoadedHook[] {
    return this.#hooks
  }

  get views(): readonly LoadedView[] {
    return this.#views
  }

  get packs(): readonly LoadedPack[] {
    return this.#packs
  }

  /** With those that are not enabled. */
  get allPacks(): readonly LoadedPack[] {
    return this.#allPacks
  }

  /** The command with that name, alias or id; `/`, `-` and `_` are equal in names. */
  find(name: string): LoadedCommand | undefined {
    return this.#names.get(normalize(name))
  }

  /** The hook with that name or id. */
  findHook(name: string): LoadedHook | undefined {
    return this.#hooks.find(hook => hook.name === name || hook.id === name)
  }

  /** The view with that name or id. */
  findView(name: string): LoadedView | undefined {
    return this.#views.find(view => view.name === name || view.id === name)
  }

  /** Calls the listener after each swap, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Puts these modules in service in place of the ones before. `packsOff`: loaded, but not enabled. */
  replace(modules: readonly LoadedModule[], packsOff: readonly LoadedPack[] = []): void {
    this.#modules = modules
    this.#commands = modules.filter(loaded => loaded.kind === 'command')
    this.#hooks = withNames(modules.filter(loaded => loaded.kind === 'hook'))
    this.#views = withNames(modules.filter(loaded => loaded.kind === 'view'))
    this.#packs = modules.flatMap(loaded => (loaded.kind === 'pack' ? loaded : (loaded.ownPack ?? [])))
    this.#allPacks = [...this.#packs, ...packsOff]
    this.#table = createTable(this.#commands)
    this.#names = namesOf(this.#commands)
    this.#renewSignals()
    for (const listener of this.#listeners) listener()
  }

  /** A signal that is aborted when this version goes out of service; that of a pack when it is no longer loaded. */
  signalOf(loaded: LoadedModule): AbortSignal {
    return this.#controllers.get(loaded)?.signal ?? outOfService
  }

  #renewSignals(): void {
    const inService = new Set([...this.#modules, ...this.#allPacks])
    for (const loaded of inService)
      if (!this.#controllers.has(loaded)) this.#controllers.set(loaded, new AbortController())
    for (const [loaded, controller] of this.#controllers) {
      if (inService.has(loaded)) continue
      this.#controllers.delete(loaded)
      controller.abort()
    }
  }
}

/** The signal of versions that are not in service. */
const outOfService = AbortSignal.abort()

const normalize = (name: string) => name.replaceAll(/[/_]/g, '-')

/** A name stands before the id of another command that is equal to it. */
function namesOf(commands: readonly LoadedCommand[]): Map<string, LoadedCommand> {
  const names = new Map<string, LoadedCommand>()
  for (const loaded of commands) names.set(normalize(loaded.id), loaded)
  for (const loaded of commands)
    for (const name of [loaded.name, ...(loaded.command.aliases ?? [])]) names.set(normalize(name), loaded)
  return names
}

/** Of several files of one kind with the same name each has its id as its name. */
function withNames<Loaded extends LoadedHook | LoadedView>(files: readonly Loaded[]): readonly Loaded[] {
  const fileName = ({ id, pack }: Loaded) => id.slice(pack.length + 1)
  const counts = new Map<string, number>()
  for (const loaded of files) counts.set(fileName(loaded), (counts.get(fileName(loaded)) ?? 0) + 1)
  for (const loaded of files) loaded.name = counts.get(fileName(loaded)) === 1 ? fileName(loaded) : loaded.id
  return files
}
