// Lists the programs of the connected agents with their clients, to see which ones are old.
import type { CommandOf } from 'fleet-host'
import { address, described, list, object, text } from './_schemas/objects.ts'

const program = object({
  agent: described(text, 'program and version, as the agents have said it', 'fleet-agent 1.0.0'),
  clients: list(address),
})

const returns = object({
  current: described(text, 'the agent for Linux and Windows of this server', 'fleet-agent 1.0.0'),
  agents: list(program, 'without the agents that do not introduce themselves'),
})

export default {
  summary: 'List the versions of the connected agents',
  group: 'Clients',
  route: 'GET /agents',
  scoped: true,
  returns,
  async answer({ services, request: { rights } }) {
    const clientsOf = new Map<string, string[]>()
    for (const { client, agent } of services.pending.agents()) {
      if (rights.isLimited && !rights.hasClient(client)) continue
      clientsOf.set(agent, [...(clientsOf.get(agent) ?? []), client])
    }
    const { version } = await services.agentProgram.file()
    return { current: version, agents: [...clientsOf].map(([agent, clients]) => ({ agent, clients })) }
  },
} satisfies CommandOf<{ returns: typeof returns }>
