// `fleet man-page`: prints the manual page, generated from the subcommands and their help.
import type { Command } from 'commander'
import { version } from '../../system/version.ts'
import type { Add } from './subcommand.ts'

export const manPage: Add = (program, { print }) => {
  program
    .command('man-page')
    .description('print the manual page')
    .addHelpText('after', '\nTo read it: fleet man-page | man -l -')
    .action(() => print(pageOf(program)))
}

const pageOf = (program: Command): string =>
  [
    `.TH FLEET 1 "" "fleet-host ${version}" "User commands"`,
    '.SH NAME',
    `fleet \\- ${troff(program.description())}`,
    '.SH SYNOPSIS',
    ...usageOf(program),
    '.SH OPTIONS',
    ...optionsOf(program),
    '.SH COMMANDS',
    ...childrenOf(program).flatMap(sectionsOf),
  ].join('\n')

const childrenOf = (command: Command): Command[] =>
  command
    .createHelp()
    .visibleCommands(command)
    .filter(child => child.name() !== 'help')

/** Those of a subcommand and, after it, of its own subcommands. */
const sectionsOf = (command: Command): string[] => [
  `.SS ${troff(pathOf(command))}`,
  ...usageOf(command),
  '.PP',
  troff(command.description()),
  ...argumentsOf(command),
  ...optionsOf(command),
  ...moreHelpOf(command),
  ...childrenOf(command).flatMap(sectionsOf),
]

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()

const usageOf = (command: Command): string[] => [`.B ${troff(pathOf(command))}`, troff(command.usage())]

function argumentsOf(command: Command): string[] {
  const help = command.createHelp()
  return help.visibleArguments(command).flatMap(each => entry(help.argumentTerm(each), help.argumentDescription(each)))
}

function optionsOf(command: Command): string[] {
  const help = command.createHelp()
  const own = help.visibleOptions(command).filter(({ long }) => long !== '--help')
  return own.flatMap(option => entry(help.optionTerm(option), help.optionDescription(option)))
}

const entry = (term: string, text: string): string[] => ['.TP', `.B ${troff(term)}`, troff(text)]

/** The text below the help, as it is: examples, mostly. */
function moreHelpOf(command: Command): string[] {
  let text = ''
  command.configureOutput({ writeOut: more => (text += more) })
  command.outputHelp()
  const more = text.slice(command.helpInformation().length).trim()
  return more === '' ? [] : ['.PP', '.nf', ...more.split('\n').map(troff), '.fi']
}

/** Text for a line of its own: no character of it is one of troff's. */
const troff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/^(?=[.'])/gm, '\\&')
