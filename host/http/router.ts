// Sends each request to the commands of the longest registered path that its own path begins with.
import Router from '@koa/router'
import type { CommandRoute, CommandsByMethod, RouteTable } from '../modules/route-table.ts'
import type { Refusing, RequestContext, RequestMiddleware, RequestState } from './request-context.ts'

/** Answers a request whose path belongs to these commands, also with a method that none of them has. */
export type HandleRequest = (ctx: RequestContext, commands: CommandsByMethod) => Promise<void>

export function routeRequests(handle: HandleRequest): RequestMiddleware {
  // A table never changes, and most tables never see a path that is longer than its route.
  const routers = new WeakMap<RouteTable, RequestMiddleware>()
  return (ctx, next) => {
    const { table } = ctx.state
    if (!table) return next()
    const commands = table.at(ctx.path)
    // A whole path is its own longest prefix: no need to try the routes one by one.
    if (commands) return handle(ctx, commands)
    const route = routers.get(table) ?? createRouter(table, handle)
    routers.set(table, route)
    return route(ctx, next)
  }
}

function createRouter({ routes }: RouteTable, handle: HandleRequest): RequestMiddleware {
  const router = new Router<RequestState, Refusing>()
  // The router runs the first route that matches, and `routes` begins with the longest path.
  for (const route of routes) router.all(patternOf(route), ctx => handle(ctx, route.commands))
  // `as`: its type asks for a context with `params` and `router`, which it adds by itself.
  return router.routes() as RequestMiddleware
}

/** A regular expression is case-sensitive; as a string, the router would match a path in any case. */
function patternOf({ path, isPrefix }: CommandRoute): RegExp {
  const prefix = path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${prefix}${isPrefix ? '' : '(?=/|$)'}`)
}
