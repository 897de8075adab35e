// Refuses scripts of the library to those who may not run them, whatever way they take.
import type { Hook } from 'fleet-host'
import { mayRun } from './_rights.ts'
import { findScript } from './_versions.ts'
import type pack from './pack.ts'

export default {
  summary: 'Refuse scripts to those who may not run them',
  before: ['script-run'],
  async check({ payload: { script: name }, rights, collections, services }) {
    const script = await findScript({ collections }, String(name))
    if (!script) return services.refuse(`script: there is no script ${name}`)
    if (mayRun(rights, script)) return undefined
    return services.refuse(`${name}: expected one of ${script.runners.join(', ')}, got ${rights.name}`, 403)
  },
} satisfies Hook<typeof pack>
