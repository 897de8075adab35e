// The live system of the lab, in a folder that keeps it: its files are those of all virtual computers.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../harness/source-files.ts'
import { address } from './lab-network.ts'

export const fleet = (...args: string[]) =>
  execFileSync(process.execPath, [join(root, 'host/cli/fleet.mjs'), ...args], { stdio: ['ignore', 'pipe', 'inherit'] })

/** Builds it where it is missing. Returns the file with the options of the daemon. */
export function prepareLiveSystem(folder: string): string {
  if (process.getuid?.() !== 0) throw new Error('expected root, who alone can make a root file system')
  const data = join(folder, 'data')
  const config = join(folder, 'options.json')
  const options = {
    store: { adapter: 'lowdb', path: data },
    rest: { ip: address },
    agents: { ip: address },
    boot: { output: join(folder, 'boot') },
  }
  mkdirSync(data, { recursive: true })
  writeFileSync(config, JSON.stringify(options))
  if (!existsSync(join(data, 'live/ogLive'))) fleet('live', 'build', '--config', config)
  return config
}

/** The folder with its kernel, its initial file system and its image. */
export const liveFolder = (folder: string): string => join(folder, 'data/live/ogLive')

/** Replaces `into` by the files of its image. */
export function extractLiveSystem(folder: string, into: string): void {
  rmSync(into, { recursive: true, force: true })
  const image = join(liveFolder(folder), 'root.squashfs')
  execFileSync('unsquashfs', ['-quiet', '-no-progress', '-dest', into, image])
}
