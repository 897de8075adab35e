// `fleet completion`: prints a completion script for bash or zsh, generated from the subcommands.
import { Argument, type Command } from 'commander'
import type { CliContext } from '../context.ts'

/** The words that may follow a subcommand. */
interface Completion {
  /** The names of the subcommands, each after a space: ` job cancel`. */
  path: string
  words: string[]
}

export function addCompletion(program: Command, { connect, print }: CliContext): void {
  const shells: Record<string, (completions: Completion[]) => string> = { bash, zsh }
  program
    .command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(shells)))
    .addHelpText('after', '\nIn ~/.bashrc or ~/.zshrc: eval "$(fleet completion bash)", or zsh')
    .action((shell: string) => print(shells[shell]?.(completionsOf(program, '')) ?? ''))
  program.command(commandNames, { hidden: true }).action(async () => {
    const { listServed } = await import('../api/command-catalogue.ts')
    for (const { command } of await listServed(connect())) print(command)
  })
}

/** The hidden subcommand that the scripts call for the names of the daemon's commands. */
const commandNames = 'command-names'

/** The subcommand whose first argument is the name of a command. */
const sendPath = ' send'
const sendOptions = ['--client', '--room', '--center', '--json', '--queue', '--expires', '--wake', '--wait', '--help']

function completionsOf(command: Command, path: string): Completion[] {
  const visible = command.createHelp().visibleCommands(command)
  const options = path === sendPath ? sendOptions : command.options.map(({ long }) => long ?? '')
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices)
  const words = [...visible.map(child => child.name()), ...choices, ...options.filter(option => option !== '')]
  const children = command.commands.filter(child => visible.includes(child))
  return [{ path, words }, ...children.flatMap(child => completionsOf(child, `${path} ${child.name()}`))]
}

const pathPattern = (completions: Completion[]) => `'${completions.map(({ path }) => path).join("'|'")}'`

function candidatesBranch({ path, words }: Completion): string {
  const names = path === sendPath ? `$(fleet ${commandNames} 2>/dev/null) ` : ''
  return `    '${path}') candidates="${names}${words.join(' ')}" ;;`
}

/** Finds the subcommand, then its candidates; this part is valid in bash and in zsh. */
const body = (completions: Completion[]) => `
    case "$subcommand $word" in
      ${pathPattern(completions.filter(({ path }) => path !== ''))}) subcommand="$subcommand $word" ;;
    esac
  done
  case "$subcommand" in
${completions.map(candidatesBranch).join('\n')}
  esac`

const bash = (completions: Completion[]) => `# eval "$(fleet completion bash)"
_fleet() {
  local subcommand="" word candidates=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do${body(completions)}
  COMPREPLY=($(compgen -W "$candidates" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _fleet fleet`

const zsh = (completions: Completion[]) => `#compdef fleet
# eval "$(fleet completion zsh)"
_fleet() {
  local subcommand="" word candidates=""
  for word in "\${(@)words[2,CURRENT-1]}"; do${body(completions)}
  compadd -- \${=candidates}
  [[ -n "$candidates" ]] || _files
}
(( $+functions[compdef] )) && compdef _fleet fleet`
