// Adds a script to the library.
import type { CommandOf } from 'fleet-host'
import { mayWrite } from './_rights.ts'
import { scriptFields, scriptName, strict } from './_script-schemas.ts'
import { scriptProblem } from './_values.ts'
import type pack from './pack.ts'

const { language, parameters, runners, description } = scriptFields

const payload = strict(['script', 'text'], {
  ...scriptFields,
  script: scriptName,
  language: { ...language, default: 'sh' },
  parameters: { ...parameters, default: [] },
  runners: { ...runners, default: [] },
  description: { ...description, default: '' },
})

export default {
  summary: 'Add a script to the library',
  group: 'Scripts',
  example: {
    script: 'Update',
    text: 'echo "edition: $edition"',
    parameters: [{ name: 'edition', type: 'text', choices: ['small', 'full'], default: 'small' }],
  },
  route: 'POST /script/add',
  assistants: false,
  access: 'operate',
  payload,
  async answer({ payload: { script, ...fields }, collections, settings, services, request: { rights } }) {
    if (!mayWrite(rights, settings)) return services.refuse('expected one of the editors of scripts', 403)
    const value = { ...fields, version: 1, changed: services.now(), by: rights.name }
    const problem = scriptProblem(value)
    if (problem !== undefined) return services.refuse(problem)
    const stored = await collections.scripts.put(script, value, { version: 0 })
    return stored === undefined ? services.refuse(`script: there is one with the name ${script}`) : undefined
  },
} satisfies CommandOf<{ payload: typeof payload; pack: typeof pack }>
