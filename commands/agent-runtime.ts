// Serves Node for Windows to computers that install the agent: a version that was added to this server.
import type { Command } from 'fleet-host'

export default {
  summary: 'Download the Node for Windows that was added to this server',
  group: 'Clients',
  route: 'GET /agent/node.exe',
  access: 'none',
  mediaType: 'application/octet-stream',
  answer: ({ services, request }) => services.agentProgram.runtime(request),
} satisfies Command
