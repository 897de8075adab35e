// Runs a bundled command file once and returns its default export.
import Module, { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { runInThisContext } from 'node:vm'
import { message } from '../log/log.ts'
import { withUnchangedBuiltIns } from '../system/process/built-ins.ts'
import { runMilliseconds } from './timing.ts'

const slot = Symbol.for('fleet-host.evaluate')

/**
 * Runs the code as a CommonJS module at the path `file`. Throws an error with one line, which begins with the position
 * if that is known.
 */
export function evaluate(code: string, file: string): unknown {
  const module = new Module(file)
  module.filename = file
  module.paths = createRequire(file).resolve.paths('koa') ?? []
  const compile: unknown = Reflect.get(module, '_compile')
  if (typeof compile !== 'function') throw new Error('node: expected Module._compile, got a version of Node without it')
  const exit = process.exit
  // Of Node's public functions, only those that run a script take a time limit.
  Reflect.set(globalThis, slot, () => Reflect.apply(compile, module, [code, file]))
  process.exit = () => {
    throw new Error('a command file must not call process.exit()')
  }
  try {
    withUnchangedBuiltIns(() => runWithTimeout(`globalThis[Symbol.for('fleet-host.evaluate')]()`, module))
  } catch (error) {
    throw new Error(`${whereThrown(error, file)}${explainThrown(error)}`)
  } finally {
    process.exit = exit
    Reflect.deleteProperty(globalThis, slot)
  }
  return module.exports?.default
}

/** The vm timeout is wall-clock time: if the process got little CPU, the file runs once more. */
function runWithTimeout(script: string, module: Module): void {
  const before = process.cpuUsage()
  try {
    runOnce(script, module)
  } catch (error) {
    const { user, system } = process.cpuUsage(before)
    if (!isTimeout(error) || user + system > (runMilliseconds * 1000) / 2) throw error
    runOnce(script, module)
  }
}

function runOnce(script: string, module: Module): void {
  try {
    runInThisContext(script, { timeout: runMilliseconds })
  } catch (error) {
    if (isTimeout(error)) forgetInterrupted(module, createRequire(module.filename).cache)
    throw error
  }
}

/** The time limit ends a `require` without its `finally`: Node would give the half-loaded package to all who need it later. */
function forgetInterrupted({ children }: Module, cache: NodeJS.Require['cache']): void {
  for (const child of children) {
    if (child.loaded || cache[child.id] !== child) continue
    Reflect.deleteProperty(cache, child.id)
    forgetInterrupted(child, cache)
  }
}

const isTimeout = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

function explainThrown(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (isTimeout(error)) return `does not return: expected to load within ${runMilliseconds} ms`
  if (code === 'ERR_REQUIRE_ESM' || code === 'ERR_REQUIRE_ASYNC_MODULE') {
    return `expected a package that can be required, got one that can only be imported (${message(error)})`
  }
  // Without the list of files that required the package, which Node adds.
  return message(error).split('\nRequire stack:')[0] ?? ''
}

/** The first position of the stack that is in the folder of the file: `/site/report.ts:3: `, '' when there is none. */
function whereThrown(error: unknown, file: string): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const folder = dirname(file)
  const [, ...places] = stack.split(/(?:\(|at |file:\/\/)(?=\/)/)
  const [position] = places.flatMap(place => (place.startsWith(folder) && /^[^():]+:\d+/.exec(place)) || [])
  return position === undefined ? '' : `${position}: `
}
