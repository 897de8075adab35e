// Reads a password.
import { readFileSync } from 'node:fs'
import { CliError, usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'

/** What is typed on a terminal, without an echo, or else the first line of standard input. */
export async function readPassword({ askSecrets }: CliContext, questions: string[]): Promise<string> {
  if (!askSecrets) return firstLine()
  const answers = await askSecrets(questions)
  const [password, ...others] = answers ?? []
  if (password === undefined) throw new CliError('password: none was typed')
  if (others.some(other => other !== password)) throw new CliError('password: expected the same one twice, got two')
  return password
}

function firstLine(): string {
  const [line = ''] = readFileSync(0, 'utf8').split(/\r?\n/)
  if (line === '') throw usageError('password: expected one on standard input, got none')
  return line
}
