// The session of `fleet login`, in a file that only its user can read.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Undefined when there is none for this daemon: a cookie is never sent to another one. */
export function readSession(file: string, { href }: URL): string | undefined {
  try {
    const session: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (!(session instanceof Object) || !('url' in session) || !('cookie' in session)) return undefined
    return session.url === href && typeof session.cookie === 'string' ? session.cookie : undefined
  } catch {
    return undefined
  }
}

export function writeSession(file: string, { href }: URL, cookie: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const unfinished = `${file}.tmp`
  rmSync(unfinished, { force: true })
  writeFileSync(unfinished, `${JSON.stringify({ url: href, cookie })}\n`, { flag: 'wx', mode: 0o600 })
  renameSync(unfinished, file)
}

export const deleteSession = (file: string): void => rmSync(file, { force: true })
