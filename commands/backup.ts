// Sends the whole store as a backup file, as `fleet store backup` writes it.
import type { CommandOf } from 'fleet-host'

const lines = `{"backup":"fleet-host","format":1,"taken":"2026-09-14T08:00:00.000Z"}
["centers",{"id":1,"name":"Science faculty","comment":""}]
{"entries":1,"sha256":"…"}
`

const returns = { type: 'string', examples: [lines] } as const

export default {
  summary: 'Download a backup of all records, with the hashes of tokens and passwords',
  group: 'Server',
  route: 'GET /backup',
  access: 'admin',
  returns,
  mediaType: 'application/jsonl',
  answer({ services, request }) {
    services.log.info(`backup for ${request.rights.name} at ${request.caller}`)
    const headers = {
      'Content-Disposition': `attachment; filename="fleet-${new Date().toISOString().slice(0, 'yyyy-mm-dd'.length)}.jsonl"`,
      'Cache-Control': 'no-store',
    }
    return services.text('application/jsonl', services.backup.blocks(), 200, headers)
  },
} satisfies CommandOf<{ returns: typeof returns }>
