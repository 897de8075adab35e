// `fleet`: the subcommands, and what becomes of their errors.
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { message } from '../log.ts'
import { type Caller, createCaller } from './caller.ts'
import { addClients } from './clients.ts'
import { addCompletion } from './completion.ts'
import { Failure } from './failure.ts'
import { addImport } from './import.ts'
import { addJobs } from './jobs.ts'
import { addLocal } from './local.ts'
import { addReads } from './reads.ts'
import { addSchedule } from './schedule.ts'
import { addSend } from './send.ts'
import { findSettings } from './settings.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

const program = new Command('fleet')
  .description('Administers a fleet of lab computers from a shell.')
  // Without a long form: a command's payload may have a `version`.
  .version(version, '-V')
  .option('--url <url>', "the daemon's address; FLEET_URL, or url in ~/.config/fleet/config.json")
  .option('--token <token>', 'the API token; FLEET_API_TOKEN, or token in that file')
  .exitOverride()
  .configureOutput({
    outputError: (text, write) => write(text.replace(/^error: /, 'fleet: ').replaceAll(/\n(?=.)/g, ' ')),
  })
  .showHelpAfterError(false)

let caller: Caller | undefined
const connect = () => {
  caller ??= createCaller(findSettings(program.opts(), process.env))
  return caller
}

for (const add of [addClients, addReads, addSend, addJobs, addSchedule, addImport]) add(program, connect)
addLocal(program)
addCompletion(program, connect)

/** What a person can mend is one line; anything else is a bug and keeps its stack. */
function tell(error: unknown): number {
  // The parser has told it already.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof Failure) {
    process.stderr.write(`fleet: ${error.message}\n`)
    return error.exitCode
  }
  process.stderr.write(`fleet: ${error instanceof Error ? error.stack : message(error)}\n`)
  return 1
}

// Whoever reads the output may have seen enough: `fleet jobs | head -1`.
process.stdout.on('error', error => process.exit('code' in error && error.code === 'EPIPE' ? 0 : 1))

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = tell(error)
} finally {
  caller?.close()
}
