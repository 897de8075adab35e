// Lists the commands that have failed on computers, until they succeed there or somebody has seen it.
import type { CommandOf, FailureEntry } from 'fleet-host'
import { failure } from './_schemas/clients.ts'
import { whereText } from './_schemas/fleet-inventory.ts'
import { described, list, object, text } from './_schemas/objects.ts'

// How many failures one response has, so that it stays within the response limit.
const pageSize = 500

const query = object({
  'where?': whereText,
  'after?': { type: 'string', description: 'Failures after this one: `next` of the page before' },
})

const keyOf = ({ client, command, run }: FailureEntry) => `${client} ${command} ${run}`

const returns = object({
  failures: list(failure, 'one for each client and command, of scripts for each script'),
  'next?': described(text, 'for `after` of the following page; absent on the last one', '10.1.1.20 image-restore'),
})

export default {
  summary: 'List the failures of computers that nobody has seen',
  group: 'Jobs and events',
  route: 'GET /failures',
  scoped: true,
  returns,
  query,
  async answer({ services, request: { query, rights } }) {
    const { where, after = '' } = query
    const found = where === undefined ? undefined : await services.search.find(where, rights)
    if (services.isRefusal(found)) return found
    const addresses = found && new Set(found.map(({ ip }) => ip))
    const isAsked = (client: string) =>
      addresses ? addresses.has(client) : !rights.isLimited || rights.hasClient(client)
    const all = await services.failures.list()
    const following = all.filter(each => keyOf(each) > after && isAsked(each.client))
    const sorted = await services.slices.sort(following, (a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    const page = sorted.slice(0, pageSize)
    const [last] = sorted.length > pageSize ? page.slice(-1) : []
    return {
      failures: page.map(({ ended, run: _, ...entry }) => ({ ...entry, time: new Date(ended).toISOString() })),
      next: last && keyOf(last),
    }
  },
} satisfies CommandOf<{ query: typeof query; returns: typeof returns }>
