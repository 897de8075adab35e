// The schema of a command file in answers.
import { described, integer, like, list, object, text, time } from './objects.ts'

export const commandFile = object({
  file: like(text, '/opt/fleet-host/commands/shell-run.ts'),
  command: described(text, 'its name in steps, and for `fleet send`', 'shell-run'),
  origin: described(text, 'built-in, or the folder of the site', 'built-in'),
  versions: described(integer, 'how many were loaded since the start', 1),
  'route?': like(text, 'POST /shell/run'),
  'forward?': described(text, 'the request to the agents', 'POST /shell/run'),
  'version?': described(integer, 'the one in service', 1),
  'loaded_at?': time,
  'error?': described(text, 'why the newest content is not in service'),
  'missing_on?': list(text, 'hosts of the fleet without the command'),
  'differs_on?': list(text, 'hosts of the fleet with another version of it'),
})
