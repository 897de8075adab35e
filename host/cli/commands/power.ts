// `fleet wake`, `poweroff`, `reboot` and `stop`: one command for chosen computers, and one line that says what became of it.

import { readJob, readPartsIn } from '../api/job-reader.ts'
import type { CliContext } from '../context.ts'
import { plural } from '../terminal/text-table.ts'
import { actOptions, confirmFor, queueOptions, reportJobs, selectComputers, sendCommand } from './act-on-computers.ts'
import { subcommand } from './subcommand.ts'
import { yesOption } from './subcommand-options.ts'

const argument = 'their names or addresses'

const help = (name: string) => `
  fleet ${name} lab-r01-c01 lab-r01-c02
  fleet ${name} --room "Room 1"
  fleet ${name} --where 'tag:exam os:windows'`

const waits = 'waiting for connections, 60 s at most unless the option wol.seconds says otherwise'

const wake = subcommand({
  command: 'wake [computer...]',
  argument,
  description: 'wake computers that are off',
  options: {
    ...actOptions,
    '--type <type>': { text: 'how the packets are addressed', choices: ['broadcast', 'unicast'], default: 'broadcast' },
  },
  help: help('wake'),
  async run(context, { type, ...flags }, words) {
    const clients = await selectComputers(context, 'wake', words, flags)
    const { dryRun, json } = flags
    const reasons = { connected: 'on already' }
    const job = await sendCommand(context, 'POST /wol', { clients, type }, { dryRun, json }, reasons)
    // What is on already is skipped at once.
    const { parts } = await readJob(context.connect(), job)
    const off = parts.flatMap(({ state, client }) => (state === 'skipped' ? [] : client))
    if (flags.wait !== false && off.length > 0)
      context.printError(`wake-up sent to ${plural(off.length, 'computer')}; ${waits}`)
    const waiting = await waitingWords(context, off)
    if (waiting !== '') context.printError(`what waits for them starts when they connect: ${waiting}`)
    await reportJobs(context, flags, { jobs: [job], done: 'woken', reasons, isExplained: true })
  },
})

/** `image restore (job 7)`: what the wake-up sets off. */
async function waitingWords({ connect }: CliContext, clients: readonly string[]): Promise<string> {
  const parts = await readPartsIn(connect(), 'queued')
  const words = parts
    .filter(({ client }) => clients.includes(client))
    .map(({ command, job }) => `${command} (job ${job})`)
  return [...new Set(words)].join(', ').replaceAll('-', ' ')
}

/** On those that are connected. */
async function nothingRuns({ connect }: CliContext, clients: readonly string[]): Promise<boolean> {
  const { body } = await connect().call('GET /clients')
  const connected = body.clients.filter(({ addr }) => clients.includes(addr))
  return connected.length > 0 && connected.every(({ state }) => state !== 'BSY')
}

/** `effect` is the beginning of the question: what is logged in there ends. `idle`: what is done where nothing runs. */
const ending = (name: string, effect: string, { done, idle = done }: { done: string; idle?: string }) =>
  subcommand({
    command: `${name} [computer...]`,
    argument,
    description: `${effect.toLowerCase()} computers`,
    options: { ...actOptions, ...queueOptions, ...yesOption },
    help: help(name),
    async run(context, flags, words: string[]) {
      const clients = await selectComputers(context, name, words, flags)
      await confirmFor(context, clients, { where: name, effect, flags })
      const isIdle = idle !== done && (await nothingRuns(context, clients))
      const jobs = [await sendCommand(context, `POST /${name}`, { clients }, flags)]
      await reportJobs(context, flags, { jobs, done: isIdle ? idle : done })
    },
  })

export const powerCommands = [
  wake,
  ending('poweroff', 'Power off', { done: 'off' }),
  ending('reboot', 'Reboot', { done: 'rebooting' }),
  ending('stop', 'Stop what runs on', { done: 'stopped', idle: 'with nothing to stop' }),
]
