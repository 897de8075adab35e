// Defines a subcommand that shows an answer of the daemon: for people, or with --json as it is.
import type { Command, Option } from 'commander'
import type { CliContext } from '../context.ts'
import { watch } from '../terminal/live-view.ts'
import { escapeInJson } from '../terminal/terminal.ts'

export interface Read<Body, Flags> {
  name: string
  /** The name of its argument. */
  argument?: string
  description: string
  /** Those before --watch and --json. */
  options?: readonly Option[]
  /** Whether it has --watch. */
  canWatch?: true
  /** A route without a payload, or what reads the answer. */
  read: string | ((flags: Flags, argument: string) => Promise<Body>)
  /** `width` is that of the terminal; undefined for a pipe. `isLive`: with --watch. */
  format(body: Body, width: number | undefined, isLive: boolean): string | Promise<string>
  /** What --json prints, where that is not the whole answer. */
  toJson?(body: Body): unknown
}

interface CommonFlags {
  json?: true
  watch?: true
}

export function addRead<Body, Flags = object>(
  parent: Command,
  context: CliContext,
  { name, argument, description, options = [], canWatch, read, format, toJson = body => body }: Read<Body, Flags>,
): void {
  const command = parent.command(name).description(description)
  if (argument !== undefined) command.argument(argument)
  for (const option of options) command.addOption(option)
  if (canWatch) command.option('--watch', 'update the list every second')
  command.option('--json', 'print JSON').action(async () => {
    const flags = command.opts<CommonFlags & Flags>()
    const { json, watch: isLive = false } = flags
    const { connect, print, printJson, width } = context
    const readBody = async () =>
      typeof read === 'string' ? (await connect().call<Body>(read)).body : read(flags, command.args[0] ?? '')
    if (isLive)
      await watch(context, async columns =>
        json ? escapeInJson(JSON.stringify(toJson(await readBody()))) : format(await readBody(), columns, true),
      )
    else if (json) printJson(toJson(await readBody()))
    else print(await format(await readBody(), width(), false))
  })
}
