// Serves the script for PowerShell that installs the agent on the computer with Windows where it runs.
import type { Command } from 'fleet-host'

export default {
  summary: 'Download the script for PowerShell that installs the agent for Windows',
  group: 'Clients',
  route: 'GET /agent/install.ps1',
  access: 'none',
  mediaType: 'text/plain',
  answer: ({ services, request }) => services.agentProgram.installer(request, 'install.ps1'),
} satisfies Command
