// What some computers have in their partitions.
import type { PartitionSystem, SystemsAnswer } from '../../../contract/answers.ts'
import { roomOf } from './lab.ts'
import { type Resource, useResource } from './resource.ts'

/** The addresses of more are too long for a request. */
const mostNamed = 800

export function useSystems(clients: readonly string[]): Resource<SystemsAnswer> {
  const rooms = new Set(clients.map(ip => roomOf(ip)?.id ?? 0))
  const where = [...rooms].map(id => `room_id:${id}`).join(' or ')
  const query = clients.length > mostNamed ? ['where', where] : ['clients', clients.join(',')]
  return useResource(
    `/client/systems?${new URLSearchParams([query])}`,
    ({ type }) => type === 'client-ready' || type === 'job-finished',
  )
}

export interface Place {
  disk: string
  partition: string
}

export const placeOf = ({ disk, partition }: { disk?: number; partition?: number }): Place => ({
  disk: String(disk ?? ''),
  partition: String(partition ?? ''),
})

export const keyOf = ({ disk, partition }: Place) => `${disk} ${partition}`

/** Without computers that are not meant. */
export function systemsOf(answer: SystemsAnswer | undefined, clients: readonly string[]): PartitionSystem[] {
  const meant = new Set(clients)
  return (answer?.partitions ?? []).flatMap(content => {
    const own = content.clients.filter(ip => meant.has(ip))
    return own.length > 0 ? [{ ...content, clients: own }] : []
  })
}
