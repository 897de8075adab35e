// The rows of the README's table of commands, made from the commands themselves.
import type { Loaded } from '../../host/modules/registry.ts'

/** One row: route, what it does, the payload's keys with `?` at those that may be left out, what agents are sent. */
export function tableRow({ command }: Loaded): string {
  const { properties = {}, required = [] } = Object(command.payload)
  const keys = Object.keys(properties).map(key => (required.includes(key) ? `\`${key}\`` : `\`${key}\`?`))
  const forward = command.forward ? `\`${command.forward.to}\`` : ''
  return `| \`${command.route}\` | ${command.summary} | ${keys.join(', ')} | ${forward} |`.replaceAll(/ {2,}/g, ' ')
}

/** The order of the table: by path, GET before POST. */
export function inTableOrder(a: Loaded, b: Loaded): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : a.method < b.method ? -1 : 1
}
