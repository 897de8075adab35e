// The table of the routes of all commands in service, which never changes.
import type { LoadedCommand } from '../contract/loaded-command.ts'

/** The commands of one path. */
export type CommandsByMethod = Partial<Record<LoadedCommand['method'], LoadedCommand>>

/** A registered path and its commands. */
export interface CommandRoute {
  path: string
  commands: CommandsByMethod
  /** Also matches within a part of the path, and not only at its end or at a `/`. */
  isPrefix: boolean
}

/** The routes of the commands that were in service at one time. A request keeps the table that it started with. */
export interface RouteTable {
  /** The commands of exactly this path, which is how almost all requests name them. */
  at(path: string): CommandsByMethod | undefined
  /** All routes, the longest path first: a path belongs to the first route that it begins with. */
  routes: readonly CommandRoute[]
}

export function createTable(commands: readonly LoadedCommand[]): RouteTable {
  const paths = new Map<string, CommandRoute>()
  for (const loaded of commands) {
    const route = paths.get(loaded.path) ?? { path: loaded.path, commands: {}, isPrefix: false }
    route.commands[loaded.method] = loaded
    route.isPrefix ||= loaded.command.http?.prefix === true
    paths.set(loaded.path, route)
  }
  return {
    at: path => paths.get(path)?.commands,
    routes: [...paths.values()].sort((a, b) => b.path.length - a.path.length),
  }
}
