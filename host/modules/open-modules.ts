// Creates the table of commands and what fills it from the folders of command files.
import { fileURLToPath } from 'node:url'
import type { Options } from '../config/options.ts'
import type { Log } from '../log/log.ts'
import type { Events } from '../system/events.ts'
import { createLoader, type Loader } from './loader.ts'
import { createRegistry, type Registry } from './registry.ts'

const builtInFolder = { path: fileURLToPath(new URL('../../commands', import.meta.url)), origin: 'built-in' }

export function createModules(options: Options, log: Log, events: Events) {
  const registry = createRegistry()
  const folders = [builtInFolder, ...options.commands.map(path => ({ path, origin: path }))]
  return { registry, loader: createLoader({ log, events, registry, folders }) }
}

/** Also ends what commands have started and bound to `services.signal`. */
export async function closeModules(loader: Loader, registry: Registry): Promise<void> {
  await loader.close()
  registry.replace([])
}

/** Of options for commands that no file has. */
export function warnOfUnknownDeadlines({ deadlines }: Options, registry: Registry, log: Log): void {
  const names = new Set(registry.commands.map(({ name }) => name))
  for (const name of Object.keys(deadlines)) {
    if (!names.has(name)) log.warn('options', `deadlines.${name}: no command of that name is loaded`)
  }
}
