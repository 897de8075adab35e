// `fleet completion`: prints a completion script for bash or zsh, generated from the subcommands.
import { setTimeout as wait } from 'node:timers/promises'
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
    .option('--typed <text>', 'the beginning of the next word', '')
    .action(async (words: string[], { typed }: { typed: string }) => {
      const { listCandidates } = await import('./completion-words.ts')
      const late = wait(longestWait, [], { ref: false })
      const candidates = listCandidates(program, context, words, typed).catch(() => [])
      for (const candidate of await Promise.race([candidates, late])) print(candidate)
    })
}

/** Milliseconds until the shell gets nothing: the daemon does not respond. */
const longestWait = 2000

/** Arguments whose values only the daemon knows, by their names. */
export const dynamicArguments = [
  ...['command', 'computer', 'id', 'image', 'ip', 'job', 'name or id', 'new name', 'query', 'script name'],
]

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
 * `before` are the words before the cursor, `typed` is the option that tells what is typed.
 */
const body = (completions: Completion[], before: string, typed = '') => `
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
  if [ -n "$ask" ]; then candidates=$(fleet ${wordsCommand}${typed} -- ${before} 2>/dev/null); fi`

const bashWordsBefore = `"\${words[@]:1:last-1}"`
const zshWordsBefore = `"\${(@)words[2,CURRENT-1]}"`

/**
 * A name with spaces is escaped, unless it is typed in quotes. Bash has split words at `:`, as of a query: here they are
 * whole, and what bash takes for another word (`cut`) is left out of the candidates.
 */
const bash = (completions: Completion[]) => `# eval "$(fleet completion bash)"
_fleet() {
  local subcommand="" word candidates="" ask="" typed quote="" words=() last=-1 cut="" at piece rest="$COMP_LINE"
  for ((at = 0; at <= COMP_CWORD; at++)); do
    piece="\${COMP_WORDS[at]}"
    if [[ -n "$COMP_LINE" && at -gt 0 && "$rest" != [[:space:]]* && "\${words[last]}" != --* ]]; then
      cut="\${words[last]}" words[last]+="$piece"
      if [[ -z "\${piece//[:=]/}" ]]; then cut="\${words[last]}"; fi
    else
      words[++last]="$piece" cut=""
    fi
    rest="\${rest#"\${rest%%[![:space:]]*}"}" rest="\${rest#"$piece"}"
  done
  typed="\${words[last]}"
  case "$typed" in
    \\'*) quote="'" typed="\${typed:1}" ;;
    \\"*) quote='"' typed="\${typed:1}" typed="\${typed//\\\\\\"/\\"}" ;;
    *) typed="\${typed//\\\\/}" ;;
  esac${body(completions, bashWordsBefore, ` --typed "$typed"`)}
  COMPREPLY=()
  while IFS= read -r word; do
    [[ -n "$word" && ( -n "$ask" || "$word" == "$typed"* ) ]] || continue
    if [[ -z "$quote" ]]; then printf -v word %q "$word"; fi
    if [[ "$quote" == '"' ]]; then word="\${word//\\"/\\\\\\"}"; fi
    COMPREPLY+=("\${word#"$cut"}")
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
