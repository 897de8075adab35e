#!/usr/bin/env node
// The agent for Linux: a program of its own, bundled into one file, which runs on the computers of a lab.
import { runAgent } from '../../agent-program/run-agent.ts'
import { createLinuxSystem } from './linux-system.ts'

void runAgent({
  defaults: { 'poweroff-command': 'systemctl poweroff', 'reboot-command': 'systemctl reboot' },
  createSystem: options => createLinuxSystem(options.root),
})
