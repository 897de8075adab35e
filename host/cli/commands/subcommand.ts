// How a subcommand of `fleet` is declared: its options as a table, from which the types of their values follow.
import { type Command, Option } from 'commander'
import type { AnswerOf } from '../../contract/answers.ts'
import { usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { watch } from '../terminal/live-view.ts'
import { escapeInJson } from '../terminal/terminal.ts'

interface OptionDetails {
  text: string
  choices?: readonly string[]
  default?: string
  required?: true
}

/** The help by what is typed, such as `--room <name or id...>`: with `...` a list, without `<>` a flag. */
export type Options = Readonly<Record<string, string | OptionDetails>>

type Camel<Text> = Text extends `${infer Head}-${infer Rest}` ? `${Head}${Capitalize<Camel<Rest>>}` : Text & string
type LongOf<Line> = Line extends `--${infer Long} ${string}` ? Long : Line extends `--${infer Long}` ? Long : never
type NameOf<Line> = Camel<LongOf<Line> extends `no-${infer Name}` ? Name : LongOf<Line>>
type TextOf<Details> = Details extends { choices: readonly (infer Choice)[] } ? Choice : string
type TextsOf<Line, Details> = Line extends `${string}...>` ? string[] : TextOf<Details>
type ValueOf<Line, Details> = Line extends `${string}>` ? TextsOf<Line, Details> : boolean
type AbsentOf<Details> = Details extends { required: true } | { default: string } ? never : undefined

/** The values of options by name; undefined where one is absent. */
export type FlagsOf<Of> = { [Line in keyof Of as NameOf<Line>]: ValueOf<Line, Of[Line]> | AbsentOf<Of[Line]> }

type ArgumentOf<Line> = Line extends `${string}...]`
  ? string[]
  : Line extends `${string}>`
    ? TextsOf<Line, string>
    : string | undefined

/** Adds a subcommand to the parser. */
export type Add = (parent: Command, context: CliContext) => void

interface Declaration<Line, Own> {
  /** Its name and its argument: `adopt <client...>`. */
  command: Line
  description: string
  /** An earlier name of it, which scripts may use. */
  alias?: string
  options?: Own
  /** The help of its argument. */
  argument?: string
  /** In place of that which follows from `command`. */
  usage?: string
  /** Text below the help. */
  help?: string
  /** Its arguments may begin with `-`. */
  takesDashes?: true
}

interface Subcommand<Line, Own> extends Declaration<Line, Own> {
  /** The flags include those of its parents. */
  run?(context: CliContext, flags: FlagsOf<Own>, argument: ArgumentOf<Line>): unknown
  children?: readonly Add[]
}

export const subcommand =
  <const Line extends string, const Own extends Options = Record<never, string>>(
    declaration: Subcommand<Line, Own>,
  ): Add =>
  (parent, context) => {
    const { run, children = [] } = declaration
    const command = define(parent, declaration)
    for (const add of children) add(command, context)
    if (run)
      command.action(async () => {
        // The parser assigns --wait of `job retry` to `job`, which has it, too.
        if (parent.parent) refuseOthers(command, parent)
        await run(context, flagsOf(command, parent), command.processedArgs[0])
      })
  }

/** The parser assigns options that both have to the parent. */
const flagsOf = <Flags extends object>(command: Command, parent: Command): Flags => ({
  ...(parent.parent && parent.opts<Flags>()),
  ...command.opts<Flags>(),
})

/** Options of the parent that the subcommand does not have would be ignored. */
function refuseOthers(command: Command, parent: Command): void {
  const own = new Set(command.options.map(option => option.long))
  const other = parent.options.find(
    option => !own.has(option.long) && parent.getOptionValueSource(option.attributeName()) === 'cli',
  )
  if (other) throw usageError(`${parent.name()} ${command.name()}: expected its own options, got ${other.long}`)
}

/** Scripts may say --yes to all subcommands, also where nothing is asked. */
const impliedYes = () => new Option('--yes').hideHelp()

function define(
  parent: Command,
  {
    command: line,
    description,
    options = {},
    ...more
  }: Declaration<string, Options> & Pick<Subcommand<string, Options>, 'children'>,
) {
  const { argument: argumentHelp, usage, help, takesDashes, alias, children = [] } = more
  const [name = '', ...rest] = line.split(' ')
  const argument = rest.join(' ')
  const command = parent.command(name).description(description)
  if (argument !== '') command.argument(argument, argumentHelp)
  addOptions(command, options)
  if (children.length === 0 && !takesDashes && !('--yes' in options)) command.addOption(impliedYes())
  if (alias !== undefined) command.alias(alias)
  if (usage !== undefined) command.usage(usage)
  if (takesDashes) command.allowUnknownOption()
  if (help !== undefined) command.addHelpText('after', help)
  return command
}

export function addOptions(command: Command, options: Options): void {
  for (const [flags, details] of Object.entries(options)) command.addOption(toOption(flags, details))
}

function toOption(flags: string, details: string | OptionDetails): Option {
  if (typeof details === 'string') return new Option(flags, details)
  const option = new Option(flags, details.text).makeOptionMandatory(details.required === true)
  if (details.default !== undefined) option.default(details.default)
  return details.choices ? option.choices(details.choices) : option
}

/** Where an answer is shown. */
export interface View {
  context: CliContext
  /** That of the terminal; undefined for a pipe. */
  width: number | undefined
  /** With --watch. */
  isLive: boolean
}

type Source<Line, Own> =
  | string
  | ((context: CliContext, flags: FlagsOf<Own>, argument: ArgumentOf<Line>) => Promise<unknown>)

type BodyOf<From> = From extends string
  ? AnswerOf<From>
  : From extends (...of: never) => Promise<infer Body>
    ? Body
    : never

interface Read<Line, Own, From, Body> extends Declaration<Line, Own> {
  /** Whether it has --watch. */
  canWatch?: true
  children?: readonly Add[]
  /** A route without a payload, or what reads the answer. */
  read: From
  format(body: Body, view: View): string | Promise<string>
  /** What --json prints, where that is not the whole answer. */
  toJson?(body: Body, context: CliContext): unknown
}

/** A subcommand that shows an answer of the daemon: for people, or with --json as it is. */
export const read =
  <const Line extends string, const From extends Source<Line, Own>, const Own extends Options = Record<never, string>>(
    declaration: Read<Line, Own, From, BodyOf<From>>,
  ): Add =>
  (parent, context) => {
    const { canWatch, children = [], read, format, toJson = body => body } = declaration
    const source: Source<Line, Own> = read
    const command = define(parent, declaration)
    for (const add of children) add(command, context)
    if (canWatch) command.option('--watch', 'update the list every second')
    command.option('--json', 'print JSON').action(async () => {
      const flags = flagsOf<FlagsOf<Own> & { json?: true; watch?: true }>(command, parent)
      const readBody = async () => {
        const body =
          typeof source === 'string'
            ? (await context.connect().call(source)).body
            : await source(context, flags, command.processedArgs[0])
        return body as BodyOf<From> // What `source` reads.
      }
      const show = async (width: number | undefined, isLive: boolean) =>
        format(await readBody(), { context, width, isLive })
      const { json, watch: isLive } = flags
      if (isLive)
        await watch(context, async width =>
          json ? escapeInJson(JSON.stringify(await toJson(await readBody(), context))) : show(width, true),
        )
      else if (json) context.printJson(await toJson(await readBody(), context))
      else context.print(await show(context.width(), false))
    })
  }
