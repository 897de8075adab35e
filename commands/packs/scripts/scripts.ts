// Lists the scripts that the caller may run or write.
import type { CommandOf, FromSchema } from 'fleet-host'
import { mayRun, mayWrite } from './_rights.ts'
import { listedScript } from './_script-schemas.ts'
import { isoTime } from './_versions.ts'
import type pack from './pack.ts'

const returns = {
  type: 'object',
  required: ['scripts'],
  properties: { scripts: { type: 'array', items: listedScript, description: 'in the order of their names' } },
} as const

export default {
  summary: 'List the scripts of the library',
  group: 'Scripts',
  route: 'GET /scripts',
  returns,
  scoped: true,
  body: 'none',
  async answer({ collections, settings, request: { rights } }) {
    const scripts: FromSchema<typeof listedScript>[] = []
    for await (const { key, value } of collections.scripts.all()) {
      const { text: _, ...fields } = value
      if (mayRun(rights, value) || mayWrite(rights, settings))
        scripts.push({ script: key, ...fields, ...isoTime(value) })
    }
    return { scripts }
  },
} satisfies CommandOf<{ returns: typeof returns; pack: typeof pack }>
