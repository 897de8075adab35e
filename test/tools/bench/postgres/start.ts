// Opens a filled database in a process of its own and prints the time and the memory that it takes, as JSON.
// Usage: node --import tsx test/tools/bench/postgres/start.ts OPTIONS COMPUTERS
import open from '../../../../stores/postgres/index.ts'
import { address, report } from './store-fleet.ts'

const [options = '', computers = ''] = process.argv.slice(2)
const size = Number(computers)
const megabytes = () => Math.round(process.memoryUsage.rss() / 2 ** 20)
const log = { info() {}, warn: (where: string, what: string) => console.error(where, what) }

const began = performance.now()
const store = await open(JSON.parse(options), log)
const start = performance.now() - began
const memory = megabytes()
await store.scopes()
for (let at = 0; at < 5000; at += 50) {
  const indexes = Array.from({ length: 50 }, (_, more) => (at + more) % size)
  await Promise.all(indexes.map(index => store.inventory.refresh(address(index), report(index, index))))
}
const after = megabytes()
await store.close()
console.log(JSON.stringify({ start, memory, after }))
