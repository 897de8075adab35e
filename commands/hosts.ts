// Lists the hosts of the fleet; a daemon that runs alone is the only one.
import type { Command } from 'fleet-host'
import { described, flag, integer, like, list, result, text, time } from './_schemas/results.ts'

const host = result(
  {
    name: like(text, 'fleet-a'),
    url: described(text, 'of its REST API', 'https://10.0.0.2:8888'),
    since: time,
    leader: described(flag, 'it does what is done once in the fleet', true),
    agents: described(integer, 'connected to it', 412),
    version: described(text, 'of its daemon', '0.1.0'),
    lacks: list(text, 'commands of the host that was asked, which it does not have'),
    differs: list(text, 'commands of which it has another version'),
    adds: list(text, 'commands that only it has, compared with the host that was asked'),
  },
  ['lacks', 'differs', 'adds'],
)
const returns = result({ hosts: list(host) })

export default {
  summary: 'List the hosts of the fleet',
  group: 'Server',
  route: 'GET /hosts',
  returns,
  answer: ({ services }) => ({ hosts: services.hosts.list() }),
} satisfies Command
