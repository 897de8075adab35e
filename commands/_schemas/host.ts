// The schema of a host of the fleet in answers.
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
