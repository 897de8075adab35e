// The files of modules: what is in service, and why the newest content of a file is not.
import type { ModuleAnswer, ModulesAnswer } from '../../../../contract/answers.ts'
import { formatTime, t } from '../../language/translate.ts'
import { type Column, DataTable, type Filter } from '../../parts/data-table.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { useResource } from '../../state/resource.ts'

export function ModuleFiles() {
  const modules = useResource<ModulesAnswer>('/modules', ({ type }) => type.startsWith('module-'))
  return (
    <>
      <p class="hint">
        {t('modules.about')} <code>fleet new-command NAME --folder DIR</code> {t('modules.aboutStart')}{' '}
        <code>docs/modules.md</code> {t('modules.aboutDocs')}
      </p>
      <ResourceView resource={modules}>{({ modules: list }) => <ModuleList modules={list} />}</ResourceView>
    </>
  )
}

const builtIn = 'built-in'

function ModuleList({ modules }: ModulesAnswer) {
  const broken = modules.filter(({ error }) => error !== undefined)
  // Those of the site come first.
  const rows = modules.toSorted((a, b) => Number(a.origin === builtIn) - Number(b.origin === builtIn))
  return (
    <>
      <div class="list" role="status">
        {broken.map(({ file, error, version }) => (
          <article key={file} class="card marked bad">
            <h2>{nameOf(file)}</h2>
            <pre class="output problem">{error}</pre>
            <p>{version === undefined ? t('modules.notInService') : t('modules.stillInService', { n: version })}</p>
          </article>
        ))}
      </div>
      <section class="card">
        <DataTable
          label={t('nav.modules')}
          rows={rows}
          keyOf={({ file }) => file}
          columns={columns()}
          filters={filters()}
          classOf={({ error }) => (error === undefined ? '' : 'bad')}
          empty={t('modules.none')}
          csvName="modules"
        />
      </section>
    </>
  )
}

const nameOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1)

const originOf = ({ origin }: ModuleAnswer) => (origin === builtIn ? t('modules.builtIn') : origin)

function stateOf({ error, state }: ModuleAnswer): string {
  if (error !== undefined) return t('modules.broken')
  return state === 'off' ? t('accounts.disabled') : t('packs.on')
}

const columns = (): Column<ModuleAnswer>[] => [
  { id: 'does', head: t('modules.route'), text: ({ route, does }) => route ?? does ?? '–' },
  { id: 'file', head: t('modules.file'), text: ({ file }) => nameOf(file) },
  { id: 'command', head: t('schedules.type.command'), text: ({ command, pack }) => command ?? pack ?? '' },
  {
    id: 'state',
    head: t('history.state'),
    text: stateOf,
    cell: module => (module.error === undefined ? stateOf(module) : <b class="problem">{stateOf(module)}</b>),
  },
  { id: 'origin', head: t('jobs.origin'), text: originOf },
  {
    id: 'version',
    head: t('modules.version'),
    isNumber: true,
    text: ({ version }) => String(version ?? ''),
    value: ({ version }) => version,
  },
  {
    id: 'loaded',
    head: t('modules.loadedAt'),
    text: ({ loaded_at }) => formatTime(loaded_at),
    value: ({ loaded_at }) => loaded_at,
  },
]

const filters = (): Filter<ModuleAnswer>[] => [
  {
    id: 'origin',
    any: t('modules.anyOrigin'),
    options: [
      { value: 'site', word: t('modules.ofSite') },
      { value: builtIn, word: t('modules.builtIn') },
    ],
    matches: ({ origin }, value) => (origin === builtIn) === (value === builtIn),
  },
]
