// Serves the agent for Linux and Windows: one file, for computers that update theirs.
import type { Command } from 'fleet-host'

export default {
  summary: 'Download the agent for Linux and Windows',
  group: 'Clients',
  route: 'GET /agent/fleet-agent.js',
  access: 'none',
  mediaType: 'text/javascript',
  answer: ({ services, request }) => services.agentProgram.respond(request),
} satisfies Command
