// What lists of modules say of one file.
import type { LoadedModule } from '../contract/loaded-module.ts'
import type { ModuleEntry } from '../contract/services.ts'
import { describeModule } from './describe-module.ts'
import type { TrackedFile } from './tracked-file.ts'

export function entryOf(tracked: TrackedFile): ModuleEntry {
  const { file, origin, place, served, off, newest, problem, versions } = tracked
  const loaded = served ?? off ?? newest
  const state = served ? 'in service' : off ? 'off' : 'broken'
  const entry: ModuleEntry = { file, command: served?.name ?? place.name, state, origin, versions }
  if (loaded) {
    entry.kind = loaded.kind
    entry.contract = declaredIn(loaded).contract ?? (loaded.kind === 'command' && !place.isInPack ? 2 : 3)
    entry.does = describeModule(loaded)
  }
  if (place.isInPack || (loaded && loaded.kind !== 'pack' && loaded.ownPack)) entry.pack = place.pack
  if (served) {
    entry.version = served.version
    entry.loaded_at = served.loadedAt.toISOString()
  }
  if (served?.kind === 'command') {
    entry.route = served.command.route
    if (served.command.forward) entry.forward = served.command.forward.to
  }
  if (problem !== undefined) entry.error = problem
  return entry
}

function declaredIn(loaded: LoadedModule): { contract?: 2 | 3 } {
  switch (loaded.kind) {
    case 'command':
      return loaded.command
    case 'hook':
      return loaded.hook
    case 'view':
      return loaded.view
    case 'pack':
      return loaded.declared
  }
}
