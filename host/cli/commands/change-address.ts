// `fleet computer edit --ip`: an import finds a computer by its hardware address, so that its address may change.
import type { ApiClient } from '../api/client.ts'
import { readComputers } from '../api/records.ts'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { editWords, unchanged } from './changed-fields.ts'
import type { CommandParser } from './command-parser.ts'
import { confirm, describeEffects, undoHint } from './confirm.ts'
import { warnOfEquals } from './record-checks.ts'

interface AddressChange {
  /** With its address, and what other options change: that follows, since the import needs the hardware address. */
  payload: Record<string, unknown>
  json: boolean | undefined
  yes: boolean | undefined
}

export async function changeAddress(
  context: CliContext,
  parser: CommandParser,
  { payload, json, yes }: AddressChange,
  address: string,
): Promise<void> {
  const { connect, print, printJson, printError } = context
  const api = connect()
  const ip = String(payload.ip)
  const { name, mac } = (await api.call('GET /client/info', { client: [ip] })).body
  const others = { ...payload, ip: address }
  const hasOthers = Object.keys(others).length > 1
  if (ip === address && !hasOthers)
    return json ? printJson({ clients: [address] }) : print(`Computer ${name} ${unchanged}`)
  const effects = yes ? '' : await describeEffects(api, 'address', { clients: [ip] })
  const describe = async () => `Change the address of computer ${name} from ${ip} to ${address}${effects}`
  if (effects !== '') await confirm(context, yes, { where: 'computer edit', needsConsent: true, describe })
  api.joinEdits()
  const moved = await move(api, `name,ip,mac\n"${name.replaceAll('"', '""')}",${address},${mac}\n`, address)
  for (const { reason } of moved.warnings) printError(`fleet: warning: ${reason}`)
  const undo = hasOthers ? await changeOthers(api, others, moved.undo) : moved.undo
  await warnOfEquals(context, payload)
  const apart = moved.undo === undefined || moved.undo === undo ? '' : `, the address with: fleet undo ${moved.undo}`
  const words = { ip: [address] }
  if (json) printJson({ clients: [address], undo })
  else print(`Computer ${name} ${await editWords(api, parser, others, { kind: 'computer', undo, words })}${apart}`)
}

async function move(api: ApiClient, text: string, address: string) {
  const { body, undo } = await api.call('POST /client/import', { format: 'csv', text, update: true })
  const { conflicts, warnings = [] } = body
  const [conflict] = conflicts
  if (!conflict) return { undo, warnings }
  const owner = conflict.reason.startsWith('ip:') && (await readComputers(api)).get(address)
  throw new CliError(`--ip: ${conflict.reason}${owner ? ` (${owner.room})` : ''}`)
}

/** Returns the id with which they can be taken back. `moved`: that of the address. */
async function changeOthers(api: ApiClient, payload: object, moved: number | undefined): Promise<number | undefined> {
  try {
    return (await api.call('POST /client/update', payload)).undo
  } catch (error) {
    if (!(error instanceof CliError) || moved === undefined) throw error
    throw new CliError(`${error.message}; only its address is changed${undoHint(moved)}`)
  }
}
