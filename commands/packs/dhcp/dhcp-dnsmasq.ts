// Answers the reservations, or the boot options, as a file for a dnsmasq elsewhere.
import type { CommandOf } from 'fleet-host'
import { hostsText, optionsText } from './_dnsmasq-files.ts'
import { readRecorded } from './_records.ts'
import type pack from './pack.ts'

const query = {
  type: 'object',
  properties: { part: { enum: ['hosts', 'options'], description: '`options`: the text for dhcp-optsfile' } },
} as const

export default {
  summary: 'Answer the reservations as a file of dnsmasq',
  group: 'DHCP',
  route: 'GET /dhcp/dnsmasq',
  mediaType: 'text/plain',
  heavy: true,
  query,
  async answer({ request: { query }, ...context }) {
    const { services, settings } = context
    const type = 'text/plain; charset=utf-8'
    if (query.part === 'options') return services.text(type, optionsText(settings))
    const recorded = await readRecorded(context)
    return services.isRefusal(recorded) ? recorded : services.text(type, hostsText(recorded.reservations))
  },
} satisfies CommandOf<{ query: typeof query; pack: typeof pack }>
