// Deletes a script that no procedure runs, with its versions.
import type { CommandOf } from 'fleet-host'
import { mayWrite } from './_rights.ts'
import { scriptName, strict } from './_script-schemas.ts'
import type pack from './pack.ts'

const payload = strict(['script'], { script: scriptName })

export default {
  summary: 'Delete a script of the library, with its versions',
  group: 'Scripts',
  example: { script: 'Update' },
  route: 'POST /script/delete',
  confirm: 'ask',
  access: 'operate',
  payload,
  async answer({ payload: { script }, collections: { scripts, versions }, settings, services, request }) {
    if (!mayWrite(request.rights, settings)) return services.refuse('expected one of the editors of scripts', 403)
    const user = (await services.store.procedures.list()).find(({ steps }) =>
      steps.some(step => 'command' in step && step.command === 'script-run' && step.params.script === script),
    )
    if (user) return services.refuse(`script: expected one that no procedure runs, but ${user.name} does`)
    // First: after a crash the script is there, or nothing of it.
    for await (const { key } of versions.all(`${script}/`)) await versions.delete(key)
    return (await scripts.delete(script)) ? undefined : services.refuse(`script: there is no script ${script}`)
  },
} satisfies CommandOf<{ payload: typeof payload; pack: typeof pack }>
