// `fleet boot setup`: prepares the folder of the TFTP server, so that computers start the live systems of this server.
import { networkInterfaces } from 'node:os'
import { message } from '../../log/log.ts'
import { CliError } from '../cli-error.ts'
import { subcommand } from './subcommand.ts'
import { configOption, readOptions } from './subcommand-options.ts'

const setup = subcommand({
  command: 'setup',
  description: "put Debian's boot loaders into boot.output, as root, and print the configuration of dnsmasq",
  options: {
    '--range <first,last>': 'the addresses that dnsmasq gives; without it another DHCP server gives them',
    ...configOption,
  },
  async run(context, { config, range }) {
    try {
      context.print(await setUp(config, range))
    } catch (error) {
      throw error instanceof CliError ? error : new CliError(`boot: ${message(error)}`)
    }
  },
})

/** Resolves to the configuration of dnsmasq. */
async function setUp(config: string | undefined, range: string | undefined): Promise<string> {
  const options = await readOptions(config)
  const { boot, rest, store } = options
  // Loaded here because no other subcommand should wait for them.
  const [{ bootServer }, { dnsmasqLines }, { writeBootLoaders }, { liveFolderOf }, { readUnknownMenu }] =
    await Promise.all([
      import('../../config/server-address.ts'),
      import('../../live-system/dnsmasq-lines.ts'),
      import('../../live-system/boot-loaders.ts'),
      import('../../live-system/live-folder.ts'),
      import('../../boot/unknown-menu.ts'),
    ])
  if (rest.tls) throw new Error('rest.tls: expected none, as live systems are loaded by plain HTTP, got certificates')
  const server = bootServer(options)
  const { output } = boot
  const lines = dnsmasqLines({ ...server, interfaces: networkInterfaces(), output, range })
  const menu = await readUnknownMenu(boot.templates, server)
  const { address } = server
  await writeBootLoaders({ output, liveFolder: liveFolderOf(store.path), menu, library: '/usr/lib', address })
  return lines
}

export const boot = subcommand({
  command: 'boot',
  description: 'prepare this server for computers that boot over the network',
  children: [setup],
})
