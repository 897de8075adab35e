#!/usr/bin/env node
// The `fleet` program: makes Node load the TypeScript of its own installation, so that it runs in any folder.
import { lstatSync, mkdirSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isatty } from 'node:tty'

const { argv, env: environment, stdout: out, stderr: error, versions } = process

/** Where compiled programs are kept. Nobody else may write to it, for what it has is run; undefined if there is none. */
function cacheFolder() {
  const folder = join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'fleet')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { uid, mode } = lstatSync(folder)
    return uid === process.geteuid() && (mode & 0o022) === 0 ? folder : undefined
  } catch {
    return undefined
  }
}

/** The loader keeps what it has compiled in the folder for temporary files, where others could have put something. */
async function registerLoader(folder) {
  const { TMPDIR } = environment
  if (folder === undefined) environment.TSX_DISABLE_CACHE = '1'
  else environment.TMPDIR = folder
  const { register } = await import('tsx/esm/api')
  // Without this the loader would read a tsconfig.json of the working directory.
  register({ tsconfig: false })
  if (TMPDIR === undefined) delete environment.TMPDIR
  else environment.TMPDIR = TMPDIR
}

const folder = cacheFolder()
// From Node 22.1 on.
if (folder !== undefined) module.enableCompileCache?.(folder)
// Node 24 needs no loader, which takes a third of the time of most calls, but for files of an installed package of npm.
const loadsTypeScript = Number.parseInt(versions.node, 10) >= 24 && !import.meta.url.includes('/node_modules/')
if (!loadsTypeScript) await registerLoader(folder)
const { runFleet } = await import('./program.ts')

// Not a pipe: Node would make it non-blocking, and `fleet import -` reads it at once.
const input = isatty(0) ? process.stdin : undefined

// A reader may close the pipe early: `fleet jobs | head -1`.
out.on('error', error => process.exit('code' in error && error.code === 'EPIPE' ? 0 : 1))

process.exitCode = await runFleet(argv.slice(2), { environment, out, error, input })
// A shell waits for it: nothing that goes on, such as looking up a name, may hold it.
if (argv[2] === 'completion-words') process.exit()
