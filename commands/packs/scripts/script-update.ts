// Changes a script: absent fields keep their values, and what it was before stays as a version.
import type { CommandOf } from 'fleet-host'
import { mayWrite } from './_rights.ts'
import { scriptFields, scriptName, strict } from './_script-schemas.ts'
import { scriptProblem } from './_values.ts'
import { keptVersions, versionKey } from './_versions.ts'
import type pack from './pack.ts'

const payload = strict(['script'], { script: scriptName, ...scriptFields })

export default {
  summary: 'Change a script of the library: it gets the next version',
  group: 'Scripts',
  example: { script: 'Update', text: 'echo "new: $edition"' },
  route: 'POST /script/update',
  assistants: false,
  access: 'operate',
  payload,
  async answer({ payload: { script, ...change }, collections, settings, services, request: { rights } }) {
    const { scripts, versions } = collections
    if (!mayWrite(rights, settings)) return services.refuse('expected one of the editors of scripts', 403)
    const stored = await scripts.get(script)
    if (!stored) return services.refuse(`script: there is no script ${script}`)
    const { version } = stored.value
    const value = { ...stored.value, ...change, version: version + 1, changed: services.now(), by: rights.name }
    const problem = scriptProblem(value)
    if (problem !== undefined) return services.refuse(problem)
    // First: a crash between the two leaves a copy of the newest, and loses nothing.
    await versions.put(versionKey(script, version), stored.value)
    const result = await scripts.put(script, value, { version: stored.version })
    if (result === undefined) return services.refuse('script: somebody else has just changed it')
    await versions.delete(versionKey(script, version + 1 - keptVersions))
  },
} satisfies CommandOf<{ payload: typeof payload; pack: typeof pack }>
