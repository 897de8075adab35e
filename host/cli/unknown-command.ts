// What may be meant by a subcommand that `fleet` does not have: one of the API, or those that are about its name.
import { readdirSync } from 'node:fs'
import type { Command } from 'commander'
import { nearName } from './api/near-name.ts'
import { builtInFolder } from './installation.ts'

/** The first word that is typed, also after `help`. */
const nameIn = ({ args: [first = '', second = ''] }: Command) => (first === 'help' ? second : first)

export function refuseUnknown(program: Command): void {
  const name = nameIn(program)
  const isKnown = program.commands.some(command => command.name() === name || command.aliases().includes(name))
  if (name === '' || name === 'help' || name.startsWith('-') || isKnown) return
  const near = nearName(
    name,
    program.commands.map(command => ({ name: command.name() })),
  )
  const hint = near === undefined ? '' : ` (Did you mean ${near}?)`
  program.error(`error: unknown command '${name}'${hint}`, { code: 'commander.unknownCommand' })
}

/** In place of the line with the error; undefined when nothing is near. */
export function hintOf(program: Command, line: string): string | undefined {
  const name = nameIn(program)
  const error = `fleet: unknown command '${name}'`
  if (!line.startsWith(error) || !/^[a-z-]+$/.test(name)) return undefined
  const ofApi = readdirSync(builtInFolder).flatMap(file => (file.endsWith('.ts') ? [file.slice(0, -3)] : []))
  if (ofApi.includes(name)) return `${error}; it is one of the API: fleet send ${name}\n`
  const begun = ofApi.filter(each => each.startsWith(`${name}-`))
  if (begun.length === 0) return undefined
  const about = program.commands.filter(
    command => command.name().startsWith(name) || command.description().split(/\W+/).includes(name),
  )
  const near = [...about.map(command => `fleet ${command.name()}`), `fleet send ${begun.join('|')}`]
  return `${error}; near it: ${near.join(', ')}\n`
}
