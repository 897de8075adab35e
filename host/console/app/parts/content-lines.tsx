// What computers have in the partition that a restore overwrites, one line for each content; another system in red.
import type { ContentGroup } from '../../../contract/answers.ts'
import { t } from '../language/translate.ts'

export interface ContentLinesProps {
  content: readonly ContentGroup[]
  disk: string
  partition: string
}

/** Spans, so that it may be in a paragraph. */
export function ContentLines({ content, disk, partition }: ContentLinesProps) {
  return (
    <span class="content-lines">
      <span class="line">{t('restore.now')}</span>
      {content.map(({ system, filesystem, another_system: isOther, computers }) => (
        <span key={`${system} ${filesystem}`} class={isOther ? 'banner bad problem' : 'line'}>
          {isOther && <span aria-hidden="true">▲ </span>}
          <b>{system || nothingWords(filesystem)}</b>
          {` · ${t('plannedRestores.where', { disk, partition })} · ${t('rooms.all', { n: computers })}`}
          {isOther && ` · ${t('restore.another')}`}
        </span>
      ))}
    </span>
  )
}

const nothingWords = (filesystem: string) =>
  filesystem === '' || filesystem === 'EMPTY' ? t('restore.nothing') : t('restore.noSystem', { filesystem })
