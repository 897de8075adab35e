// The schemas of hosts, module files and draining in answers.
import { described, flag, integer, like, list, object, text, time } from './objects.ts'

export const host = object({
  name: like(text, 'fleet-a'),
  url: described(text, 'of its REST API', 'https://10.0.0.2:8888'),
  since: time,
  leader: described(flag, 'it does what is done once in the fleet', true),
  agents: described(integer, 'connected to it', 412),
  version: described(text, 'of its daemon', '0.1.0'),
  'lacks?': list(text, 'commands of the host that was asked, which it does not have'),
  'differs?': list(text, 'commands of which it has another version'),
  'adds?': list(text, 'commands that only it has, compared with the host that was asked'),
})

const kinds = { type: 'string', enum: ['command', 'hook', 'view', 'pack'] } as const

const states = { type: 'string', enum: ['in service', 'off', 'broken'] } as const

export const moduleFile = object({
  file: like(text, '/opt/fleet-host/commands/shell-run.ts'),
  command: described(text, 'its name; of a command that in steps, and for `fleet send`', 'shell-run'),
  'kind?': described(kinds, 'absent of a file that was never loaded', 'command'),
  'pack?': described(text, 'the pack that it belongs to or is', 'notifications'),
  'contract?': described(integer, 'that it was written for', 3),
  state: described(
    states,
    '`off`: its pack is not enabled; `broken`: it has never been loaded without an error',
    'in service',
  ),
  origin: described(text, 'built-in, or the folder of the site', 'built-in'),
  versions: described(integer, 'how many were loaded since the start', 1),
  'does?': described(text, 'when it runs, what it shows or serves', 'serves POST /shell/run'),
  'route?': like(text, 'POST /shell/run'),
  'forward?': described(text, 'the request to the agents', 'POST /shell/run'),
  'version?': described(integer, 'the one in service', 1),
  'loaded_at?': time,
  'error?': described(text, 'why the newest content is not in service'),
  'missing_on?': list(text, 'hosts of the fleet without it'),
  'differs_on?': list(text, 'hosts of the fleet with another version of it'),
})

const runningJob = object({ id: integer, running: described(integer, 'parts that have not ended') })

export const drainState = object({
  draining: described(flag, 'commands for clients are refused, and queued parts wait for the restart'),
  running: described(integer, 'parts that have not ended; with 0 a restart interrupts nothing'),
  queued: described(integer, 'parts that wait, also over a restart'),
  running_jobs: list(runningJob, 'the first 100 jobs with running parts'),
})
