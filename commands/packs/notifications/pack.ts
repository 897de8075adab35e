// Tells people and programs what happens in the fleet: by webhooks, mail and chat messages.
import type { Pack } from 'fleet-host'
import { addressProblem } from './_addresses.ts'
import { verifyMail } from './_mail.ts'
import { collections, settings } from './_schemas.ts'
import { quietProblem } from './_times.ts'

export default {
  contract: 3,
  summary: 'Webhooks, mail and chat messages about what happens in the fleet',
  version: '1.0.0',
  settings,
  collections,
  async check({ settings, services }) {
    const problem = quietProblem(settings.quiet) ?? addressProblem(settings.allowed) ?? (await verifyMail(settings))
    return problem === undefined ? undefined : services.refuse(problem)
  },
} as const satisfies Pack<typeof settings>
