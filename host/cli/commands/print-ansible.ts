// `fleet ansible-inventory`: what Ansible asks an inventory script for, from the route of the pack assets.
import { CliError, usageError } from '../cli-error.ts'
import { subcommand } from './subcommand.ts'

const route = 'GET /ansible/inventory'

export const ansibleInventory = subcommand({
  command: 'ansible-inventory',
  description: 'print the computers as an inventory of Ansible; needs the pack assets',
  options: {
    '--list': 'all groups and hosts',
    '--host <name>': 'the variables of one host',
    '--where <query>': 'only the computers that it finds',
  },
  async run(context, { list, host, where = '' }) {
    if (Boolean(list) === (host !== undefined)) throw usageError('expected --list or --host NAME')
    const inventory = await readInventory(() => context.connect().call(`${route}?${new URLSearchParams({ where })}`))
    if (host === undefined) return context.printJson(inventory)
    const variables: unknown = inventory._meta.hostvars[host]
    return context.printJson(variables ?? {})
  },
})

interface Inventory {
  _meta: { hostvars: Record<string, object> }
}

async function readInventory(read: () => Promise<{ body: unknown }>): Promise<Inventory> {
  try {
    const { body } = await read()
    // `as`: the route of a pack is not among those whose answers have types here.
    return body as Inventory
  } catch (error) {
    if (error instanceof CliError && error.status === 404)
      throw new CliError('the pack assets is not enabled: fleet pack enable assets')
    throw error
  }
}
