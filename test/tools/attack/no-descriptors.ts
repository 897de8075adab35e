// Agents without a record use up the descriptors of the daemon while a command file is saved.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Attack, strangerAt, type Target } from './attack.ts'

const connections = 600
const loadTime = 15_000 // ms

export default {
  name: 'no-descriptors',
  summary: '600 agents without a record at a limit of 256 descriptors, and a command file is saved',
  seconds: 4,
  cheap: true,
  daemon: { descriptors: 256, options: { commands: ['./site'] } },
  async run(target) {
    mkdirSync(join(target.folder, 'site'), { recursive: true })
    save(target, 1)
    const problems = (await isLoaded(target, 1)) ? [] : ['the command is not in service before the attack']
    const sockets = await Promise.all(
      Array.from({ length: connections }, (_, index) => target.agent(strangerAt(index))),
    )
    let open = sockets.length
    for (const socket of sockets) socket.on('close', () => (open -= 1)).resume()
    await wait(500)
    save(target, 2)
    while (!target.isOver()) await wait(100)
    const readiness = await statusOf(target, 'GET /readyz')
    if (readiness === 0) problems.push('a new caller gets no response during the attack')
    const openAtEnd = open
    for (const socket of sockets) socket.destroy()
    if (!(await isLoaded(target, 2))) problems.push('the saved command is not in service after the attack')
    return { figures: `${openAtEnd} connections open at the end, /readyz ${readiness}`, problems }
  },
} satisfies Attack

function save({ folder }: Target, version: number): void {
  const text = `export default { summary: 'Saved', route: 'GET /saved', answer: () => ({ version: ${version} }) }\n`
  writeFileSync(join(folder, 'site/saved.ts'), text)
}

/** 0: no response. */
const statusOf = ({ call }: Target, route: string): Promise<number> =>
  call(route).then(
    ({ status }) => status,
    () => 0,
  )

async function isLoaded({ call }: Target, version: number): Promise<boolean> {
  for (const until = performance.now() + loadTime; performance.now() < until; await wait(100)) {
    const response = await call('GET /saved').catch(() => undefined)
    if (response?.json?.version === version) return true
  }
  return false
}
