#!/usr/bin/env node
// The agent: a program of its own, bundled into one file for all systems, which runs on the computers of a lab.
import { createLinuxSystem } from '../linux-agent/program/linux-system.ts'
import { createLiveSystem } from '../linux-agent/program/live-system.ts'
import { installAgent } from '../windows-agent/program/windows-install.ts'
import { createWindowsSystem } from '../windows-agent/program/windows-system.ts'
import { type AgentProgram, runAgent } from './run-agent.ts'

const linux: AgentProgram = {
  defaults: { 'poweroff-command': 'systemctl poweroff', 'reboot-command': 'systemctl reboot' },
  createSystem: ({ live, root }) => (live ? createLiveSystem(root) : createLinuxSystem(root)),
}

/** Who is logged in sees it this many seconds before. */
const notice = 10

const windows: AgentProgram = {
  defaults: {
    'poweroff-command': `shutdown /s /f /t ${notice} /c "The administrator turns this computer off"`,
    'reboot-command': `shutdown /r /f /t ${notice} /c "The administrator restarts this computer"`,
  },
  createSystem: createWindowsSystem,
}

const isWindows = process.platform === 'win32'
const [action, ...args] = process.argv.slice(2)

if (isWindows && action === 'install') void installAgent(args)
else void runAgent(isWindows ? windows : linux)
