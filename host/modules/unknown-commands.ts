// Warns of hooks that decide before a command that no file has: perhaps it is misspelt.
import { closest } from 'fastest-levenshtein'
import type { LoadedHook } from '../contract/loaded-module.ts'
import type { Log } from '../log/log.ts'
import type { Registry } from './registry.ts'

/** One line for each name of each version, after the swap that brought it into service or took the command out. */
export function warnOfUnknownCommands(registry: Registry, log: Log): void {
  const warned = new WeakMap<LoadedHook, Set<string>>()
  registry.onChange(() => {
    for (const loaded of registry.hooks) {
      const names = warned.get(loaded) ?? new Set()
      warned.set(loaded, names)
      for (const name of loaded.hook.before ?? []) {
        if (names.has(name) || registry.find(name) || registry.commands.length === 0) continue
        names.add(name)
        const nearest = closest(
          name,
          registry.commands.map(command => command.name),
        )
        log.warn('modules', `${loaded.file}: before: there is no command ${name}, the nearest is ${nearest}`)
      }
    }
  })
}
