// What the agent reads and runs on Linux.
import type { AgentSystem } from '../../agent-program/agent-system.ts'
import { readDiskHealth } from './disk-health.ts'
import { listDisks } from './disk-list.ts'
import { listHardware, listSoftware } from './inventory-lists.ts'
import { linuxShell } from './linux-shell.ts'
import { LoginWatch } from './login-watch.ts'
import { computerName, createSystemFiles, linkSpeed, macOf, osName, serialNumber } from './machine.ts'

/** `root`: the folder that has sys, proc, etc and run. */
export function createLinuxSystem(root: string): AgentSystem {
  const files = createSystemFiles(root)
  return {
    word: 'LINUX',
    osName: () => osName(files),
    computerName: () => computerName(files),
    serialNumber: () => serialNumber(files),
    macOf: name => macOf(name, files),
    linkSpeed: name => linkSpeed(name, files),
    shell: linuxShell,
    watchLogins: (log, onEvent) => new LoginWatch(files, log, onEvent),
    listDisks: signal => listDisks(files, signal),
    listHardware: signal => listHardware(files, signal),
    listSoftware: signal => listSoftware(files, signal),
    readDiskHealth,
  }
}
