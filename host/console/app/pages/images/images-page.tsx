// The images, the disk of the repository that holds them, and the repositories that computers may use.
import { Fragment } from 'preact'
import type {
  BinAnswer,
  DiskUsage,
  ImageAnswer,
  ImagesAnswer,
  RepositoriesAnswer,
} from '../../../../contract/answers.ts'
import { post } from '../../api/request.ts'
import { formatBytes, formatTime, t } from '../../language/translate.ts'
import { confirmed } from '../../parts/confirmation.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { ScrollBox } from '../../parts/scroll-box.tsx'
import { centers } from '../../state/lab.ts'
import { report } from '../../state/notices.ts'
import { ofLists, type Resource, useResource } from '../../state/resource.ts'
import { may } from '../../state/session.ts'
import { BinCard } from './bin-card.tsx'
import { FileCheckCell } from './file-check.tsx'
import { VersionRow } from './version-row.tsx'

export function ImagesPage() {
  // A restore changes what an image is used by.
  const images = useResource<ImagesAnswer>(
    '/images',
    ({ type }) => type.startsWith('image-') || type === 'job-finished',
  )
  const repositories = useResource<RepositoriesAnswer>('/repositories', ofLists('repositories'))
  // A creation that fails puts a file there.
  const bin = useResource<BinAnswer>('/image/bin', ({ type }) => type.startsWith('image-') || type === 'job-finished')
  const onChange = () => {
    void images.reload()
    void bin.reload()
  }
  return (
    <>
      <PageHead title={t('nav.images')} />
      <div class="images">
        <section class="card">
          <ResourceView resource={images}>
            {({ images: list }) =>
              list.length === 0 ? (
                <p class="hint">{t('images.none')}</p>
              ) : (
                <ImageTable
                  images={list}
                  repositories={repositories.value.value?.repositories ?? []}
                  onChange={onChange}
                />
              )
            }
          </ResourceView>
        </section>
        <aside class="images-side">
          {images.value.value && <DiskCard disk={images.value.value.disk} images={images.value.value.images} />}
          <RepositoriesCard resource={repositories} />
          <BinCard resource={bin} onChange={onChange} />
        </aside>
      </div>
    </>
  )
}

interface TableProps {
  images: ImageAnswer[]
  repositories: RepositoriesAnswer['repositories']
  onChange(): void
}

function ImageTable({ images, repositories, onChange }: TableProps) {
  return (
    <ScrollBox class="table-box" label={t('nav.images')}>
      <table class="image-table">
        <thead>
          <tr>
            <th>{t('records.name')}</th>
            <th>{t('images.system')}</th>
            <th>{t('images.size')}</th>
            <th>{t('images.date')}</th>
            <th>{t('images.integrity')}</th>
            <th>{t('records.center')}</th>
            <th>{t('images.usedBy')}</th>
            <th>{t('images.repository')}</th>
            <th>
              <span class="hidden-text">{t('images.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {images.map(image => (
            <Fragment key={image.id}>
              <ImageRow
                image={image}
                repository={repositories.find(({ id }) => id === image.repo_id)?.name ?? String(image.repo_id)}
                onChange={onChange}
              />
              {image.versions.map(version => (
                <VersionRow key={version.name} image={image} version={version} onChange={onChange} />
              ))}
            </Fragment>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

function ImageRow({ image, repository, onChange }: { image: ImageAnswer; repository: string; onChange(): void }) {
  const { name, system, size, datasize, modified, center_id: center, computers } = image
  const none = <span class="hint">–</span>
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{system || none}</td>
      <td class="image-number">
        {formatBytes(size)} <small class="hint">{t('images.data', { size: formatBytes(datasize) })}</small>
      </td>
      <td class="image-number">{formatTime(modified)}</td>
      <FileCheckCell check={image.check} image={image.id} name={name} onSent={onChange} />
      <td>{centers.value.find(({ id }) => id === center)?.name ?? none}</td>
      <td>{t('computers.count', { n: computers })}</td>
      <td>{repository}</td>
      <td class="row-actions">
        {may('admin') && (
          <button
            type="button"
            aria-label={t('images.deleteName', { name })}
            onClick={() => void deleteImage(image).then(onChange)}
          >
            {t('records.delete')}
          </button>
        )}
      </td>
    </tr>
  )
}

async function deleteImage({ id, name, size, computers }: ImageAnswer): Promise<void> {
  const text = t('images.deleteText', { name, size: formatBytes(size), n: computers })
  if (!(await confirmed(t('images.deleteTitle', { name }), text, t('records.delete')))) return
  report(await post('/image/delete', { image: String(id) }), t('images.deleted', { name }))
}

function DiskCard({ disk: { total, free }, images }: { disk: DiskUsage; images: ImageAnswer[] }) {
  const own = images.reduce((sum, { size }) => sum + size, 0)
  const others = Math.max(0, total - free - own)
  return (
    <section class="card">
      <h2>{t('images.disk')}</h2>
      <div class="usage" aria-hidden="true">
        <span data-use="images" style={{ flexGrow: own }} />
        <span data-use="others" style={{ flexGrow: others }} />
        <span data-use="free" style={{ flexGrow: free }} />
      </div>
      <dl class="usage-list">
        <Use use="images" word={t('images.ofImages', { n: images.length })} bytes={own} />
        <Use use="others" word={t('images.others')} bytes={others} />
        <Use use="free" word={t('images.free')} bytes={free} />
      </dl>
    </section>
  )
}

const Use = ({ use, word, bytes }: { use: string; word: string; bytes: number }) => (
  <div>
    <dt>
      <span class="swatch" data-use={use} aria-hidden="true" /> {word}
    </dt>
    <dd>{formatBytes(bytes)}</dd>
  </div>
)

function RepositoriesCard({ resource }: { resource: Resource<RepositoriesAnswer> }) {
  return (
    <section class="card">
      <h2>{t('images.repositories')}</h2>
      <ResourceView resource={resource}>
        {({ repositories }) => (
          <ul class="repositories">
            {repositories.map(({ id, name, ip }) => (
              <li key={id}>
                <b>{name}</b> <code>{ip}</code>
              </li>
            ))}
          </ul>
        )}
      </ResourceView>
    </section>
  )
}
