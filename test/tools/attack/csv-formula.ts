// Agents report serial numbers that a spreadsheet would run as formulas.
import { message } from '../simulator/agent-http.ts'
import type { Attack, Target } from './attack.ts'
import { textUntil } from './peers.ts'

const serials = ["=cmd|' /C calc'!A0", '+1+cmd', '-1+cmd', '@SUM(A1)', '\t=1+1', 'S1\u001b[2J\u202e', '\r=1+1', '=1,2']
const storeTime = 3000 // ms

export default {
  name: 'csv-formula',
  summary: 'serial numbers that are formulas, and the export of computers',
  seconds: 3,
  cheap: true,
  async run(target) {
    await Promise.all(serials.map((serial, index) => report(target, target.absent[index] ?? '', serial)))
    const csv = await target.call('GET /client/export')
    const cells = csv.text.split(/\r\n|\n/).flatMap(line => line.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/))
    const formulas = cells.filter(cell => /^"?[=+\-@\t\r]/.test(cell))
    const unprintable = cells.filter(cell => /[\p{Cc}\p{Bidi_Control}]/u.test(cell))
    const problems = [
      ...(formulas.length > 0 ? [`cells that are formulas: ${formulas.join(' ')}`] : []),
      ...(unprintable.length > 0 ? [`${unprintable.length} cells with control characters`] : []),
    ]
    return { figures: `${serials.length} serial numbers, ${cells.length} cells`, problems }
  },
} satisfies Attack

/** Resolves when the serial number is stored, refused, or after a timeout. */
async function report({ agent, call }: Target, addr: string, serial_number: string): Promise<void> {
  const socket = await agent(addr)
  await textUntil(socket, '/refresh', storeTime)
  socket.write(message(200, { disk_setup: [], partition_setup: [], serial_number, link: 1000 }))
  for (const until = performance.now() + storeTime; performance.now() < until; ) {
    const { json } = await call('GET /clients')
    const entry = json.clients.find((client: { addr: string }) => client.addr === addr)
    if (entry === undefined || entry.last_cmd.result !== 'unknown') return
  }
}
