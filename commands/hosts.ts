// Lists the hosts of the fleet; a daemon that runs alone is the only one.
import type { CommandOf } from 'fleet-host'
import { list, object } from './_schemas/objects.ts'
import { host } from './_schemas/server.ts'

const returns = object({ hosts: list(host) })

export default {
  summary: 'List the hosts of the fleet',
  group: 'Server',
  route: 'GET /hosts',
  returns,
  answer: ({ services }) => ({ hosts: services.hosts.list() }),
} satisfies CommandOf<{ returns: typeof returns }>
