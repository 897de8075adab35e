// Hooks, or views, of several packs with one file name: they are addressed as `pack/file`.
import type { LoadedHook, LoadedModule, LoadedView } from '../contract/loaded-module.ts'

type Named = LoadedHook | LoadedView

const hasFileName = ({ id }: Named, name: string) => id.endsWith(`/${name}`)

/** The names of all with the file name of this one, of its kind; undefined when it is the only one. */
export function namesakesOf(loaded: LoadedModule, modules: readonly LoadedModule[]): string | undefined {
  if ((loaded.kind !== 'hook' && loaded.kind !== 'view') || loaded.name !== loaded.id) return undefined
  const name = loaded.id.slice(loaded.pack.length + 1)
  const ids = modules.flatMap(each => (each.kind === loaded.kind && hasFileName(each, name) ? each.id : []))
  return `${loaded.kind}s with this file name are ${ids.sort().join(' and ')}`
}

/** Why none has this name; `kind`: `hook` or `view`. */
export function explainUnknown(kind: Named['kind'], name: string, modules: readonly Named[]): string {
  const ids = modules.flatMap(each => (hasFileName(each, name) ? each.id : []))
  if (ids.length > 0) return `${kind}: expected ${ids.sort().join(' or ')}, got ${name}`
  return `${kind}: there is no ${kind} ${name}`
}
