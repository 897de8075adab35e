// The commands in service, and the router table over their routes, which is always replaced whole.
import Router from '@koa/router'
import type { Context } from 'koa'
import type { Command } from '../command.ts'
import type { CheckedCommand } from './validate.ts'

/** A command in service: one version of one file. */
export interface Loaded extends CheckedCommand {
  file: string
  /** `built-in`, or the site's folder. */
  origin: string
  /** Counts the file's versions from 1. */
  version: number
  loadedAt: Date
}

/** The commands that share a path, by method. */
export type Methods = Partial<Record<'GET' | 'POST', Loaded>>

/** What a request keeps for as long as it lasts. */
export interface Table {
  /** Runs `serve` for the longest registered prefix of the path, the next middleware when there is none. */
  middleware: ReturnType<Router['middleware']>
  /** Whether a path is served without a token: `open`, by the option of that name where it has one. */
  open(method: string, path: string): Command['open']
  /** Whether the token may come in the query. */
  takesQueryToken(method: string, path: string): boolean
}

export interface Registry {
  readonly table: Table
  readonly commands: readonly Loaded[]
  /** The command of that name or alias; `/`, `-` and `_` are the same in it. */
  find(name: string): Loaded | undefined
  /** Puts these commands in service, and only these. */
  replace(commands: readonly Loaded[]): void
}

/** `serve` answers a request whose path belongs to these commands, whatever its method is. */
export function createRegistry(serve: (ctx: Context, methods: Methods) => Promise<void>): Registry {
  let commands: readonly Loaded[] = []
  let table = createTable(commands, serve)
  let names = namesOf(commands)
  return {
    get table() {
      return table
    },
    get commands() {
      return commands
    },
    find: name => names.get(plain(name)),
    replace(next) {
      table = createTable(next, serve)
      commands = next
      names = namesOf(next)
    },
  }
}

const plain = (name: string) => name.replaceAll(/[/_]/g, '-')

function namesOf(commands: readonly Loaded[]): Map<string, Loaded> {
  const byName = (loaded: Loaded) =>
    [loaded.name, ...(loaded.command.aliases ?? [])].map(name => [plain(name), loaded] as const)
  return new Map(commands.flatMap(byName))
}

function createTable(commands: readonly Loaded[], serve: (ctx: Context, methods: Methods) => Promise<void>): Table {
  const paths = new Map<string, Methods>()
  for (const loaded of commands) paths.set(loaded.path, { ...paths.get(loaded.path), [loaded.method]: loaded })
  const router = new Router()
  // The first layer that matches answers: the longest prefix first. A regular expression minds case, a string does not.
  const longestFirst = [...paths].sort(([a], [b]) => b.length - a.length)
  for (const [path, methods] of longestFirst) {
    const prefix = path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
    // A path whose rest means something is not the beginning of another word.
    const end = methods.GET?.command.rest || methods.POST?.command.rest ? '(?=/|$)' : ''
    router.all(new RegExp(`^${prefix}${end}`), ctx => serve(ctx, methods))
  }
  const at = (method: string, path: string) =>
    method === 'GET' || method === 'POST' ? paths.get(path)?.[method]?.command : undefined
  const route = router.routes()
  // A whole path is its own longest prefix, and almost all requests name one.
  const middleware: Table['middleware'] = (ctx, next) => {
    const methods = paths.get(ctx.path)
    return methods ? serve(ctx, methods) : route(ctx, next)
  }
  return {
    middleware,
    open: (method, path) => at(method, path)?.open,
    takesQueryToken: (method, path) => at(method, path)?.queryToken === true,
  }
}
