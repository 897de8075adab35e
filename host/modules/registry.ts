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

export class Registry {
  #commands: readonly LoadedCommand[] = []
  #table = createTable([])
  #names = new Map<string, LoadedCommand>()
  readonly #controllers = new Map<LoadedCommand, AbortController>()

  get table(): RouteTable {
    return this.#table
  }

  get commands(): readonly LoadedCommand[] {
    return this.#commands
  }

  /** The command with that name or alias; `/`, `-` and `_` are equal in names. */
  find(name: string): LoadedCommand | undefined {
    return this.#names.get(normalize(name))
  }

  /** Puts these commands in service in place of the ones before. */
  replace(commands: readonly LoadedCommand[]): void {
    this.#table = createTable(commands)
    this.#commands = commands
    const namesOf = ({ name, command }: LoadedCommand) => [name, ...(command.aliases ?? [])]
    this.#names = new Map(commands.flatMap(loaded => namesOf(loaded).map(name => [normalize(name), loaded])))
    const inService = new Set(commands)
    for (const loaded of commands)
      if (!this.#controllers.has(loaded)) this.#controllers.set(loaded, new AbortController())
    for (const [loaded, controller] of this.#controllers) {
      if (inService.has(loaded)) continue
      this.#controllers.delete(loaded)
      controller.abort()
    }
  }

  /** A signal that is aborted when this version goes out of service. */
  signalOf(loaded: LoadedCommand): AbortSignal {
    return this.#controllers.get(loaded)?.signal ?? outOfService
  }
}

/** The signal of versions that are not in service. */
const outOfService = AbortSignal.abort()

const normalize = (name: string) => name.replaceAll(/[/_]/g, '-')

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
