// Lends computers of labs to brokers of remote sessions: UDS Enterprise and OpenRLabs.
import type { Pack } from 'fleet-host'
import { collections, settings } from './_schemas.ts'

export default {
  contract: 3,
  summary: 'Lends lab computers to UDS Enterprise and OpenRLabs',
  version: '1.0.0',
  settings,
  collections,
  async check({ settings, services }) {
    const { where, images } = settings
    const refusal = where === '' ? undefined : await services.search.check({ where })
    if (refusal) return refusal
    for (const name of images)
      if (!(await services.store.images.find(name))) return services.refuse(`images: there is no image ${name}`)
    return undefined
  },
} as const satisfies Pack<typeof settings>
