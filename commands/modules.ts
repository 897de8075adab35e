// Lists the command files: the version of each that is in service, and the error of its newest content.
import type { Command } from 'fleet-host'
import { described, integer, list, result, text, time } from './_result-schemas.ts'

const file = result(
  {
    file: text,
    command: text,
    origin: described(text, 'built-in, or the folder of the site'),
    versions: described(integer, 'how many were loaded since the start'),
    route: text,
    forward: described(text, 'the request to the agents'),
    version: described(integer, 'the one in service'),
    loaded_at: time,
    error: described(text, 'why the newest content is not in service'),
  },
  ['route', 'forward', 'version', 'loaded_at', 'error'],
)
const returns = result({ modules: list(file) })

export default {
  summary: 'List command modules',
  route: 'GET /modules',
  returns,
  answer: ({ services }) => ({ modules: services.modules.list() }),
} satisfies Command
