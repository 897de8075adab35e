// A folder of commands gets a file that imports a device and thousands of broken files.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Attack, Target } from './attack.ts'

const brokenFiles = 20_000
const serviceTime = 2_000 // ms until a saved command must be in service

export default {
  name: 'broken-commands',
  summary: '20,000 broken command files, and one that imports a device',
  seconds: 20,
  daemon: { options: { commands: ['./site'] } },
  bounds: { data: Number.POSITIVE_INFINITY, log: 8_000_000 },
  async run(target) {
    const site = join(target.folder, 'site')
    mkdirSync(site, { recursive: true })
    const save = (name: string, text: string) => writeFileSync(join(site, name), text)
    save('device.ts', "import x from '/dev/zero'\nexport default x\n")
    const afterDevice = await serviceTimeOf(target, 1, save)
    for (let index = 0; index < brokenFiles; index += 1) save(`broken-${index}.ts`, 'export default {')
    const afterFiles = await serviceTimeOf(target, 2, save)
    rmSync(site, { recursive: true })
    const problems = [
      ...(afterDevice <= serviceTime
        ? []
        : [`after the file that imports a device a saved command is in service after ${afterDevice} ms`]),
      ...(afterFiles <= serviceTime ? [] : [`among broken files a saved version is in service after ${afterFiles} ms`]),
    ]
    return { figures: `in service after ${afterDevice} ms and ${afterFiles} ms`, problems }
  },
} satisfies Attack

/** Saves a version of a command and returns the milliseconds until it is in service. */
async function serviceTimeOf({ call, isOver }: Target, version: number, save: (file: string, text: string) => void) {
  const began = performance.now()
  const answer = `answer: () => ({ version: ${version} })`
  save('saved.ts', `export default { summary: 'Saved', route: 'GET /saved', ${answer} }\n`)
  while (!isOver() && (await call('GET /saved')).json?.version !== version) await wait(50)
  return isOver() ? Number.POSITIVE_INFINITY : Math.round(performance.now() - began)
}
