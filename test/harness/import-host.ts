// A host for the tests of client/import and client/export, with the calls that both need.
import { equal } from 'uvu/assert'
import { startBootTestHost } from './boot-host.ts'

export const lines = (...text: string[]) => text.join('\n')

export async function startImportTestHost() {
  const testHost = await startBootTestHost()
  const send = (format: string, text: string, more: object = {}) =>
    testHost.call('POST /client/import', { format, text, room: 1, ...more })
  const exported = async () => (await testHost.call('GET /client/export')).text
  /** The report of an import that changes no record and no boot file. */
  async function importUnchanged(format: string, text: string, more: object = {}) {
    const before = [await exported(), testHost.files()]
    const { json } = await send(format, text, more)
    equal([await exported(), testHost.files()], before)
    return json
  }
  return { testHost, send, exported, importUnchanged }
}
