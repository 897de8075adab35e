// `fleet ansible-inventory`: what Ansible asks an inventory script for, from the route of the pack assets.
import { ofPack } from '../api/pack-routes.ts'
import { usageError } from '../cli-error.ts'
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
    const query = new URLSearchParams({ where })
    const { body } = await ofPack('assets', () => context.connect().call(`${route}?${query}`))
    // `as`: the answer of this route has no type here.
    const inventory = body as Inventory
    if (host === undefined) return context.printJson(inventory)
    const variables: unknown = inventory._meta.hostvars[host]
    return context.printJson(variables ?? {})
  },
})

interface Inventory {
  _meta: { hostvars: Record<string, object> }
}
