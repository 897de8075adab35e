// Stores a command with its clients and schedules it; without a time of its own it fires at once.
import type { Command } from 'fleet-host'

const payload = {
  type: 'object',
  required: ['clients', 'command', 'params'],
  properties: {
    clients: { $ref: 'clients' },
    command: { type: 'string' },
    params: { type: 'object' },
    when: { $ref: 'when' },
  },
} as const

// Every day of 2040 at 22:30.
const late = {
  years: 1 << 30,
  months: 0xfff,
  weeks: 0,
  week_days: 0,
  days: 0x7fffffff,
  hours: 1 << 10,
  am_pm: 1,
  minutes: 30,
}

export default {
  summary: 'Schedule a command',
  example: { clients: ['10.1.1.20'], command: 'poweroff', params: {}, when: late },
  route: 'POST /schedule/command',
  payload,
  async answer({ clients, command, params, when }, { jobs, schedules: calendar }) {
    const steps = jobs.checkSteps([{ command, params: Object(params) }])
    if ('refused' in steps) return steps
    const [step] = steps
    if (step && 'command' in step) await calendar.createScheduledCommand({ clients, ...step, ...(when && { when }) })
  },
} satisfies Command<typeof payload>
