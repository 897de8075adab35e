// Runs a check script, whose first printed word says whether it went well.
import type { Command } from 'fleet-host'
import { firstWord } from './parts/words.ts'

const payload = {
  type: 'object',
  required: ['clients', 'number'],
  properties: { clients: { $ref: 'clients' }, number: { $ref: 'id' } },
} as const

const reply = { type: 'object', required: ['out'], properties: { out: { type: 'string' } } } as const

export default {
  summary: 'Run a check',
  route: 'POST /check/run',
  payload,
  endsFailures: true,
  checkRights: ({ payload, rights, services }) =>
    Number(payload.number) > 9 ? services.refuse(`number: ${rights.name} may run checks 1 to 9`, 403) : undefined,
  forward: {
    to: 'POST /shell/run',
    body: ({ payload }) => ({ run: `/opt/checks/${payload.number}`, echo: true }),
    statusReasons: { 400: 'this agent runs no scripts', 507: 'no space' },
    reply,
    checkReply: ({ reply, payload, services }) =>
      reply.out.startsWith(`${payload.number} `) ? undefined : services.refuse(`number: expected ${payload.number}`),
    onReply({ reply, client, services }) {
      client.setOutput(reply.out)
      services.log.info(`${client.addr} replied`)
      const word = firstWord(reply.out.slice(reply.out.indexOf(' ') + 1))
      return word === 'ok' ? true : { result: 'failure', reason: `check says ${word}` }
    },
  },
} satisfies Command<typeof payload, typeof reply>
