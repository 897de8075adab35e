// Runs a shell script on the listed clients and keeps its output.
import type { Command } from 'fleet-host'
import { object } from './_schemas/objects.ts'
import { timeOfDay } from './_schemas/tasks.ts'

const payload = object({
  clients: { $ref: 'clients' },
  run: {
    type: 'string',
    contentMediaType: 'text/x-shellscript',
    description: 'the script; it is stored with the job, so it should contain no password',
    examples: ['uname -a'],
  },
  echo: { type: 'boolean', description: 'true: the agent returns what the script prints', examples: [true] },
  'ignore_status?': {
    type: 'boolean',
    description: 'true: an exit code that is not 0 is a success, too; only agents that report exit codes are affected',
  },
  'timeout?': {
    type: 'integer',
    minimum: 1,
    maximum: 604_800,
    description: 'seconds until it fails, in place of the deadline; agents that know timeouts end the script then',
    examples: [600],
  },
  'end_at?': {
    ...timeOfDay,
    description: 'the next time, in local time of the daemon, when it is ended in the same way',
    examples: ['06:30'],
  },
})

const query = object({
  'allow_failure?': { enum: ['0', '1'], description: '`1`: as `ignore_status` in the payload', examples: ['1'] },
})

const reply = object({
  'out?': { type: 'string' },
  // The exit code, which agents of the OpenGnsys family do not report.
  'status?': { type: 'integer' },
  // The agent has ended the script.
  'timed_out?': { type: 'boolean' },
})

const endReason = ({ timeout, end_at: time }: { timeout?: number; end_at?: string }) =>
  `ended ${[...(timeout ? [`after ${timeout} s`] : []), ...(time ? [`at ${time}`] : [])].join(' or ')}`

export default {
  summary: 'Run a shell script',
  group: 'Clients',
  route: 'POST /shell/run',
  assistants: false,
  http: { prefix: true },
  aliases: ['run'],
  sameRun: ({ payload }) => payload.run,
  payload,
  query,
  async accept({ payload, services, request }) {
    await services.fleet.clearOutput(payload.clients)
    return request?.query.allow_failure === '1' ? { ...payload, ignore_status: true } : payload
  },
  forward: {
    to: 'POST /shell/run',
    body: ({ payload: { clients, ignore_status, timeout, end_at, ...script } }) => script,
    extension({ payload, secondsLeft }) {
      const timeout = secondsLeft(payload)
      return { ...(payload.echo && { pieces: true }), ...(timeout && { timeout }) }
    },
    deadline: ({ payload, secondsLeft }) => secondsLeft(payload),
    reply,
    onReply({ reply: { out = '', status = 0, timed_out }, client, payload }) {
      client.setOutput(out)
      if (timed_out) return { result: 'failure', reason: endReason(payload) }
      return status === 0 || payload.ignore_status ? undefined : { result: 'failure', reason: `exit code ${status}` }
    },
  },
} satisfies Command<typeof payload, typeof reply, typeof query>
