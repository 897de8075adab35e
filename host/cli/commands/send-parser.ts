// The options of `fleet send <command>`: those of all commands, and those of this command's payload.
import { Command } from 'commander'
import type { CommandInfo } from '../api/command-catalogue.ts'
import { addFields, addressKeys, type Field, fieldsOf, optionName } from '../api/payload-options.ts'
import { addLongScopeOptions, addWaitOption, addYesOption, scopeNames } from './shared-options.ts'

export interface SendParser {
  command: Command
  fields: Field[]
  /** The options of the selection of clients that this payload has a key for: there they have the prefix `on-`. */
  taken: string[]
}

/** The keys of its payload that have addresses. */
export const addressKeysOf = ({ payload }: CommandInfo): string[] =>
  addressKeys.filter(key => key in (payload?.properties ?? {}))

export function createSendParser(info: CommandInfo, program: Command): SendParser {
  const command = new Command(`fleet send ${info.name}`).description(info.summary).copyInheritedSettings(program)
  command.option('--json <payload>', 'the payload as JSON; options override its keys')
  if (info.forward !== undefined) {
    command.option('--queue', 'clients that are off or busy get the command later')
    command.option('--expires <seconds>', 'how long it may wait; implies --queue')
    command.option('--wake', 'wake clients that are off; implies --queue')
  }
  addWaitOption(command)
  if (info.destructive) addYesOption(command)
  const reserved = [...command.options, ...program.options].map(option => option.long?.slice(2) ?? '')
  const fields = fieldsOf(info.payload ?? {}, [...reserved, 'help'], info.route)
  const taken = fields.map(({ key }) => optionName(key)).filter(name => scopeNames.includes(name))
  if (addressKeysOf(info).length > 0) addLongScopeOptions(command, taken)
  addFields(command, fields)
  if (info.example) command.addHelpText('after', `\nExample of a payload: ${JSON.stringify(info.example)}`)
  return { command, fields, taken }
}
