// `fleet pending` and `fleet adopt`: connected clients without a computer record.
import type { Command } from 'commander'
import type { PendingAnswer, PendingListAnswer } from '../../contract/answers.ts'
import { findId } from '../api/records.ts'
import { usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { paint } from '../terminal/terminal.ts'
import { type Column, formatTable, timeColumn } from '../terminal/text-table.ts'
import { addRead } from './add-read.ts'

interface AdoptFlags {
  room: string
  name?: string
  mac?: string
}

const columns: Column<PendingAnswer>[] = ['client', 'name', 'mac', 'os', 'serial', 'agent', timeColumn('since')]

export function addAdopt(program: Command, context: CliContext): void {
  const { connect, print } = context
  const description = 'list connected clients without a record'
  addRead(program, context, { name: 'pending', description, read: 'GET /pending', format: formatPending })
  program
    .command('adopt')
    .argument('<ip...>')
    .description('give connected clients without a record one: all, or none')
    .requiredOption('--room <name or id>', 'their room')
    .option('--name <name>', 'host name, in place of that of the agent; for one client')
    .option('--mac <mac>', 'hardware address, in place of that of the agent; for one client')
    .action(async (clients: string[], { room: text, name, mac }: AdoptFlags) => {
      const [client = ''] = clients
      const option = name === undefined ? '--mac' : '--name'
      if (clients.length > 1 && (name ?? mac) !== undefined)
        throw usageError(`${option}: expected one client, got ${clients.length}`)
      const room = await findId(connect(), 'room', '--room', text)
      await connect().call('POST /client/adopt', {
        clients,
        room,
        ...(name !== undefined && { names: { [client]: name } }),
        ...(mac !== undefined && { macs: { [client]: mac } }),
      })
      const what = clients.length === 1 ? `${client} is now a computer` : `${clients.length} clients are now computers`
      print(`${what} of room ${text}`)
    })
}

function formatPending({ pending, omitted = 0, install_url: url }: PendingListAnswer, width?: number): string {
  if (pending.length === 0) return `no clients without a record\n${paint('gray', installHint(url))}`
  const more = omitted > 0 ? `${omitted} more; ` : ''
  return `${formatTable(pending, columns, width)}\n${paint('gray', `${more}fleet adopt <client> --room … makes records of them`)}`
}

const installHint = (url: string | undefined) =>
  url === undefined
    ? 'other computers cannot download the agent yet: write "rest": { "ip": "0.0.0.0" } into the options file and restart the daemon (docs/options.md)'
    : `on a computer with Linux and Node 20: curl -fsS ${url} | sudo sh`
