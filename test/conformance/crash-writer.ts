// The process that is killed, or whose server is: 8 writers, each of which prints `writer step` when a step was acknowledged.
import type { OpenStore } from '../../stores/store.ts'
import { recordedTypes, takeStep } from './crash-work.ts'

const [adapter = '', options = '', done = '', end = ''] = process.argv.slice(2)
const { default: open }: { default: OpenStore } = await import(adapter)
const log = { info() {}, warn() {} }
const store = await open(JSON.parse(options), log)
store.storedEvents.record(recordedTypes)
const starts: number[] = JSON.parse(done)

await Promise.all(
  starts.map(async (start, writer) => {
    for (let step = start; ; step += 1) {
      try {
        await takeStep(store, writer, step)
      } catch (error) {
        if (end === 'until refused') return
        throw error
      }
      process.stdout.write(`${writer} ${step}\n`)
    }
  }),
)
await store.close()
