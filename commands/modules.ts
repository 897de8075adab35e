// Lists the module files: the version of each that is in service, and the error of its newest content.
import type { CommandOf } from 'fleet-host'
import { described, list, object, text } from './_schemas/objects.ts'
import { moduleFile } from './_schemas/server.ts'

const elsewhere = object({
  command: described(text, 'its name, behind its kind unless it is a command', 'hook lab/tidy'),
  hosts: list(text),
})

const returns = object({
  modules: list(moduleFile),
  'elsewhere?': list(elsewhere, 'modules that only other hosts have'),
})

export default {
  summary: 'List commands, hooks, views and packs',
  group: 'Modules',
  route: 'GET /modules',
  returns,
  scoped: true,
  answer({ services: { modules } }) {
    const others = modules.elsewhere?.() ?? []
    return { modules: modules.list(), ...(others.length > 0 && { elsewhere: others }) }
  },
} satisfies CommandOf<{ returns: typeof returns }>
