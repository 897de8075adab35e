// Runs a script of the library on the listed clients, with values for its parameters.
import type { CommandOf } from 'fleet-host'
import { scriptName, value, versionNumber } from './_script-schemas.ts'
import { shellText } from './_shell-text.ts'
import { textsOf } from './_values.ts'
import { findScript } from './_versions.ts'
import type pack from './pack.ts'

const payload = {
  type: 'object',
  required: ['clients', 'script'],
  properties: {
    clients: { $ref: 'clients' },
    script: scriptName,
    values: {
      type: 'object',
      additionalProperties: value,
      default: {},
      description: 'values by the names of the parameters',
      examples: [{ edition: 'full' }],
    },
    version: { ...versionNumber, description: 'an earlier version; default: the newest when it runs' },
    ignore_status: { type: 'boolean', description: 'true: an exit code that is not 0 is a success, too' },
    timeout: {
      type: 'integer',
      minimum: 1,
      maximum: 604_800,
      description: 'seconds until it fails; agents that know timeouts end the script then',
      examples: [600],
    },
    end_at: {
      type: 'string',
      pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
      expected: 'hh:mm',
      description: 'the next time, in local time of the daemon, when it is ended in the same way',
      examples: ['06:30'],
    },
    run: { type: 'string', readOnly: true, description: 'what agents get: the script with the values' },
  },
} as const

const reply = {
  type: 'object',
  properties: { out: { type: 'string' }, status: { type: 'integer' }, timed_out: { type: 'boolean' } },
} as const

const endReason = ({ timeout, end_at: time }: { timeout?: number; end_at?: string }) =>
  `ended ${[...(timeout ? [`after ${timeout} s`] : []), ...(time ? [`at ${time}`] : [])].join(' or ')}`

export default {
  summary: 'Run a script of the library',
  group: 'Scripts',
  example: { clients: ['10.1.1.20'], script: 'Update', values: { edition: 'full' } },
  route: 'POST /script/run',
  assistants: false,
  sameRun: ({ payload }) => payload.script,
  payload,
  async accept({ payload, collections, services }) {
    const { clients, script: name, version, values } = payload
    const script = await findScript({ collections }, name, version)
    const wanted = version === undefined ? name : `${name} with the version ${version}`
    if (!script) return services.refuse(`script: there is no script ${wanted}`)
    const checked = textsOf(script, values)
    if ('problem' in checked) return services.refuse(`values: ${checked.problem}`)
    const run = shellText(script, checked.texts)
    if (run === undefined)
      return services.refuse(`script: ${name} is too long for PowerShell, which gets it as one line`)
    await services.fleet.clearOutput(clients)
    return { ...payload, version: script.version, values: checked.texts, run }
  },
  missing: async ({ payload: { script }, collections }) =>
    (await findScript({ collections }, script)) ? undefined : `script ${script}`,
  forward: {
    to: 'POST /shell/run',
    body: ({ payload: { run = '' } }) => ({ run, echo: true }),
    extension({ payload, secondsLeft }) {
      const timeout = secondsLeft(payload)
      return { pieces: true, ...(timeout && { timeout }) }
    },
    deadline: ({ payload, secondsLeft }) => secondsLeft(payload),
    reply,
    onReply({ reply: { out = '', status = 0, timed_out }, client, payload }) {
      client.setOutput(out)
      if (timed_out) return { result: 'failure', reason: endReason(payload) }
      return status === 0 || payload.ignore_status ? undefined : { result: 'failure', reason: `exit code ${status}` }
    },
  },
} satisfies CommandOf<{ payload: typeof payload; reply: typeof reply; pack: typeof pack }>
