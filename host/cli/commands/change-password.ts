// Asks for passwords, and `fleet passwd`: a new password of the caller or, for administrators, of another user.
import { readFileSync } from 'node:fs'
import { findId } from '../api/records.ts'
import { findSettings, sessionFile, writeSession } from '../api/settings.ts'
import { CliError, usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { subcommand } from './subcommand.ts'

/** To be answered with the same. */
export const newPasswordQuestions = ['New password:', 'The same again:']

/** What is typed on a terminal, without an echo, or else the first line of standard input. */
export async function readPassword(context: CliContext, questions: string[]): Promise<string> {
  const [password = '', again = password] = await readSecrets(context, questions, 1)
  return requireSame(password, again)
}

async function readChange(context: CliContext): Promise<{ old: string; password: string }> {
  const questions = ['Present password:', ...newPasswordQuestions]
  const [old = '', password = '', again = password] = await readSecrets(context, questions, 2)
  return { old, password: requireSame(password, again) }
}

/** Without a terminal nobody repeats anything: then the first `count` lines of standard input are read. */
async function readSecrets({ askSecrets }: CliContext, questions: string[], count: number): Promise<string[]> {
  if (askSecrets) {
    const typed = await askSecrets(questions)
    if (!typed) throw new CliError('password: none was typed')
    return typed
  }
  const lines = readFileSync(0, 'utf8').split(/\r?\n/).slice(0, count)
  if (lines.length === count && !lines.includes('')) return lines
  const expected = count === 1 ? 'one on standard input' : 'the present one and the new one as lines of standard input'
  throw usageError(`password: expected ${expected}, got none`)
}

function requireSame(password: string, again: string): string {
  if (password !== again) throw new CliError('password: expected the same one twice, got two')
  return password
}

export const passwd = subcommand({
  command: 'passwd [name or id]',
  description: 'set a new password of yourself, which ends your other sessions, or as an administrator of another user',
  async run(context, _flags, text) {
    const api = context.connect()
    const { name } = (await api.call('GET /me')).body
    if (text === undefined && !name.startsWith('user '))
      throw usageError(`passwd: expected the name of a user, as you are ${name}`)
    if (text === undefined || name === `user ${text}`) await changeOwn(context)
    else {
      const id = String(await findId(api, 'user', 'user', text))
      await api.call('POST /user/update', { id, password: await readPassword(context, newPasswordQuestions) })
    }
    context.print(`${text === undefined ? name : `user ${text}`} is changed: a new password`)
  },
})

async function changeOwn(context: CliContext): Promise<void> {
  const { environment, programOptions } = context
  const { cookie } = await context.connect().call('POST /me/password', await readChange(context))
  // The session of fleet login has ended, too.
  if (cookie !== undefined)
    writeSession(sessionFile(environment), findSettings(programOptions(), environment).url, cookie)
}
