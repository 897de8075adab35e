// `fleet completion`: the words that bash and zsh offer, out of the subcommands as they are.
import { Argument, type Command } from 'commander'
import type { CliContext } from '../context.ts'

/** The words that may follow some subcommands. */
interface Place {
  /** Their names with a space before each: ` job cancel`. */
  at: string
  words: string[]
}

export function addCompletion(program: Command, { connect, print }: CliContext): void {
  const shells: Record<string, (places: Place[]) => string> = { bash, zsh }
  program
    .command('completion')
    .description('print what makes a shell complete words')
    .addArgument(new Argument('<shell>').choices(Object.keys(shells)))
    .addHelpText('after', '\nIn ~/.bashrc or ~/.zshrc: eval "$(fleet completion bash)", or zsh')
    .action((shell: string) => print(shells[shell]?.(placesOf(program, '')) ?? ''))
  program.command(asksNames, { hidden: true }).action(async () => {
    const { listServing } = await import('../api/command-catalogue.ts')
    for (const { command } of await listServing(connect())) print(command)
  })
}

const asksNames = 'command-names'

/** The one subcommand that takes the name of any command. */
const takesNames = ' send'
const sendOptions = ['--client', '--room', '--center', '--json', '--queue', '--expires', '--wake', '--wait', '--help']

function placesOf(command: Command, at: string): Place[] {
  const shown = command.createHelp().visibleCommands(command)
  const flags = at === takesNames ? sendOptions : command.options.map(({ long }) => long ?? '')
  const values = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices)
  const words = [...shown.map(one => one.name()), ...values, ...flags.filter(flag => flag !== '')]
  const inner = command.commands.filter(one => shown.includes(one)).flatMap(one => placesOf(one, `${at} ${one.name()}`))
  return [{ at, words }, ...inner]
}

/** The branches of `case` that find the place, and those that choose its words; both shells read them alike. */
const stepCase = (places: Place[]) => `'${places.map(({ at }) => at).join("'|'")}'`
const wordsOf = ({ at, words }: Place) =>
  `    '${at}') found="${at === takesNames ? `$(fleet ${asksNames} 2>/dev/null) ` : ''}${words.join(' ')}" ;;`

const body = (places: Place[]) => `
    case "$at $word" in
      ${stepCase(places.filter(({ at }) => at !== ''))}) at="$at $word" ;;
    esac
  done
  case "$at" in
${places.map(wordsOf).join('\n')}
  esac`

const bash = (places: Place[]) => `# eval "$(fleet completion bash)"
_fleet() {
  local at="" word found=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do${body(places)}
  COMPREPLY=($(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _fleet fleet`

const zsh = (places: Place[]) => `#compdef fleet
# eval "$(fleet completion zsh)"
_fleet() {
  local at="" word found=""
  for word in "\${(@)words[2,CURRENT-1]}"; do${body(places)}
  compadd -- \${=found}
  [[ -n "$found" ]] || _files
}
(( $+functions[compdef] )) && compdef _fleet fleet`
