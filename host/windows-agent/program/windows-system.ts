// What the agent reads and runs on Windows.
import { hostname, networkInterfaces, release, version } from 'node:os'
import type { AgentSystem } from '../../agent-program/agent-system.ts'
import { knownSerial } from '../../agent-program/serial-number.ts'
import { type CimQueries, queryCim } from './cim-query.ts'
import { listOf } from './cim-values.ts'
import { diskQueries, toDiskLists } from './windows-disks.ts'
import { hardwareQueries, toHardware } from './windows-hardware.ts'
import { watchLogins } from './windows-logins.ts'
import { runCommand } from './windows-programs.ts'
import { windowsShell } from './windows-shell.ts'
import { softwareCommand, toSoftware } from './windows-software.ts'

/** What PowerShell takes seconds for: neither the start nor a probe waits for it. */
interface Facts {
  serial: string
  /** Mbit/s by the name of the interface. */
  speeds: Map<string, number>
}

const factQueries = {
  bios: { className: 'Win32_BIOS', properties: ['SerialNumber'] },
  adapters: { className: 'Win32_NetworkAdapter', properties: ['NetConnectionID', 'NetEnabled', 'Speed'] },
} satisfies CimQueries

/** `answer`: what the queries resolve to. */
export function toFacts(answer: unknown): Facts {
  const speeds = listOf(answer, 'adapters')
    .filter(({ NetEnabled }) => NetEnabled === true)
    .map(each => [String(each.NetConnectionID), Number(each.Speed) / 1e6] as const)
  const [bios] = listOf(answer, 'bios')
  return {
    serial: knownSerial(String(bios?.SerialNumber ?? '').trim()),
    // A wireless adapter that searches has 9223372036854775807.
    speeds: new Map(speeds.filter(([, speed]) => Number.isInteger(speed) && speed > 0 && speed < 1e6)),
  }
}

/** The first build of Windows 11, which calls itself 10.0, too. */
const firstBuildOf11 = 22_000

/** `10.0.22631`, as Node has it. */
export const wordOf = (release: string): string =>
  `WIN${Number(release.split('.')[2] ?? 0) >= firstBuildOf11 ? 11 : (release.split('.')[0] ?? '')}`

const onlyLive = 'only a live system can do this'

export function createWindowsSystem(): AgentSystem {
  let facts: Facts = { serial: '', speeds: new Map() }
  const readFacts = async (signal?: AbortSignal) => {
    // Where they cannot be read, those before count.
    facts = await queryCim(factQueries, signal).then(toFacts, () => facts)
  }
  return {
    word: wordOf(release()),
    osName: version,
    computerName: hostname,
    serialNumber: () => facts.serial,
    factsRead: readFacts(),
    macOf(name) {
      const mac = networkInterfaces()[name]?.[0]?.mac ?? ''
      return mac === '00:00:00:00:00:00' ? '' : mac
    },
    linkSpeed: name => facts.speeds.get(name),
    refusals: {
      'POST /setup': onlyLive,
      'POST /image/create': onlyLive,
      'POST /image/restore': onlyLive,
      'POST /session': onlyLive,
    },
    shell: windowsShell,
    watchLogins,
    async listDisks(signal) {
      await readFacts(signal)
      return toDiskLists(await queryCim(diskQueries, signal), version())
    },
    listHardware: async signal => toHardware(await queryCim(hardwareQueries, signal), process.env.firmware_type ?? ''),
    listSoftware: async signal => toSoftware(await runCommand(softwareCommand, signal), version()),
    async readDiskHealth() {
      return { disks: [], filesystems: [], reason: 'the agent for Windows does not read it' }
    },
  }
}
