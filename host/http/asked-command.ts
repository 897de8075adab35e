// The command that a request asks for, before it is routed: it says how the request is checked and read.
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { CommandsByMethod } from '../modules/route-table.ts'
import type { RequestContext } from './request-context.ts'

export type AskedCommand = LoadedCommand['command']

/** The one of a method; any other method is a POST. HEAD is for open files only: firmware asks for their length so. */
export function ofMethod(commands: CommandsByMethod | undefined, method: string | undefined) {
  if (method === 'GET' || method === 'DELETE') return commands?.[method]
  if (method !== 'HEAD') return commands?.POST
  const { GET: file } = commands ?? {}
  return file?.command.http?.rest && file.access === 'none' ? file : undefined
}

/** The command of exactly this path. */
export const commandAt = ({ state, path, method }: RequestContext): AskedCommand | undefined =>
  ofMethod(state.table?.at(path), method)?.command

/** The command that serves the paths below its own, of which this is one. */
export function commandAbove({ state, path, method }: RequestContext): AskedCommand | undefined {
  const route = state.table?.routes.find(each => path.startsWith(`${each.path}/`))
  const command = ofMethod(route?.commands, method)?.command
  return command?.http?.rest ? command : undefined
}

export const commandOf = (ctx: RequestContext): AskedCommand | undefined => commandAt(ctx) ?? commandAbove(ctx)
