// Causes lines in the log of a daemon whose standard output is broken.
import { strangerAt, type Target } from './attack.ts'
import { repeat, textUntil } from './peers.ts'

const callers = 8
const responseTime = 500 // ms
/** Together they fill the buffers of a pipe soon; the path is in the log. */
const pathLength = 4_000

/** Sends requests without a token, each of which is logged. */
export async function causeLogLines(target: Target): Promise<{ figures: string }> {
  const sockets = await Promise.all(
    Array.from({ length: callers }, (_, caller) => target.caller(strangerAt(caller + 1))),
  )
  let responses = 0
  await repeat(target, callers, async (caller, round) => {
    const socket = sockets[caller]
    const response = socket && textUntil(socket, '\r\n\r\n', responseTime)
    socket?.write(`GET /clients${round}${'x'.repeat(pathLength)} HTTP/1.1\r\nHost: x\r\n\r\n`)
    if ((await response)?.includes('401')) responses += 1
    // A daemon that has closed the connection must not be asked in a loop without a pause.
    else await new Promise(resolve => setTimeout(resolve, responseTime))
  })
  return { figures: `${responses} refused requests` }
}
