// One image: what it is and where it was made, and its files, which are checked and deleted one by one.
import { Fragment } from 'preact'
import type { ImageAnswer, VersionAnswer } from '../../../../contract/answers.ts'
import { post } from '../../api/request.ts'
import { formatBytes, formatTime, t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { confirmed } from '../../parts/confirmation.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { deleteRecord } from '../../parts/record-actions.tsx'
import { keep, keptOf } from '../../state/drafts.ts'
import { report } from '../../state/notices.ts'
import { goTo, linkTo } from '../../state/route.ts'
import { linkToSearch } from '../../state/searches.ts'
import { may } from '../../state/session.ts'
import { CheckState } from './file-check.tsx'
import { centerOf } from './image-words.ts'

interface ImageProps {
  image: ImageAnswer
  onChange(): void
}

export function ImageDetails({ image, repository, onChange }: ImageProps & { repository: string }) {
  const { name, versions } = image
  return (
    <>
      <PageHead title={name}>
        <a class="button" href={linkTo('images')}>
          {t('images.all')}
        </a>
        {may('operate') && <RestoreButton name={name} />}
        {may('admin') && <Button text={t('images.deleteImage')} class="destructive" press={() => deleteImage(image)} />}
      </PageHead>
      <section class="card">
        <Facts image={image} repository={repository} />
      </section>
      <h2>{t('images.files')}</h2>
      <ul class="list">
        {[undefined, ...versions].map(version => (
          <FileRow key={version?.name ?? name} image={image} version={version} onChange={onChange} />
        ))}
      </ul>
    </>
  )
}

function RestoreButton({ name }: { name: string }) {
  const open = () => {
    keep('restore', { draft: { ...keptOf('restore')?.draft, image: name } })
    goTo('planned-restores')
  }
  return <Button text={t('images.restore')} class="primary" press={open} />
}

function Facts({ image, repository }: { image: ImageAnswer; repository: string }) {
  const { name, description, system, datasize, disk, partition, computers } = image
  const facts = [
    [t('create.description'), description],
    [t('rooms.system'), system],
    [t('images.madeOf'), disk !== undefined && t('plannedRestores.where', { disk, partition: partition ?? 0 })],
    [t('images.dataSize'), datasize > 0 && formatBytes(datasize)],
    [t('records.center'), centerOf(image)],
    [t('field.repository'), repository],
  ] as const
  return (
    <dl class="facts">
      {facts.map(([title, text]) => (
        <Fragment key={title}>
          <dt>{title}</dt>
          <dd>{text || '–'}</dd>
        </Fragment>
      ))}
      <dt>{t('images.usedBy')}</dt>
      <dd>
        <a href={linkToSearch(`image:"${name}"`)}>{t('rooms.all', { n: computers })}</a>
      </dd>
    </dl>
  )
}

/** `version` is undefined for the file that the image has now. */
function FileRow({ image, version, onChange }: ImageProps & { version: VersionAnswer | undefined }) {
  const { name, size, modified, check } = version ?? image
  const file = { image: String(image.id), ...(version && { version: String(version.version) }) }
  const isWaiting = check.state === 'queued' || check.state === 'running'
  const startCheck = async () => {
    report(await post('/image/check', file), t('images.checkSent', { name }))
    onChange()
  }
  const remove = async () => {
    const text = t('images.deleteVersionText', { name, size: formatBytes(size) })
    if (!(await confirmed(t('images.deleteVersionTitle', { name }), text, t('records.delete')))) return
    report(await post('/image/delete', file), t('images.versionDeleted', { name }))
    onChange()
  }
  return (
    <li class="card row record">
      <div class="record-text">
        <h3>
          {name} {version && <span class="badge">{t('images.olderFile')}</span>} <CheckState check={check} />
        </h3>
        <p class="hint">
          {[formatBytes(size), formatTime(modified), check.at && t('images.checkedAt', { time: formatTime(check.at) })]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <div class="actions">
        {may('operate') && !isWaiting && <Button text={t('images.check')} of={name} press={startCheck} />}
        {may('admin') && version && <Button text={t('records.delete')} of={name} press={remove} />}
      </div>
    </li>
  )
}

async function deleteImage({ id, name, size, computers }: ImageAnswer): Promise<void> {
  const text = t('images.deleteText', { name, size: formatBytes(size), n: computers })
  const [title, done] = [t('images.deleteTitle', { name }), t('images.deleted', { name })]
  const leave = () => goTo('images')
  await deleteRecord({ title, text, path: '/image/delete', key: 'image', id, name, done, leave })
}
