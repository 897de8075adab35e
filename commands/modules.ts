// Lists the command files: the version of each that is in service, and the error of its newest content.
import type { Command } from 'fleet-host'
import { like, list, object, text } from './_schemas/objects.ts'
import { commandFile } from './_schemas/server.ts'

const elsewhere = object({ command: like(text, 'shell-run'), hosts: list(text) })

export default {
  summary: 'List command modules',
  group: 'Server',
  route: 'GET /modules',
  returns: object({
    modules: list(commandFile),
    'elsewhere?': list(elsewhere, 'commands that only other hosts have'),
  }),
  scoped: true,
  answer({ services: { modules } }) {
    const others = modules.elsewhere?.() ?? []
    return { modules: modules.list(), ...(others.length > 0 && { elsewhere: others }) }
  },
} satisfies Command
