// The daemon of the demo, which ends and removes its folder also where the demo has ended without doing so.
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'

// The daemon replaces it.
const { kill } = process
const folder = dirname(process.argv.at(-1) ?? '')
const remove = () => rmSync(folder, { recursive: true, force: true })

process.stdin.resume().on('close', () => {
  // A daemon that is still starting ends at once, without an event.
  if (process.listenerCount('SIGTERM') === 0) remove()
  else process.on('exit', remove)
  kill(process.pid, 'SIGTERM')
})

await import('../../host/main.ts')
