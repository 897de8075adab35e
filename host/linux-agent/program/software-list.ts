// The software inventory: the system's name, then one installed program a line, from dpkg or rpm.

import { osName, type SystemFiles, tryProgram } from './machine.ts'

/** Bytes and lines: the daemon takes messages of 128 KiB and 10,000 lines. */
const longestList = 120_000
const mostLines = 10_000

/** Rejects when neither dpkg nor rpm lists programs. */
export async function listSoftware(files: SystemFiles, signal?: AbortSignal): Promise<string> {
  const programs = (await listDebian(signal)) ?? (await listRpm(signal))
  if (programs === undefined) throw new Error('software: expected dpkg-query or rpm, got neither')
  return cutLines([osName(files), ...programs.sort()])
}

async function listDebian(signal?: AbortSignal): Promise<string[] | undefined> {
  const format = `${['db:Status-Abbrev', 'Package', 'Version'].map(field => `\${${field}}`).join(' ')}\\n`
  const text = await tryProgram('dpkg-query', ['--show', '--showformat', format], signal)
  // Removed packages whose configuration is left have `rc`.
  return text?.split('\n').flatMap(line => /^.i\S* +(\S.*)$/.exec(line)?.[1] ?? [])
}

async function listRpm(signal?: AbortSignal): Promise<string[] | undefined> {
  const text = await tryProgram('rpm', ['-qa', '--queryformat', '%{NAME} %{VERSION}-%{RELEASE}\\n'], signal)
  return text?.split('\n').filter(line => line !== '')
}

/** The first lines that fit into a message. */
function cutLines(lines: string[]): string {
  let bytes = 0
  const end = lines.slice(0, mostLines).findIndex(line => {
    bytes += Buffer.byteLength(JSON.stringify(line))
    return bytes > longestList
  })
  return lines.slice(0, end < 0 ? mostLines : end).join('\n')
}
