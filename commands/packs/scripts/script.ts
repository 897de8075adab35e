// Shows a script with its text: the newest version, or an earlier one.
import type { CommandOf, FromSchema } from 'fleet-host'
import { mayRun, mayWrite } from './_rights.ts'
import { shownScript as returns, scriptName } from './_script-schemas.ts'
import { findScript, isoTime } from './_versions.ts'
import type pack from './pack.ts'

const query = {
  type: 'object',
  required: ['script'],
  properties: {
    script: scriptName,
    version: { type: 'string', pattern: '^[1-9][0-9]{0,8}$', expected: 'a number from 1', examples: ['2'] },
  },
} as const

export default {
  summary: 'Show a script of the library, with its text',
  group: 'Scripts',
  route: 'GET /script',
  query,
  returns,
  scoped: true,
  body: 'none',
  async answer({ collections, settings, services, request: { query, rights } }) {
    const { script, version } = query
    const newest = await findScript({ collections }, script)
    if (!newest || !(mayRun(rights, newest) || mayWrite(rights, settings)))
      return services.refuse(`script: there is no script ${script}`)
    const shown = version === undefined ? newest : await findScript({ collections }, script, Number(version))
    if (!shown) return services.refuse(`version: there is no version ${version} of ${script}`)
    const versions: FromSchema<typeof returns>['versions'] = []
    for await (const { value } of collections.versions.all(`${script}/`))
      if (value.version < newest.version) versions.unshift({ version: value.version, by: value.by, ...isoTime(value) })
    versions.unshift({ version: newest.version, by: newest.by, ...isoTime(newest) })
    return { script, ...shown, ...isoTime(shown), versions }
  },
} satisfies CommandOf<{ query: typeof query; returns: typeof returns; pack: typeof pack }>
