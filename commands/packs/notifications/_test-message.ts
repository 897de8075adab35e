// Queues a message that says only that messages arrive.
import { enqueue } from './_queue.ts'
import type { Context } from './_schemas.ts'
import { sender } from './_sender.ts'

/** Resolves to the deliveries. */
export async function queueTest(context: Context, rule: string, targets: readonly string[]): Promise<string[]> {
  const { services } = context
  const title = rule === '' ? 'Test message of fleet-host' : `Test message of fleet-host, rule ${rule}`
  const content = { rule, type: 'test', room: 0, place: '', title, entries: [], count: 0, urgent: true }
  const keys = await enqueue(context, { ...content, time: services.now() }, targets)
  services.hooks.run(sender)
  return keys
}
