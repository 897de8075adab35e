// The commands in service and the table of their routes, which is always replaced as a whole.
import type { LoadedCommand } from '../contract/loaded-command.ts'

/** The commands of one path. */
export type CommandsByMethod = Partial<Record<'GET' | 'POST', LoadedCommand>>

/** A registered path and its commands. */
export interface CommandRoute {
  path: string
  commands: CommandsByMethod
  /** A command reads the rest of the path, so the route matches only at the end of a path or at a `/`. */
  hasRest: boolean
}

/** The routes of the commands that were in service at one time. A request keeps the table that it started with. */
export interface RouteTable {
  /** The commands of exactly this path, which is how almost all requests name them. */
  at(path: string): CommandsByMethod | undefined
  /** All routes, the longest path first: a path belongs to the first route that it begins with. */
  routes: readonly CommandRoute[]
}

export interface Registry {
  readonly table: RouteTable
  readonly commands: readonly LoadedCommand[]
  /** The command with that name or alias; `/`, `-` and `_` are equal in names. */
  find(name: string): LoadedCommand | undefined
  /** Puts these commands in service in place of the ones before. */
  replace(commands: readonly LoadedCommand[]): void
  /** A signal that is aborted when this version goes out of service. */
  signalOf(loaded: LoadedCommand): AbortSignal
}

export function createRegistry(): Registry {
  let commands: readonly LoadedCommand[] = []
  let table = createTable(commands)
  let names = indexByName(commands)
  const controllers = new Map<LoadedCommand, AbortController>()
  return {
    get table() {
      return table
    },
    get commands() {
      return commands
    },
    find: name => names.get(normalize(name)),
    replace(next) {
      table = createTable(next)
      commands = next
      names = indexByName(next)
      const inService = new Set(next)
      for (const loaded of next) if (!controllers.has(loaded)) controllers.set(loaded, new AbortController())
      for (const [loaded, controller] of controllers) {
        if (inService.has(loaded)) continue
        controllers.delete(loaded)
        controller.abort()
      }
    },
    signalOf: loaded => controllers.get(loaded)?.signal ?? outOfService,
  }
}

/** The signal of versions that are not in service. */
const outOfService = AbortSignal.abort()

const normalize = (name: string) => name.replaceAll(/[/_]/g, '-')

function indexByName(commands: readonly LoadedCommand[]): Map<string, LoadedCommand> {
  const index = new Map<string, LoadedCommand>()
  for (const loaded of commands) {
    for (const name of [loaded.name, ...(loaded.command.aliases ?? [])]) index.set(normalize(name), loaded)
  }
  return index
}

function createTable(commands: readonly LoadedCommand[]): RouteTable {
  const paths = new Map<string, CommandRoute>()
  for (const loaded of commands) {
    const route = paths.get(loaded.path) ?? { path: loaded.path, commands: {}, hasRest: false }
    route.commands[loaded.method] = loaded
    route.hasRest ||= loaded.command.rest === true
    paths.set(loaded.path, route)
  }
  return {
    at: path => paths.get(path)?.commands,
    routes: [...paths.values()].sort((a, b) => b.path.length - a.path.length),
  }
}
