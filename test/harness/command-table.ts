// Creates the table of commands of docs/api.md from the commands.
import type { LoadedCommand } from '../../host/contract/loaded-command.ts'

interface ObjectSchema {
  properties?: Record<string, unknown>
  required?: string[]
}

/** Returns one row: route, summary, keys of the payload (`?`: optional), request to agents. */
export function tableRow({ command }: LoadedCommand): string {
  // A payload schema describes an object.
  const { properties = {}, required = [] } = (command.payload ?? {}) as ObjectSchema
  const keys = Object.keys(properties).map(key => (required.includes(key) ? `\`${key}\`` : `\`${key}\`?`))
  const forward = command.forward ? `\`${command.forward.to}\`` : ''
  return `| \`${command.route}\` | ${command.summary} | ${keys.join(', ')} | ${forward} |`.replaceAll(/ {2,}/g, ' ')
}

/** Compares by path, GET before POST. */
export function compareCommands(a: LoadedCommand, b: LoadedCommand): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : a.method < b.method ? -1 : 1
}
