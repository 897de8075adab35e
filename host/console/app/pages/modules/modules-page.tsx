// What modules add to the daemon: their files, hooks, packs and views.
import type { ComponentType } from 'preact'
import { urlOf } from '../../api/request.ts'
import { type MessageKey, t } from '../../language/translate.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { linkTo, route } from '../../state/route.ts'
import { isUnlimited, may } from '../../state/session.ts'
import { HookList } from './hook-list.tsx'
import { ModuleFiles } from './module-list.tsx'
import { PackList } from './pack-list.tsx'
import { ViewList } from './view-list.tsx'

interface Section {
  name: string
  title: MessageKey
  isAllowed(): boolean
  content: ComponentType
}

const sections: readonly Section[] = [
  { name: '', title: 'images.files', isAllowed: () => true, content: ModuleFiles },
  { name: 'hooks', title: 'modules.hooks', isAllowed: isUnlimited, content: HookList },
  { name: 'packs', title: 'modules.packs', isAllowed: () => may('admin') && isUnlimited(), content: PackList },
  { name: 'views', title: 'place.views', isAllowed: () => true, content: ViewList },
]

export function ModulesPage() {
  const allowed = sections.filter(({ isAllowed }) => isAllowed())
  const section = allowed.find(({ name }) => name === route.value.rest[0]) ?? allowed[0]
  return (
    <>
      <PageHead title={t('nav.modules')}>
        <a class="button" href={urlOf('/docs')} target="_blank" rel="noreferrer">
          {t('rooms.toDocs')} <span aria-hidden="true">↗</span>
        </a>
      </PageHead>
      <nav class="section-nav" aria-label={t('nav.modules')}>
        {allowed.map(({ name, title }) => (
          <a
            class="nav-link"
            href={name === '' ? linkTo('modules') : linkTo('modules', name)}
            aria-current={name === section?.name ? 'page' : undefined}
            key={name}
          >
            {t(title)}
          </a>
        ))}
      </nav>
      {section && <section.content />}
    </>
  )
}
