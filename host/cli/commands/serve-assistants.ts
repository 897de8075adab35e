// `fleet mcp`: a server of the Model Context Protocol, so that an assistant can ask the daemon.
import { message } from '../../log/log.ts'
import { missingPackages } from '../../system/version.ts'
import { CliError } from '../cli-error.ts'
import { subcommand } from './subcommand.ts'

export const mcp = subcommand({
  command: 'mcp',
  description: 'serve the API as tools to an assistant, by the Model Context Protocol; see docs/assistants.md',
  options: { '--operate': 'also what changes something, but neither ends nor overwrites anything' },
  async run(context, { operate }) {
    const { serveAssistant } = await loadServer()
    await serveAssistant({
      api: context.connect(),
      operate: operate === true,
      log: text => context.printError(`fleet mcp: ${text}`),
      input: process.stdin,
      output: process.stdout,
    })
  },
})

/** Loaded when it is used, because its package is optional. */
async function loadServer() {
  try {
    return await import('../assistants/protocol-server.ts')
  } catch (error) {
    throw new CliError(missingPackages(error) ?? message(error))
  }
}
