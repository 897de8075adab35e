// A folder of commands gets a file that imports a device and thousands of broken files.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Attack, Target } from './attack.ts'

const brokenFiles = 20_000
const edits = 6
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
    for (let version = 2; version <= edits; version += 1) save(`mended-${version}.ts`, 'export default {')
    save('device.ts', "import x from '/dev/zero'\nexport default x\n")
    const afterDevice = await serviceTimeOf(target, 1, save)
    for (let index = 0; index < brokenFiles; index += 1) save(`broken-${index}.ts`, 'export default {')
    // Edits while the broken files are loaded: of a command in service, and of a file that was broken before.
    const amongFiles: number[] = []
    for (let version = 2; version === 2 || (version <= edits && !target.isOver()); version += 1) {
      amongFiles.push(await serviceTimeOf(target, version, save))
      amongFiles.push(await serviceTimeOf(target, version, save, `mended-${version}`))
    }
    rmSync(site, { recursive: true })
    const slowest = Math.max(0, ...amongFiles)
    const problems = [
      ...(afterDevice <= serviceTime
        ? []
        : [`after the file that imports a device a saved command is in service after ${afterDevice} ms`]),
      ...(slowest <= serviceTime ? [] : [`among broken files a saved command is in service after ${slowest} ms`]),
    ]
    const figures = `in service after ${afterDevice} ms with a device, and after ${amongFiles.join(', ')} ms`
    return { figures, problems }
  },
} satisfies Attack

/** Saves a version of a command and returns the milliseconds until it is in service. */
async function serviceTimeOf(
  { call, isOver }: Target,
  version: number,
  save: (file: string, text: string) => void,
  name = 'saved',
) {
  const began = performance.now()
  const answer = `answer: () => ({ version: ${version} })`
  save(`${name}.ts`, `export default { summary: 'Saved', route: 'GET /${name}', ${answer} }\n`)
  const since = () => Math.round(performance.now() - began)
  while ((await call(`GET /${name}`)).json?.version !== version) {
    if (isOver() && since() > serviceTime) return Number.POSITIVE_INFINITY
    await wait(50)
  }
  return since()
}
