// Serves the script for cmd.exe that installs the agent on the computer with Windows where it runs.
import type { Command } from 'fleet-host'

export default {
  summary: 'Download the script for cmd.exe that installs the agent for Windows',
  group: 'Clients',
  route: 'GET /agent/install.cmd',
  access: 'none',
  mediaType: 'application/x-bat',
  answer: ({ services, request }) => services.agentProgram.installer(request, 'install.cmd'),
} satisfies Command
