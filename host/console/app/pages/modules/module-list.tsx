// The files of modules: what is in service, and why the newest content of a file is not.
import { useSignal } from '@preact/signals'
import type { ModuleAnswer, ModulesAnswer } from '../../../../contract/answers.ts'
import { formatTime, t } from '../../language/translate.ts'
import { ResourceView } from '../../parts/resource-view.tsx'
import { ScrollBox } from '../../parts/scroll-box.tsx'
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
  const search = useSignal('')
  const broken = modules.filter(({ error }) => error !== undefined)
  const text = search.value.trim().toLowerCase()
  const found = modules
    .filter(module =>
      [module.file, module.route, module.command, module.does, module.pack].join(' ').toLowerCase().includes(text),
    )
    .toSorted((a, b) => Number(a.origin === builtIn) - Number(b.origin === builtIn))
  return (
    <>
      <div role="status">
        {broken.map(({ file, error, version }) => (
          <article key={file} class="card broken-module">
            <h2>{nameOf(file)}</h2>
            <pre>{error}</pre>
            <p>{version === undefined ? t('modules.notInService') : t('modules.stillInService', { n: version })}</p>
          </article>
        ))}
      </div>
      <section class="card">
        <div class="module-search">
          <input
            type="search"
            placeholder={t('modules.search')}
            aria-label={t('modules.search')}
            onInput={event => {
              search.value = event.currentTarget.value
            }}
          />
          <span class="hint" role="status">
            {t('modules.count', { n: found.length })}
          </span>
        </div>
        <ScrollBox class="table-box" label={t('nav.modules')}>
          <table class="module-table">
            <thead>
              <tr>
                <th>{t('modules.route')}</th>
                <th>{t('modules.file')}</th>
                <th>{t('modules.origin')}</th>
                <th>{t('modules.version')}</th>
                <th>{t('modules.loadedAt')}</th>
              </tr>
            </thead>
            <tbody>
              {found.map(module => (
                <ModuleRow key={module.file} module={module} />
              ))}
            </tbody>
          </table>
        </ScrollBox>
      </section>
    </>
  )
}

const nameOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1)

function ModuleRow({
  module: { file, route, does, state, origin, version, loaded_at, error },
}: {
  module: ModuleAnswer
}) {
  return (
    <tr class={error === undefined ? '' : 'broken'}>
      <td>{route === undefined ? (does ?? '–') : <code>{route}</code>}</td>
      <td title={file}>
        {nameOf(file)} {error !== undefined && <strong class="problem">{t('modules.broken')}</strong>}{' '}
        {state === 'off' && <span class="badge">{t('packs.off')}</span>}
      </td>
      <td>{origin === builtIn ? t('modules.builtIn') : <code>{origin}</code>}</td>
      <td>{version ?? '–'}</td>
      <td>{formatTime(loaded_at)}</td>
    </tr>
  )
}
