// Has the command folders scanned by `folder-scanner.ts`: at the start, after each change, and on request.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Options } from '../config/options.ts'
import type { Log } from '../log/log.ts'
import type { Events } from '../system/events.ts'
import { prepareEsbuild } from '../system/process/esbuild-process.ts'
import { FolderScanner, type ScannerDeps } from './folder-scanner.ts'
import type { IsEnabled } from './pack-names.ts'
import type { Registry } from './registry.ts'
import { warnOfUnknownCommands } from './unknown-commands.ts'
import { FolderWatcher } from './watcher.ts'

export type Loader = ReturnType<typeof createLoader>

export function createLoader(deps: Omit<ScannerDeps, 'scanned'>) {
  const { log, registry, folders } = deps
  let watcher: FolderWatcher | undefined
  warnOfUnknownCommands(registry, log)
  const scanner = new FolderScanner({ ...deps, scanned: () => watcher?.renew() })
  return {
    /** Loads all folders, puts their commands in service, and from then on follows every change. */
    async start() {
      await scanner.start()
      log.info('modules', `${registry.commands.length} commands in service`)
      for (const { path, origin } of folders) {
        if (origin === 'built-in' || existsSync(path)) continue
        log.warn('modules', `${path}: the folder does not exist yet, its files load once it does`)
      }
      watcher = new FolderWatcher({
        directories: () => scanner.directories(),
        changed(file) {
          scanner.noticeChange(file)
          // In the time that the watcher waits for the end of the burst.
          prepareEsbuild()
        },
        scan: () => void scanner.refresh(),
        look: () => scanner.look(),
        log,
      })
    },
    /** Scans the folders now; resolves when their commands are in service. */
    refresh: () => scanner.refresh(),
    /** Puts in service what is enabled now; resolves when it is. */
    renewService: () => scanner.renewService(),
    /** Every file, in service or not, built-in files first. */
    list: () => scanner.list(),
    close() {
      watcher?.close()
      // A scan that ends later does not watch the folders again.
      watcher = undefined
    },
  }
}

interface ModulesDeps {
  options: Options
  log: Log
  events: Events
  registry: Registry
  isEnabled?: IsEnabled
}

/** The loader of the built-in folders and those of the site. */
export function createModules({ options, ...deps }: ModulesDeps): Loader {
  const builtIn = ['../../commands', '../../commands/packs'].map(path => fileURLToPath(new URL(path, import.meta.url)))
  const ofSite = options.commands.map(path => ({ path, origin: path }))
  const folders = [...builtIn.map(path => ({ path, origin: 'built-in' })), ...ofSite]
  return createLoader({ ...deps, folders, isLocked: options.commands_locked })
}

/** Also ends what commands have started and bound to `services.signal`. */
export function closeModules(loader: Loader, registry: Registry): void {
  loader.close()
  registry.replace([])
}

/** Of options for commands that no file has. */
export function warnOfUnknownDeadlines({ deadlines }: Options, registry: Registry, log: Log): void {
  const names = new Set(registry.commands.map(({ name }) => name))
  for (const name of Object.keys(deadlines)) {
    if (!names.has(name)) log.warn('options', `deadlines.${name}: no command of that name is loaded`)
  }
}
