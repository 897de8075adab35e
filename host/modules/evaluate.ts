// Runs a bundled command file once and gives its default export.
import Module, { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { runInThisContext } from 'node:vm'
import { message } from '../system/log.ts'

/** A file that has not ended by then never ends. */
const loadMilliseconds = 500

const slot = Symbol.for('fleet-host.evaluate')

/**
 * Runs the text as a CommonJS module that lies where `file` lies. Throws a one-line reason, with the line where it is known.
 */
export function evaluate(code: string, file: string): unknown {
  const module = new Module(file)
  module.filename = file
  module.paths = createRequire(file).resolve.paths('koa') ?? []
  const compile: unknown = Reflect.get(module, '_compile')
  if (typeof compile !== 'function') throw new Error('this version of Node cannot run command files')
  const exit = process.exit
  // The exported way to stop a file that never returns: only a script's run takes a time limit.
  Reflect.set(globalThis, slot, () => Reflect.apply(compile, module, [code, file]))
  process.exit = () => {
    throw new Error('process.exit() is not for a command file')
  }
  try {
    runInTime(`globalThis[Symbol.for('fleet-host.evaluate')]()`)
  } catch (error) {
    throw new Error(`${whereThrown(error, file)}${explainThrown(error)}`)
  } finally {
    process.exit = exit
    Reflect.deleteProperty(globalThis, slot)
  }
  return module.exports?.default
}

/** The limit is one of time: a file that did not get the processor meanwhile is run once more. */
function runInTime(script: string): void {
  const before = process.cpuUsage()
  try {
    runInThisContext(script, { timeout: loadMilliseconds })
  } catch (error) {
    const { user, system } = process.cpuUsage(before)
    if (!isTimeout(error) || user + system > (loadMilliseconds * 1000) / 2) throw error
    runInThisContext(script, { timeout: loadMilliseconds })
  }
}

const isTimeout = (error: unknown) =>
  error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

function explainThrown(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (isTimeout(error)) {
    return `does not return; a file must have loaded within ${loadMilliseconds} ms`
  }
  if (code === 'ERR_REQUIRE_ESM' || code === 'ERR_REQUIRE_ASYNC_MODULE') {
    return `expected a package that can be required, got one that can only be imported (${message(error)})`
  }
  // Node adds the list of files that required the package.
  return message(error).split('\nRequire stack:')[0] ?? ''
}

/** The first line of the stack that lies in the folder of the file: `/site/report.ts:3: `. */
function whereThrown(error: unknown, file: string): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const folder = dirname(file)
  const lines = stack.matchAll(/(?:\(|at |file:\/\/)(\/[^():]+):(\d+)(?::\d+)?/g)
  for (const [, at = '', line = ''] of lines) if (at.startsWith(folder)) return `${at}:${line}: `
  return ''
}
