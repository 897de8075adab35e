// The question of a command that overwrites partitions: with what the computers have there now.
import type { ComponentChildren } from 'preact'
import type { CommandInfo } from '../api/api-document.ts'
import type { ContentGroup } from '../api/plan-answers.ts'
import { post } from '../api/request.ts'
import { ContentLines } from '../parts/content-lines.tsx'
import { groupBy } from '../parts/group-by.ts'

type PreviewedClient = Partial<Omit<ContentGroup, 'computers'>> & { client: string }

/** The question alone for commands that do not say what is lost. */
export async function withContent(
  question: string,
  { path, previews }: CommandInfo,
  payload: { clients: readonly string[]; disk?: unknown; partition?: unknown; overwrite?: unknown },
): Promise<ComponentChildren> {
  if (!previews) return question
  const { value } = await post<{ clients: PreviewedClient[] }>(`${path}?dry_run=1`, payload)
  const clients = value?.clients ?? []
  if (!clients.some(client => 'another_system' in client)) return question
  const content = groupBy(clients, each => JSON.stringify([each.system, each.filesystem, each.another_system]))
  const groups = [...content.values()].map(members => {
    const { system = '', filesystem = '', another_system = false } = members[0] ?? {}
    return { system, filesystem, another_system, computers: members.length }
  })
  const { disk, partition, overwrite } = payload
  const place = { disk: String(disk), partition: String(partition) }
  return (
    <>
      {question}
      <ContentLines content={groups} {...place} isSkipped={overwrite !== true} />
    </>
  )
}
