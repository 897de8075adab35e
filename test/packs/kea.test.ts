// What a real server of Kea with its control agent does with the pack dhcp, in a network of its own.
import { spawn } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import {
  canMakeNetworks,
  end,
  hasProgram,
  moveComputer,
  outputOf,
  rowsOf,
  startDhcpLab,
  startDhcpNetwork,
} from '../harness/dhcp-lab.ts'
import { skipFile } from '../harness/skip-file.ts'

if (!canMakeNetworks()) skipFile('root')
if (!['kea-dhcp4', 'kea-ctrl-agent', 'busybox'].every(hasProgram)) skipFile('kea')

/** An entry and a class that somebody has made by hand. */
const byHand = { 'hw-address': '02:00:00:00:00:99', 'ip-address': '10.77.0.99' }
const theirs = { name: 'printers', test: "substring(option[60].hex,0,3) == 'prn'" }

function configurations(folder: string, port: number) {
  const socket = { 'socket-type': 'unix', 'socket-name': join(folder, 'socket') }
  const server = {
    'interfaces-config': { interfaces: ['cable'], 'dhcp-socket-type': 'raw' },
    'control-socket': socket,
    'lease-database': { type: 'memfile', persist: false },
    'client-classes': [theirs],
    subnet4: [
      {
        id: 7,
        subnet: '10.77.0.0/24',
        pools: [{ pool: '10.77.0.100 - 10.77.0.200' }],
        reservations: [byHand],
      },
    ],
    loggers: [{ name: 'kea-dhcp4', output_options: [{ output: 'stdout' }], severity: 'INFO' }],
  }
  const agent = { 'http-host': '127.0.0.1', 'http-port': port, 'control-sockets': { dhcp4: socket } }
  const write = (name: string, content: object) => {
    writeFileSync(join(folder, name), JSON.stringify(content))
    return join(folder, name)
  }
  return { server: write('dhcp4.json', { Dhcp4: server }), agent: write('agent.json', { 'Control-agent': agent }) }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise(resolve => server.close(resolve))
  return address instanceof Object ? address.port : 0
}

async function startKea() {
  const lab = await startDhcpLab()
  const { folder } = lab
  chmodSync(folder, 0o750)
  const port = await freePort()
  const files = configurations(folder, port)
  const environment = {
    KEA_LOCKFILE_DIR: 'none',
    KEA_PIDFILE_DIR: folder,
    KEA_DHCP_DATA_DIR: folder,
    KEA_CONTROL_SOCKET_DIR: folder,
  }
  const network = startDhcpNetwork(folder)
  await network.serve('DHCP4_STARTED', 'kea-dhcp4', ['-c', files.server], environment)
  const agent = spawn('kea-ctrl-agent', ['-c', files.agent], { env: { ...process.env, ...environment } })
  await outputOf(agent, 'CTRL_AGENT_STARTED')
  return {
    lab,
    network,
    files,
    url: `http://127.0.0.1:${port}/`,
    async stop() {
      await end(agent)
      await network.stop()
      await lab.stop()
    },
  }
}

const test = suite('reservations of Kea')

test('a client gets its address and boot file, and after a change of the record the new one; others stay', async () => {
  const { lab, network, files, url, stop } = await startKea()
  const boot = [{ room: 0, next_server: '10.77.0.9', efi64: 'grubx64.efi', bios: 'lpxelinux.0' }]
  try {
    is((await lab.set({ kea: { urls: [url] }, boot })).reason, '')
    const [{ added, boot: bootDiffers, problem }] = (await lab.post('/dhcp/sync?dry_run=1')).json.servers
    equal([added, bootDiffers, problem], [2, true, undefined])
    match((await network.lease())[0] ?? '', /^10\.77\.0\.1\d\d$/)
    const [{ problem: none }] = (await lab.accepted('/dhcp/sync')).json.servers
    is(none, undefined)
    equal(await network.lease(), ['10.77.0.11', '10.77.0.9', 'grubx64.efi', 'pc-1'])
    await lab.set({ automatic: true, kea: { urls: [url] }, boot })
    await moveComputer(lab)
    await lab.advance('6 seconds')
    is((await network.lease())[0], '10.77.0.21')
    const [first, ...rest] = await rowsOf(lab)
    equal(
      [first.state, rest.map(({ state, ip }: Record<string, string>) => [state, ip])],
      ['in step', [['without a record', '10.77.0.99']]],
    )
    const { Dhcp4 } = JSON.parse(readFileSync(files.server, 'utf8'))
    const { reservations } = Dhcp4.subnet4[0]
    equal(reservations.map((entry: Record<string, unknown>) => [entry['ip-address'], entry['user-context']]).sort(), [
      ['10.77.0.12', { 'fleet-host': true }],
      ['10.77.0.21', { 'fleet-host': true }],
      ['10.77.0.99', undefined],
    ])
    ok(Dhcp4['client-classes'].some(({ name }: { name: string }) => name === theirs.name))
    await lab.set({ automatic: true, kea: { urls: [url] }, where: 'name:none' })
    await lab.accepted('/dhcp/sync')
    const { Dhcp4: after } = JSON.parse(readFileSync(files.server, 'utf8'))
    equal(after.subnet4[0].reservations.length, 1)
    equal(
      after['client-classes'].map(({ name }: { name: string }) => name),
      ['printers'],
    )
  } finally {
    await stop()
  }
})

test('what Kea refuses is shown in its own words, and its configuration stays', async () => {
  const { lab, files, url, stop } = await startKea()
  try {
    await lab.set({ kea: { urls: [url] } })
    const before = readFileSync(files.server, 'utf8')
    // Kea takes at most 128 signs of a boot file; the address of a server that is none is found by Kea alone.
    await lab.set({ kea: { urls: [url] }, boot: [{ room: 1, next_server: '10.77.0.999', bios: 'x' }] })
    const [{ problem }] = (await lab.accepted('/dhcp/sync')).json.servers
    match(problem, /^config-test: .*10\.77\.0\.999/)
    const [row] = await rowsOf(lab)
    equal([row.state, row.detail], ['problem', problem])
    is(readFileSync(files.server, 'utf8'), before)
  } finally {
    await stop()
  }
})

test.run()
