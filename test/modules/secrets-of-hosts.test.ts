// Secrets of packs in a fleet of two hosts: those with one key share them, and a host with another key says so.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { type FleetProcesses, inFleet } from '../harness/fleet-processes.ts'
import { pollUntil } from '../harness/poll.ts'
import { postgresPrograms } from '../harness/postgres.ts'
import { skipFile } from '../harness/skip-file.ts'

export const runs = { alone: true }

if (postgresPrograms === undefined) skipFile('postgresql')

const test = suite('secrets of packs in a fleet')

const pack = `export default {
  contract: 3,
  summary: 'Open doors',
  version: '1.0.0',
  settings: { type: 'object', properties: { room: { type: 'string' }, password: { type: 'string', writeOnly: true } } },
}
`

/** Answers the settings, as no module should. */
const command = `export default {
  summary: 'Say what the settings are',
  route: 'GET /door/settings',
  answer: ({ settings }) => settings,
}
`

const settings = { room: 'a', password: 'correct-horse-battery' }

async function inDoorFleet(run: (fleet: FleetProcesses) => Promise<void>): Promise<void> {
  const site = mkdtempSync(join(tmpdir(), 'fleet-door-'))
  mkdirSync(join(site, 'door'))
  writeFileSync(join(site, 'door', 'pack.ts'), pack)
  writeFileSync(join(site, 'door', 'settings.ts'), command)
  try {
    await inFleet({ count: 2, options: { commands: [site] } }, run)
  } finally {
    rmSync(site, { recursive: true, force: true })
  }
}

/** Stops the second host, and starts it with the key that `write` leaves there. */
async function restartSecond({ hosts, restart }: FleetProcesses, write: (from: string, to: string) => void) {
  const [first, second] = hosts.map(({ folder }) => join(folder, 'data', 'secrets.key'))
  hosts[1]?.program.kill('SIGTERM')
  await hosts[1]?.program.ended
  write(first ?? '', second ?? '')
  await restart(1)
}

const settingsOf = async ({ hosts }: FleetProcesses, index: number) =>
  (await hosts[index]?.call('GET /door/settings'))?.json

test('hosts with one key read the secrets that each stores; with another key they are absent, and the host says so', async () => {
  await inDoorFleet(async fleet => {
    is((await fleet.hosts[0]?.call('POST /pack/settings', { pack: 'door', settings }))?.status, 200)
    await restartSecond(fleet, copyFileSync)
    equal(await settingsOf(fleet, 1), settings)
    const changed = { ...settings, password: 'another one' }
    is((await fleet.hosts[1]?.call('POST /pack/settings', { pack: 'door', settings: changed }))?.status, 200)
    await pollUntil(async () => (await settingsOf(fleet, 0)).password === changed.password)

    await restartSecond(fleet, (_, file) => writeFileSync(file, `${'0a'.repeat(32)}\n`, { mode: 0o600 }))
    equal(await settingsOf(fleet, 1), { room: 'a' })
    const [first, second] = fleet.hosts
    match(
      second?.program.output() ?? '',
      /door: secrets cannot be decrypted and count as absent: password: encrypted with another key/,
    )
    match((await second?.call('GET /readyz'))?.text ?? '', /pack door: secrets are absent: password/)
    equal(await settingsOf(fleet, 0), changed)
    is((await first?.call('GET /readyz'))?.text.includes('pack door'), false)
    is(existsSync(join(first?.folder ?? '', 'data', 'secrets.key')), true)
  })
})

test.run()
