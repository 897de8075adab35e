// Reads the TypeScript files of the repository, for tests of the code itself.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../..')

/** Paths relative to `root`. */
export const sourceFiles = ['host', 'commands', 'stores', 'test']
  .flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name => join(folder, name)),
  )
  .filter(name => /\.tsx?$/.test(name))

export const readSource = (file: string): string => readFileSync(join(root, file), 'utf8')

export const linesOf = (file: string): string[] => readSource(file).replace(/\n$/, '').split('\n')
