// The second process that works in the database of a test: it opens a store, prints a line, works and prints the result.
import { once } from 'node:events'
import type { OpenStore } from '../../stores/store.ts'
import { addNames, endParts } from './cluster-work-rules.ts'

const [adapter = '', options = ''] = process.argv.slice(2)
const { default: open }: { default: OpenStore } = await import(adapter)
const lines: string[] = []
const log = { info: (_: string, what: string) => void lines.push(what), warn() {} }
const store = await open(JSON.parse(options), log)
process.stdout.write(`${JSON.stringify(lines)}\n`)
await once(process.stdin, 'data')
const added = await addNames(store)
await endParts(store, 1)
process.stdout.write(`${JSON.stringify(added)}\n`)
await store.close()
