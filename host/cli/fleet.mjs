#!/usr/bin/env node
// The `fleet` program: registers the TypeScript loader of its own installation, so that it runs in any folder.
import { isatty } from 'node:tty'
import { register } from 'tsx/esm/api'

// Without this the loader would read a tsconfig.json of the working directory.
register({ tsconfig: false })
const { runFleet } = await import('./program.ts')

const { argv, env: environment, stdout: out, stderr: error } = process
// Not a pipe: Node would make it non-blocking, and `fleet import -` reads it at once.
const input = isatty(0) ? process.stdin : undefined

// A reader may close the pipe early: `fleet jobs | head -1`.
out.on('error', error => process.exit('code' in error && error.code === 'EPIPE' ? 0 : 1))

process.exitCode = await runFleet(argv.slice(2), { environment, out, error, input })
// A shell waits for it: nothing that goes on, such as looking up a name, may hold it.
if (argv[2] === 'completion-words') process.exit()
