// Imports of texts on which a reader of CSV or of dhcpd.conf may spend seconds.
import type { Attack } from './attack.ts'

const size = 2_000_000 // characters
const row = (index: number) =>
  `pc-${index},10.9.${(index >> 8) & 255}.${index & 255},02aa${index.toString(16).padStart(8, '0')}\n`
const rows = Array.from({ length: size / 40 }, (_, index) => row(index)).join('')

const texts = [
  { name: 'CSV with a wide head', format: 'csv', text: `name,ip,mac${',a'.repeat(size / 2)}\n1,2,3` },
  { name: 'CSV with a wide row', format: 'csv', text: `name,ip,mac\n${','.repeat(size)}` },
  { name: 'CSV with an unclosed quote', format: 'csv', text: `name,ip,mac\n"x,1,2\n${rows}` },
  { name: 'CSV of quotes', format: 'csv', text: `name,ip,mac\n${'"x,1,2\n'.repeat(size / 7)}` },
  { name: 'dhcpd of open braces', format: 'dhcpd', text: 'a {'.repeat(size / 3) },
  { name: 'dhcpd of closing braces', format: 'dhcpd', text: '}'.repeat(size) },
  { name: 'dhcpd with an unclosed quote', format: 'dhcpd', text: `host a { option x "${'y '.repeat(size / 2)}` },
]

export default {
  name: 'wide-import',
  summary: 'imports of 2 MB with a million columns, braces or quotes, limits raised',
  seconds: 10,
  daemon: { options: { limits: { request: 4_000_000 } } },
  async run({ call, isOver }) {
    const times: string[] = []
    for (const { name, format, text } of texts) {
      if (isOver()) break
      const began = performance.now()
      const { status } = await call('POST /client/import', { format, text, room: 1, dry_run: true })
      times.push(`${name} ${status} in ${Math.round(performance.now() - began)} ms`)
    }
    return { figures: times.join(', ') }
  },
} satisfies Attack
