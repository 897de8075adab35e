// Makes an image of a partition of one computer, by what is in it: a new image, or a new version of one.
import { useEffect } from 'preact/hooks'
import type {
  ImagesAnswer,
  InstalledSystemsAnswer,
  PartitionAnswer,
  PartitionsAnswer,
  RepositoriesAnswer,
} from '../../../contract/answers.ts'
import { formatBytes, t } from '../language/translate.ts'
import { bytesOf, filesystemName } from '../parts/disk-words.ts'
import { Choice, TextField } from '../parts/fields.tsx'
import { RadioList } from '../parts/radio-list.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { useResource } from '../state/resource.ts'
import type { OwnFieldsProps } from './field-values.ts'
import { RequiredMark } from './form-fields.tsx'
import { usePreview } from './restore-preview.tsx'

/** What no image is made of; filesystems up to 1 are none. */
const uncloned = ['CACHE', 'LINUX-SWAP']

export function CreateFields(props: OwnFieldsProps) {
  const { values, change, clients } = props
  const isVersion = values.kind === 'version'
  const choose = (kind: string) => {
    change('kind', kind)
    change('name', '')
    change('description', '')
  }
  return (
    <>
      {clients.length > 1 && <p class="banner warn">{t('create.oneOnly')}</p>}
      <PartitionField {...props} />
      <Tabs
        label={t('command.image-create')}
        options={(['new', 'version'] as const).map(kind => [kind, t(`create.${kind}`)])}
        value={isVersion ? 'version' : 'new'}
        onChange={choose}
      />
      {isVersion ? <VersionField {...props} /> : <NewFields {...props} />}
      <Obstacle {...props} />
    </>
  )
}

function PartitionField({ values, change, clients: [ip = ''] }: OwnFieldsProps) {
  const rows = useResource<PartitionsAnswer>(`/client/setup?client=${ip}`).value.value?.partitions ?? []
  const systems = useResource<InstalledSystemsAnswer>(`/session?client=${ip}`).value.value?.sessions ?? []
  const keyOf = ({ disk, partition }: PartitionAnswer) => `${disk} ${partition}`
  const offered = rows.filter(row => row.partition > 0 && row.filesystem > 1 && !uncloned.includes(filesystemName(row)))
  const options = offered.map(row => {
    const system = systems.find(({ disk, partition }) => disk === row.disk && partition === row.partition)
    const { disk, partition } = row
    const where = t('plannedRestores.where', { disk: String(disk), partition: String(partition) })
    const used = t('computer.used', { n: row.used_size })
    const note = [where, filesystemName(row), `${formatBytes(bytesOf(row))}, ${used}`].join(' · ')
    return { key: keyOf(row), name: system?.name ?? t('restore.nothing'), note }
  })
  const choose = (key: string) => {
    const row = offered.find(each => keyOf(each) === key)
    for (const name of ['disk', 'partition', 'code'] as const) change(name, row ? String(row[name]) : '')
  }
  const value = `${values.disk} ${values.partition}`
  // What was chosen for another computer may be something else here.
  useEffect(() => {
    if (rows.length > 0) choose(value)
  }, [rows.length, value])
  return <RadioList legend={t('create.partition')} options={options} value={value} onChange={choose} />
}

function NewFields({ values, change }: OwnFieldsProps) {
  const repositories = useResource<RepositoriesAnswer>('/repositories').value.value?.repositories ?? []
  const first = repositories[0]?.id
  useEffect(() => {
    if (first !== undefined && !values.repository_id) change('repository_id', String(first))
  }, [first, values.repository_id])
  return (
    <>
      {(['name', 'description'] as const).map(key => (
        <TextField
          key={key}
          label={[t(`create.${key}`), <RequiredMark key="mark" />]}
          name={key}
          required
          {...(key === 'name' && { pattern: '[^\\/]+', title: t('create.nameRule'), hint: t('create.nameRule') })}
          value={String(values[key] ?? '')}
          change={text => change(key, text)}
        />
      ))}
      <Choice
        label={t('field.repository')}
        name="repository_id"
        value={String(values.repository_id ?? '')}
        options={repositories.map(({ id, name, ip }) => [String(id), `${name} · ${ip}`])}
        change={id => change('repository_id', id)}
      />
    </>
  )
}

function VersionField({ values, change }: OwnFieldsProps) {
  const images = useResource<ImagesAnswer>('/images').value.value?.images ?? []
  const options = images.map(({ name, system, size }) => ({
    key: name,
    name,
    note: [system, formatBytes(size)].filter(Boolean).join(' · '),
  }))
  const choose = (name: string) => {
    change('name', name)
    change('repository_id', String(images.find(image => image.name === name)?.repo_id ?? ''))
  }
  return (
    <>
      <RadioList legend={t('plannedRestores.image')} options={options} value={String(values.name)} onChange={choose} />
      <small class="hint">{t('create.older')}</small>
    </>
  )
}

interface Answer {
  clients: { refused?: string }[]
}

/** Why it would not be made now. */
function Obstacle({ values, clients }: OwnFieldsProps) {
  const { disk, partition, code, name, repository_id } = values
  const isComplete = [disk, code, name, repository_id].every(Boolean)
  // Without a description, which would add the image.
  const payload = isComplete ? { clients, disk, partition, code, name, repository_id, id: '0' } : undefined
  const { value, problem } = usePreview<Answer>('/image/create?dry_run=1', payload)
  const reason = problem.value || value.value?.clients.find(({ refused }) => refused)?.refused
  return <div role="status">{reason && <p class="banner warn">{t('create.obstacle', { reason })}</p>}</div>
}
