// What the agent for Linux reports of the health of its disks, from smartctl and df.
import { readFileSync, rmSync } from 'node:fs'
import { suite } from 'uvu'
import { equal, is, match, ok } from 'uvu/assert'
import { endPrograms } from '../harness/daemon-process.ts'
import { startLinuxAgent } from '../harness/linux-agent.ts'
import { createLinuxFixture } from '../harness/linux-fixture.ts'
import { hardDisk, nvmeDisk, standbyDisk, usbAdapter } from '../harness/smart-disks.ts'
import { startTestHost } from '../harness/test-host.ts'

const lab = await startTestHost()
const fixture = createLinuxFixture()
const addr = '127.0.43.1'
await lab.addComputer(addr)
// Without the folder in which the machine may have a smartctl of its own.
const path = `${fixture.path.split(':')[0]}:/usr/bin:/bin`
const agent = startLinuxAgent({ port: lab.host.ports.agents, addr, fixture: { ...fixture, path } })
await agent.waitFor(/reply 200 to GET \/refresh/)
await lab.call('POST /pack/enable', { pack: 'disk-health' })

type Answer = { smartctl: { exit_status: number } }

/** A smartctl whose disks are these, by their paths; each has its exit status. */
function smartctl(disks: Record<string, Answer>, types: Record<string, string> = {}): void {
  const devices = Object.keys(disks).map(name => ({
    name,
    info_name: name,
    type: types[name] ?? 'scsi',
    protocol: 'SCSI',
  }))
  const cases = Object.entries(disks).map(([name, answer]) => {
    const { exit_status } = answer.smartctl
    return `${name}) cat <<'END'\n${JSON.stringify(answer)}\nEND\nexit ${exit_status} ;;`
  })
  fixture.program(
    'smartctl',
    `#!/bin/sh
echo "$@" >> '${fixture.record('calls')}'
for last; do :; done
case $last in
--scan) cat <<'END'\n${JSON.stringify({ devices })}\nEND
;;
${cases.join('\n')}
esac
`,
  )
}

async function ask() {
  const ended = lab.event('command-ended', { addr, command: 'disk-health-refresh' })
  await lab.call('POST /disk-health/refresh', { clients: [addr] })
  const { result, reason } = await ended
  is(result, 'success', reason)
  return (await lab.call(`GET /disk-health?client=${addr}`)).json.computers[0]
}

const test = suite('disk health by the agent for Linux')
test.after(async () => {
  await endPrograms()
  await lab.stop()
  fixture.remove()
})

test('without smartctl it says so, and reports how full the file systems are', async () => {
  const { state, reasons, disks, filesystems } = await ask()
  equal([state, reasons, disks], ['unknown', ['smartmontools is not installed'], []])
  equal(filesystems, [
    { mount: '/', percent: 25, free: 73_815 },
    { mount: '/boot/efi', percent: 2, free: 505 },
    { mount: '/srv/my data', percent: 50, free: 476_701 },
  ])
})

test('it reports each disk, also when the exit status of smartctl says that one is failing', async () => {
  smartctl({
    '/dev/sda': hardDisk({ pending: 12, passed: false }),
    '/dev/nvme0': nvmeDisk(),
    '/dev/sdc': usbAdapter,
    '/dev/sde': standbyDisk,
  })
  const { state, disks } = await ask()
  is(state, 'failing')
  const shown = disks.map(({ name, model, state: judged, reasons }: Record<string, unknown>) => [
    name,
    model,
    judged,
    reasons,
  ])
  equal(shown, [
    [
      'sda',
      'ST1000DM010-2EP102',
      'failing',
      ['the disk itself says that it is failing', '12 sectors wait to be reallocated'],
    ],
    ['nvme0', 'KIOXIA-EXCERIA G2 SSD', 'ok', []],
    ['sdc', '', 'unknown', ['smartctl does not know its USB adapter']],
    ['sde', '', 'unknown', ['it was in standby, and was not woken']],
  ])
})

test('a disk behind a controller is asked with the type of the scan, and none is woken', async () => {
  const { runs } = await calls(async () => {
    smartctl({ '/dev/bus/0': hardDisk() }, { '/dev/bus/0': 'megaraid,5' })
    await ask()
  })
  equal(runs, ['--json=c --scan', '--json=c -n standby,3 -d megaraid,5 -a /dev/bus/0'])
})

test('what is no JSON is no failure', async () => {
  fixture.program('smartctl', 'smartctl 6.6: unrecognized option')
  match((await ask()).reasons[0], /too old/)
  fixture.program(
    'smartctl',
    `#!/bin/sh\ncase $2 in --scan) echo '{"devices":[{"name":"/dev/sda"}]}' ;; *) echo '{' ;; esac`,
  )
  const { disks } = await ask()
  equal([disks[0].state, disks[0].reasons], ['unknown', ['smartctl gave no answer']])
})

test('an answer that is too long does not keep the others from being reported', async () => {
  const long = { ...hardDisk(), serial_number: 'x'.repeat(20_000) }
  smartctl({ '/dev/sda': long, '/dev/nvme0': nvmeDisk() })
  const { disks } = await ask()
  match(disks[0].reasons[0], /too long/)
  is(disks[1].state, 'ok')
})

test('sixteen disks fit into one message, further ones are left out', async () => {
  smartctl(Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`/dev/sd${index}`, hardDisk()])))
  const { disks } = await ask()
  is(disks.length, 16)
  ok(disks.every(({ state }: { state: string }) => state === 'ok'))
})

/** What smartctl was called with meanwhile. */
async function calls(during: () => Promise<void>) {
  rmSync(fixture.record('calls'), { force: true })
  await during()
  return { runs: readFileSync(fixture.record('calls'), 'utf8').trim().split('\n') }
}

test.run()
