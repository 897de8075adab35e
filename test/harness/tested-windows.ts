// A computer with Windows under test: Wine, with stand-ins for the programs that Wine lacks.
import { existsSync, rmSync } from 'node:fs'
import type { Program } from './daemon-process.ts'
import type { TestedComputer } from './linux-computer.ts'
import { pollUntil } from './poll.ts'
import type { TestHost } from './test-host.ts'
import { createWindowsComputer } from './windows-computer.ts'

const gib = 2 ** 30
const volume = '\\\\?\\Volume{00000002-0000-0000-0000-100000000000}\\'

/** A partition for EFI and one of the running Windows, which is half full. */
const classes = {
  MSFT_Disk: [{ Number: 0, Size: 256 * gib, PartitionStyle: 2, BusType: 17 }],
  MSFT_Partition: [
    {
      ...{ DiskNumber: 0, PartitionNumber: 1, Size: gib, AccessPaths: null, IsBoot: false },
      ...{ GptType: '{c12a7328-f81f-11d2-ba4b-00a0c93ec93b}', MbrType: null },
    },
    {
      ...{ DiskNumber: 0, PartitionNumber: 2, Size: 255 * gib, AccessPaths: ['C:\\', volume], IsBoot: true },
      ...{ GptType: '{ebd0a0a2-b9e5-4433-87c0-68b6b72699c7}', MbrType: null },
    },
  ],
  Win32_Volume: [{ DeviceID: volume, FileSystem: 'NTFS', Capacity: 255 * gib, FreeSpace: 127.5 * gib }],
  Win32_BIOS: [{ SerialNumber: 'SN0042' }],
  Win32_NetworkAdapter: [{ NetConnectionID: 'Ethernet', NetEnabled: true, Speed: 2_500_000_000 }],
  Win32_ComputerSystem: [{ Manufacturer: 'Müller GmbH', Model: 'Büro 5' }],
}

const titles = ' USERNAME              SESSIONNAME        ID  STATE   IDLE TIME  LOGON TIME\r\n'
const rowOf = (user: string) => `>${user.padEnd(22)}console             1  Active      none   11/28/2026 8:01 AM\r\n`

/** Takes a minute. */
export function windowsComputer(lab: TestHost, addr: string): TestedComputer & { remove(): void } {
  const computer = createWindowsComputer()
  const sleeping = computer.onDrive('sleep.txt')
  let program: Program | undefined
  computer.describe(classes)
  computer.logIn(titles)
  computer.register('HKLM', 'Wide')
  computer.register('HKLM', 'Narrow', 'reg:32')
  computer.register('HKCU', 'Own')
  const end = 'taskkill /f /im node.exe'
  const more = {
    ...{ 'local-address': addr, interface: 'Ethernet' },
    ...{ 'poweroff-command': end, 'reboot-command': end },
  }
  return {
    lab,
    addr,
    system: {
      ...{ name: 'Windows', status: 'windows', newline: '\r\n' },
      refusal: ': only a live system can do this',
    },
    async start() {
      const refreshed = lab.event('command-ended', { addr, command: 'refresh' })
      program = computer.startAgent(lab.host.ports.agents, more)
      await refreshed
    },
    async crash() {
      program?.kill('SIGKILL')
      await program?.ended
    },
    login: user => computer.logIn(titles + rowOf(user)),
    logout: () => computer.logIn(titles),
    sleepScript: 'echo on>C:\\sleep.txt\nping -n 600 127.0.0.1 >nul',
    setOverdue() {},
    async sleeps() {
      await pollUntil(() => existsSync(sleeping))
      rmSync(sleeping)
      return []
    },
    remove: computer.remove,
  }
}
