// Kills a process with 8 writers at random moments, many times, and counts lost writes.
// Usage: node --import tsx test/bench/store-crash.ts [--rounds 50]
import { rm } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { crash } from '../conformance/crashes.ts'
import { addLab } from '../conformance/samples.ts'
import { newFolder, openIn } from '../harness/store-folders.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '50' } } })

// Small journals, so that some kills happen during a snapshot.
const { adapter, options, store } = await openIn(await newFolder(), { journal_bytes: 50_000 })
await addLab(store)
await store.close()
const outcome = await crash(adapter, options, Number(values.rounds), ({ rounds, acknowledged, lost, partial }) => {
  if (rounds % 10 === 0) console.log(`${rounds} rounds: ${acknowledged} acknowledged, ${lost} lost, ${partial} in part`)
})
await rm(options.path, { recursive: true })
if (outcome.lost + outcome.partial > 0) process.exitCode = 1
