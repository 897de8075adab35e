// Serves the script that installs the agent for Linux on the computer where it runs.
import type { Command } from 'fleet-host'

export default {
  summary: 'Download the script that installs the agent for Linux',
  group: 'Clients',
  route: 'GET /agent/install.sh',
  access: 'none',
  mediaType: 'text/x-shellscript',
  answer: ({ services, request }) => services.agentProgram.installer(request, 'install.sh'),
} satisfies Command
