// `fleet computer edit --ip`: an import finds a computer by its hardware address, so that its address may change.
import { readComputers } from '../api/records.ts'
import { CliError, usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { unchanged } from './changed-fields.ts'
import { confirm, describeEffects, undoHint } from './confirm.ts'

/** `others`: the keys that other options change. */
export async function changeAddress(
  context: CliContext,
  { ip, others, json, yes }: { ip: string; others: string[]; json: boolean | undefined; yes: boolean | undefined },
  address: string,
): Promise<void> {
  const { connect, print, printJson, printError } = context
  if (others.length > 0) throw usageError(`--ip: expected no other option that changes the computer, got ${others}`)
  const { name, mac } = (await connect().call('GET /client/info', { client: [ip] })).body
  if (ip === address) return json ? printJson({ clients: [address] }) : print(`Computer ${name} ${unchanged}`)
  const effects = yes ? '' : await describeEffects(connect(), 'address', { clients: [ip] })
  const describe = async () => `Change the address of computer ${name} from ${ip} to ${address}${effects}`
  if (effects !== '') await confirm(context, yes, { where: 'computer edit', needsConsent: true, describe })
  const text = `name,ip,mac\n"${name.replaceAll('"', '""')}",${address},${mac}\n`
  const { body, undo } = await connect().call('POST /client/import', { format: 'csv', text, update: true })
  const [conflict] = body.conflicts
  if (conflict) {
    const owner = conflict.reason.startsWith('ip:') && (await readComputers(connect())).get(address)
    throw new CliError(`--ip: ${conflict.reason}${owner ? ` (${owner.room})` : ''}`)
  }
  for (const { reason } of body.warnings ?? []) printError(`fleet: warning: ${reason}`)
  if (json) printJson({ clients: [address], undo })
  else print(`Computer ${name} changed: ip ${address}${undoHint(undo)}`)
}
