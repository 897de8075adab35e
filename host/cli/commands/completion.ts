// `fleet completion`: prints a completion script for bash or zsh, generated from the subcommands.
import { Argument, type Command } from 'commander'
import type { Add } from './subcommand.ts'

/** The words that may follow a subcommand. */
interface Completion {
  /** The names of the subcommands, each after a space: ` job cancel`. */
  path: string
  words: string[]
  /** What may follow first is a name or an id of the daemon. */
  isDynamic: boolean
}

export const completion: Add = (program, context) => {
  const { print } = context
  const shells: Record<string, (completions: Completion[]) => string> = { bash, zsh }
  program
    .command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>').choices(Object.keys(shells)))
    .addHelpText('after', '\nIn ~/.bashrc or ~/.zshrc: eval "$(fleet completion bash)", or zsh')
    .action((shell: string) => print(shells[shell]?.(completionsOf(program, '')) ?? ''))
  program
    .command(wordsCommand, { hidden: true })
    .argument('[words...]')
    .action(async (words: string[]) => {
      const { listCandidates } = await import('./completion-words.ts')
      for (const candidate of await listCandidates(program, context, words)) print(candidate)
    })
}

/** Arguments whose values only the daemon knows, by their names. */
export const dynamicArguments = ['command', 'id', 'image', 'ip', 'job', 'name or id']

/** The hidden subcommand that the scripts call for what depends on earlier words, or on the daemon. */
const wordsCommand = 'completion-words'

function completionsOf(command: Command, path: string): Completion[] {
  const visible = command.createHelp().visibleCommands(command)
  const options = command.options.filter(({ hidden }) => !hidden).map(({ long }) => long ?? '')
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices)
  const words = [...visible.map(child => child.name()), ...choices, ...options.filter(option => option !== '')]
  const children = command.commands.filter(child => visible.includes(child))
  const isDynamic = dynamicArguments.includes(command.registeredArguments[0]?.name() ?? '')
  return [{ path, words, isDynamic }, ...children.flatMap(child => completionsOf(child, `${path} ${child.name()}`))]
}

const pathPattern = (completions: Completion[]) => `'${completions.map(({ path }) => path).join("'|'")}'`

/**
 * Finds the subcommand, and its candidates without starting a program where they are known here; valid in bash and zsh.
 * `before` are the words before the cursor.
 */
const body = (completions: Completion[], before: string) => `
  for word in ${before}; do
    case "$subcommand $word" in
      ${pathPattern(completions.filter(({ path }) => path !== ''))}) subcommand="$subcommand $word" ;;
      *) ask=1 ;;
    esac
  done
  case "$subcommand" in
${completions
  .map(
    ({ path, words, isDynamic }) => `    '${path}') candidates=$'${words.join('\\n')}'${isDynamic ? ' ask=1' : ''} ;;`,
  )
  .join('\n')}
  esac
  if [ -n "$ask" ]; then candidates=$(fleet ${wordsCommand} -- ${before} 2>/dev/null); fi`

const bashWordsBefore = `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`
const zshWordsBefore = `"\${(@)words[2,CURRENT-1]}"`

// A name with spaces is escaped, unless it is typed in quotes.
const bash = (completions: Completion[]) => `# eval "$(fleet completion bash)"
_fleet() {
  local subcommand="" word candidates="" ask="" typed="\${COMP_WORDS[COMP_CWORD]}" quote=""${body(completions, bashWordsBefore)}
  case "$typed" in [\\"\\']*) quote=1 typed="\${typed:1}" ;; *) typed="\${typed//\\\\/}" ;; esac
  COMPREPLY=()
  while IFS= read -r word; do
    [[ -n "$word" && "$word" == "$typed"* ]] || continue
    if [[ -z "$quote" ]]; then printf -v word %q "$word"; fi
    COMPREPLY+=("$word")
  done <<< "$candidates"
}
complete -o default -F _fleet fleet`

const zsh = (completions: Completion[]) => `#compdef fleet
# eval "$(fleet completion zsh)"
_fleet() {
  local subcommand="" word candidates="" ask=""${body(completions, zshWordsBefore)}
  if [[ -n "$candidates" ]]; then compadd -- "\${(@f)candidates}"; else _files; fi
}
(( $+functions[compdef] )) && compdef _fleet fleet`
