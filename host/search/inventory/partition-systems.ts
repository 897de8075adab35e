// Groups computers by what they have in each partition.
import type { PartitionSystem } from '../../contract/services.ts'
import { surveyPages } from './survey-pages.ts'

export async function readSystems(
  deps: Parameters<typeof surveyPages>[0],
  clients: readonly string[],
): Promise<PartitionSystem[]> {
  const groups = new Map<string, PartitionSystem>()
  for await (const { ip, rows } of surveyPages(
    deps,
    [...new Set(clients)].map(ip => ({ ip })),
  )) {
    // The row of partition 0 is the disk itself.
    for (const { disk, partition, system } of rows.filter(row => row.partition > 0)) {
      const key = JSON.stringify([disk, partition, system])
      const group = groups.get(key) ?? { disk, partition, system, clients: [] }
      group.clients.push(ip)
      groups.set(key, group)
    }
  }
  return [...groups.values()].sort(
    (a, b) => a.disk - b.disk || a.partition - b.partition || b.clients.length - a.clients.length,
  )
}
