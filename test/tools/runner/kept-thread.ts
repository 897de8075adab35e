// Bundles the program of the watchdog's thread once for all daemons of a test run.
// In the bundles of test files this file stands for host/system/process/bundle-thread.ts.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleThread as bundleNow } from '../../../host/system/process/bundle-thread.ts'
import { bundlesVariable } from './bundled-file.ts'

const name = 'watchdog-thread.cjs'

export const writeThread = async (folder: string): Promise<void> => writeFile(join(folder, name), await bundleNow())

export const bundleThread = (): Promise<string> => readFile(join(process.env[bundlesVariable] ?? '', name), 'utf8')
