// `fleet` as a program: with the words, environment and streams of this process.
import { runFleet } from './program.ts'

const { argv, env: environment, stdout: out, stderr: error } = process

// Whoever reads the output may have seen enough: `fleet jobs | head -1`.
out.on('error', error => process.exit('code' in error && error.code === 'EPIPE' ? 0 : 1))

process.exitCode = await runFleet(argv.slice(2), { environment, out, error })
