// Lists the hosts of the fleet; a daemon that runs alone is the only one.
import type { Command } from 'fleet-host'
import { list, object } from './_schemas/objects.ts'
import { host } from './_schemas/server.ts'

export default {
  summary: 'List the hosts of the fleet',
  group: 'Server',
  route: 'GET /hosts',
  returns: object({ hosts: list(host) }),
  answer: ({ services }) => ({ hosts: services.hosts.list() }),
} satisfies Command
