// Reads what the last script on each listed client printed.
import type { Command } from 'fleet-host'

const payload = { type: 'object', required: ['clients'], properties: { clients: { $ref: 'clients' } } } as const

export default {
  summary: 'Read the output of the last shell script',
  example: { clients: ['10.1.1.20'] },
  route: 'POST /shell/output',
  payload,
  async answer(sent, { store, fleet }) {
    const known = await Promise.all(
      sent.clients.map(async addr => fleet.has(addr) || (await store.computers.find(addr)) !== undefined),
    )
    const listed = sent.clients.filter((_, index) => known[index])
    return { clients: listed.map(addr => ({ addr, output: fleet.output(addr) })) }
  },
} satisfies Command<typeof payload>
