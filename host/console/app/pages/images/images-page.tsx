// The images, the disk of the repository that holds them, and the repositories that computers may use.
import type {
  BinAnswer,
  DiskUsage,
  ImageAnswer,
  ImagesAnswer,
  RepositoriesAnswer,
} from '../../../../contract/answers.ts'
import { formatBytes, formatTime, t } from '../../language/translate.ts'
import { type Column, DataTable, type Filter } from '../../parts/data-table.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { ofLists, type Resource, useResource } from '../../state/resource.ts'
import { linkTo, route } from '../../state/route.ts'
import { BinCard } from './bin-card.tsx'
import { CheckState, checkWords } from './file-check.tsx'
import { ImageDetails } from './image-details.tsx'
import { centerOf } from './image-words.ts'
import { LiveCard } from './live-card.tsx'

export function ImagesPage() {
  // A restore changes what an image is used by.
  const images = useResource<ImagesAnswer>(
    '/images?descriptions=1',
    ({ type }) => type.startsWith('image-') || type === 'job-finished',
  )
  const repositories = useResource<RepositoriesAnswer>('/repositories', ofLists('repositories'))
  // A creation that fails puts a file there.
  const bin = useResource<BinAnswer>('/image/bin', ({ type }) => type.startsWith('image-') || type === 'job-finished')
  const onChange = () => {
    void images.reload()
    void bin.reload()
  }
  const [id] = route.value.rest
  const repositoryOf = ({ repo_id }: ImageAnswer) =>
    repositories.value.value?.repositories.find(each => each.id === repo_id)?.name ?? String(repo_id)
  if (id !== undefined)
    return (
      <ResourceView resource={images}>
        {({ images: list }) => {
          const image = list.find(each => String(each.id) === id)
          if (image) return <ImageDetails image={image} repository={repositoryOf(image)} onChange={onChange} />
          return <NoImage />
        }}
      </ResourceView>
    )
  return (
    <>
      <PageHead title={t('place.images')} />
      <div class="stack">
        <section class="card">
          <ResourceView resource={images}>
            {({ images: list }) => (
              <DataTable
                label={t('place.images')}
                rows={list}
                keyOf={image => image.id}
                columns={columnsOf(repositoryOf)}
                filters={filtersOf(list)}
                hrefOf={image => linkTo('images', image.id)}
                empty={t('images.none')}
                csvName="images"
              />
            )}
          </ResourceView>
        </section>
        <aside class="columns">
          {images.value.value && <DiskCard disk={images.value.value.disk} images={images.value.value.images} />}
          <RepositoriesCard resource={repositories} />
          <LiveCard />
          <BinCard resource={bin} onChange={onChange} />
        </aside>
      </div>
    </>
  )
}

function NoImage() {
  return (
    <p class="card">
      {t('images.gone')} <a href={linkTo('images')}>{t('place.images')}</a>
    </p>
  )
}

const columnsOf = (repositoryOf: (image: ImageAnswer) => string): Column<ImageAnswer>[] => [
  { id: 'name', head: t('field.name'), text: ({ name }) => name },
  { id: 'system', head: t('rooms.system'), text: ({ system }) => system || '–', value: ({ system }) => system },
  {
    id: 'size',
    head: t('field.setup.partition_setup.size'),
    isNumber: true,
    text: ({ size }) => formatBytes(size),
    value: ({ size }) => size,
  },
  { id: 'date', head: t('images.date'), text: ({ modified }) => formatTime(modified), value: dateOf },
  {
    id: 'check',
    head: t('images.integrity'),
    text: ({ check }) => checkWords(check),
    cell: ({ check }) => <CheckState check={check} />,
  },
  { id: 'center', head: t('records.center'), text: centerOf },
  {
    id: 'computers',
    head: t('images.usedBy'),
    isNumber: true,
    text: ({ computers }) => t('rooms.all', { n: computers }),
    value: ({ computers }) => computers,
  },
  { id: 'older', head: t('images.olderFiles'), isNumber: true, text: ({ versions }) => String(versions.length || '') },
  { id: 'repository', head: t('field.repository'), text: repositoryOf },
]

const dateOf = ({ modified }: ImageAnswer) => new Date(modified).toISOString()

const filtersOf = (images: readonly ImageAnswer[]): Filter<ImageAnswer>[] => [
  {
    id: 'system',
    any: t('images.anySystem'),
    options: [...new Set(images.map(({ system }) => system))]
      .filter(Boolean)
      .sort()
      .map(value => ({ value, word: value })),
    matches: ({ system }, value) => system === value,
  },
]

function DiskCard({ disk: { total, free }, images }: { disk: DiskUsage; images: ImageAnswer[] }) {
  const own = images.reduce((sum, { size }) => sum + size, 0)
  const others = Math.max(0, total - free - own)
  return (
    <section class="card">
      <h2>{t('images.disk')}</h2>
      <div class="bar" aria-hidden="true">
        <span class="blue" style={{ flexGrow: own }} />
        <span class="quiet" style={{ flexGrow: others }} />
        <span style={{ flexGrow: free }} />
      </div>
      <dl class="list">
        <Use tone="blue" word={t('images.ofImages', { n: images.length })} bytes={own} />
        <Use tone="quiet" word={t('images.others')} bytes={others} />
        <Use tone="" word={t('images.free')} bytes={free} />
      </dl>
    </section>
  )
}

const Use = ({ tone, word, bytes }: { tone: string; word: string; bytes: number }) => (
  <div class="head">
    <dt>
      <span class={`swatch ${tone}`} aria-hidden="true" /> {word}
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
          <ul class="list">
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
