// The question of a command that overwrites partitions: with what the computers have there now.
import type { ComponentChildren } from 'preact'
import type { ContentGroup } from '../../../contract/answers.ts'
import type { CommandInfo } from '../api/api-document.ts'
import { postAgain } from '../api/request.ts'
import { t } from '../language/translate.ts'
import { ContentLines } from '../parts/content-lines.tsx'
import { groupBy } from '../parts/group-by.ts'

type PreviewedClient = Partial<Omit<ContentGroup, 'computers'>> & { client: string; refused?: string }

/** A site's command may preview something else. */
const showsOther = ({ client, refused, another_system, ...shown }: PreviewedClient) =>
  another_system === undefined && Object.keys(shown).length > 0

/** The question alone for commands that do not say what is lost; a preview that fails is a part of the question. */
export async function withContent(
  question: string,
  { path, previews }: CommandInfo,
  payload: { clients: readonly string[]; disk?: unknown; partition?: unknown; overwrite?: unknown },
): Promise<ComponentChildren> {
  if (!previews) return question
  const { ok, value, reason } = await postAgain<{ clients: PreviewedClient[] }>(`${path}?dry_run=1`, payload)
  if (!ok) {
    return (
      <>
        {question}
        <span class="content-lines">
          <span class="problem">{t('restore.unknown', { reason: reason || t('notice.unreachable') })}</span>
        </span>
      </>
    )
  }
  const clients = value?.clients ?? []
  if (clients.some(showsOther)) return question
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
