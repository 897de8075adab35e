// Lists the command files: the version of each that is in service, and the error of its newest content.
import type { Command } from 'fleet-host'
import { described, integer, like, list, result, text, time } from './_schemas/results.ts'

const file = result(
  {
    file: like(text, '/opt/fleet-host/commands/shell-run.ts'),
    command: described(text, 'its name in steps, and for `fleet send`', 'shell-run'),
    origin: described(text, 'built-in, or the folder of the site', 'built-in'),
    versions: described(integer, 'how many were loaded since the start', 1),
    route: like(text, 'POST /shell/run'),
    forward: described(text, 'the request to the agents', 'POST /shell/run'),
    version: described(integer, 'the one in service', 1),
    loaded_at: time,
    error: described(text, 'why the newest content is not in service'),
    missing_on: list(text, 'hosts of the fleet without the command'),
    differs_on: list(text, 'hosts of the fleet with another version of it'),
  },
  ['route', 'forward', 'version', 'loaded_at', 'error', 'missing_on', 'differs_on'],
)
const elsewhere = result({ command: like(text, 'shell-run'), hosts: list(text) })
const returns = result({ modules: list(file), elsewhere: list(elsewhere, 'commands that only other hosts have') }, [
  'elsewhere',
])

export default {
  summary: 'List command modules',
  group: 'Server',
  route: 'GET /modules',
  returns,
  scoped: true,
  answer({ services: { modules } }) {
    const others = modules.elsewhere?.() ?? []
    return { modules: modules.list(), ...(others.length > 0 && { elsewhere: others }) }
  },
} satisfies Command
