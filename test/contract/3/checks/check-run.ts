// Runs a script on the listed clients, and keeps what it has found.
import type { CommandOf } from 'fleet-host'
import { firstWord } from './_parts/words.ts'
import type pack from './pack.ts'

const payload = {
  type: 'object',
  required: ['clients', 'number'],
  properties: { clients: { $ref: 'clients' }, number: { $ref: 'id' }, quiet: { type: 'boolean', proposed: true } },
} as const

const reply = { type: 'object', required: ['out'], properties: { out: { type: 'string' } } } as const

export default {
  contract: 3,
  summary: 'Check computers',
  group: 'Checks',
  example: { clients: ['10.1.1.20'], number: '7' },
  route: 'POST /checks/run',
  aliases: ['check'],
  endsFailures: true,
  payload,
  checkRights: ({ payload, rights, services }) =>
    Number(payload.number) > 9 ? services.refuse(`number: ${rights.name} may run checks 1 to 9`, 403) : undefined,
  accept: ({ payload, services }) =>
    payload.number === '0' ? services.refuse('number: expected a check, got 0') : { ...payload, quiet: true },
  preflight: ({ payload, settings, services }) => {
    const isEarly = settings.from !== undefined && Date.parse(settings.from) > services.now()
    return new Map(payload.clients.flatMap(client => (isEarly ? [[client, 'too early']] : [])))
  },
  async preview({ payload, collections }) {
    const entries = payload.clients.map(async client => {
      const result = await collections.results.get(client)
      return [client, { before: result?.value.word ?? 'unknown' }] as const
    })
    return new Map(await Promise.all(entries))
  },
  forward: {
    to: 'POST /shell/run',
    body: ({ payload, settings }) => ({ run: `${settings.folder}/${payload.number}`, echo: true }),
    deadline: 30,
    showsBusy: false,
    statusReasons: { 507: 'no space' },
    unsupported: [404],
    reply,
    checkReply: ({ reply, payload, services }) =>
      reply.out.startsWith(payload.number) ? undefined : services.refuse(`number: expected ${payload.number}`),
    async onReply({ reply, client, collections, services }) {
      const word = firstWord(reply.out.slice(1))
      const before = await collections.results.get(client.addr)
      const result = { word, runs: (before?.value.runs ?? 0) + 1, key: 'sesame' }
      await collections.results.put(client.addr, result, { version: before?.version ?? 0 })
      client.setOutput(reply.out)
      if (word === 'ok') return true
      services.alert({ client: client.addr, kind: 'failing', text: `check says ${word}` })
      return { result: 'failure', reason: `check says ${word}` }
    },
  },
} satisfies CommandOf<{ payload: typeof payload; reply: typeof reply; pack: typeof pack }>
