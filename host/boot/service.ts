// The boot service of commands: boot modes and live systems of computers.
import { readFile } from 'node:fs/promises'
import type { Store } from '../../stores/store.ts'
import type { Options } from '../config/options.ts'
import { refuse } from '../contract/refusal.ts'
import type { BootService } from '../contract/services.ts'
import { readBuild } from '../live-system/build-state.ts'
import { type LiveManifest, listLiveSystems, liveFolderOf } from '../live-system/live-folder.ts'
import { serveLiveFile } from '../live-system/serve-files.ts'
import { isNotFound } from '../system/file-system.ts'
import type { Boot } from './boot-files.ts'
import type { ComputerFiles } from './computer-files.ts'

interface BootServiceDeps {
  store: Pick<Store, 'computers'>
  boot: Boot
  computerFiles: ComputerFiles
  options: Pick<Options, 'boot' | 'store'>
}

export function createBootService({ store, boot, computerFiles, options }: BootServiceDeps): BootService {
  const liveFolder = liveFolderOf(options.store.path)
  return {
    modes: boot.modes,
    describeModes: boot.describeModes,
    async liveSystems() {
      const [listed, built, building] = await Promise.all([
        readLiveSystems(options.boot.oglives),
        listLiveSystems(liveFolder),
        readBuild(liveFolder),
      ])
      return { ...listed, oglive: [...listed.oglive, ...built.map(toListed)], ...(building && { building }) }
    },
    liveFile: request => serveLiveFile(liveFolder, options.boot.output, request),
    setMode: (clients, mode) =>
      computerFiles.exclusive(async () => {
        const reason = await boot.unusable(mode)
        if (reason !== undefined) return refuse(reason)
        return computerFiles.change('clients', await store.computers.findMany(clients), { boot: mode })
      }),
    setLiveSystem: (clients, livedir) =>
      computerFiles.exclusive(async () =>
        computerFiles.change('clients', await store.computers.findMany(clients), { livedir }),
      ),
    async preview(client, mode) {
      const [computer] = await store.computers.findMany([client])
      const [subject] = await computerFiles.subjectsOf(computer ? [{ ...computer, boot: mode }] : [])
      if (!subject) return refuse(`clients: there is no computer ${client}`)
      const files = await boot.preview(subject)
      return typeof files === 'string' ? refuse(files) : files
    },
  }
}

/** In the words of the file of live systems. */
const toListed = ({ name, distribution, kernel, architecture, built }: LiveManifest) => ({
  distribution,
  kernel,
  architecture,
  revision: built.slice(0, 10).replaceAll('-', ''),
  directory: name,
  iso: '',
})

/** The only live system of a site without such a file. */
const defaultSystem = { distribution: '', kernel: '', architecture: '', revision: '', directory: 'ogLive', iso: '' }

/** `file` holds `{default: index, oglive: [{directory, …}]}`. Rejects when the file exists but has another content. */
async function readLiveSystems(file = ''): Promise<{ default: number; oglive: object[] }> {
  const text = await readFile(file, 'utf8').catch(error => {
    if (isNotFound(error)) return undefined
    throw error
  })
  if (text === undefined) return { default: 0, oglive: [defaultSystem] }
  const list = parse(text)
  if (list instanceof Object && 'oglive' in list && Array.isArray(list.oglive)) {
    const index = 'default' in list && Number.isInteger(list.default) ? Number(list.default) : 0
    return { default: index, oglive: list.oglive }
  }
  const start = JSON.stringify(text.slice(0, 80))
  throw new Error(`${file}: expected {"default": 0, "oglive": [{"directory": …}]}, got ${start}`)
}

/** Undefined for a text that is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
