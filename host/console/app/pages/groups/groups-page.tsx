// Groups: queries and lists of computers with a name.
import { useSignal } from '@preact/signals'
import type { GroupAnswer, GroupsAnswer } from '../../../../contract/answers.ts'
import { t } from '../../language/translate.ts'
import { PageHead } from '../../parts/page-head.tsx'
import { deleteRecord, RecordButton } from '../../parts/record-actions.tsx'
import { ResourceView } from '../../parts/resource-view.tsx'
import { useResource } from '../../state/resource.ts'
import { linkToSearch } from '../../state/searches.ts'
import { mayGroup } from '../../state/session.ts'
import { GroupForm } from './group-form.tsx'

/** Milliseconds in which events are gathered that may change how many computers a group has. */
const countTime = 3000

export function GroupsPage() {
  const list = useResource<GroupsAnswer>('/groups', ({ type }) => (type.startsWith('group-') ? true : countTime))
  const edited = useSignal<GroupAnswer | 'new' | undefined>(undefined)
  return (
    <>
      <PageHead title={t('nav.groups')}>
        {mayGroup() && (
          <button type="button" class="primary" onClick={() => (edited.value = 'new')}>
            {t('groups.new')}
          </button>
        )}
      </PageHead>
      <p class="hint">{t('groups.hint')}</p>
      <ResourceView resource={list}>
        {({ groups }) =>
          groups.length === 0 ? (
            <p class="card empty-state">{t('groups.none')}</p>
          ) : (
            <ul class="record-list">
              {groups.map(group => (
                <GroupCard key={group.id} group={group} edit={() => (edited.value = group)} reload={list.reload} />
              ))}
            </ul>
          )
        }
      </ResourceView>
      {edited.value && (
        <GroupForm
          group={edited.value === 'new' ? undefined : edited.value}
          onClose={() => (edited.value = undefined)}
          onSaved={() => void list.reload()}
        />
      )}
    </>
  )
}

interface GroupCardProps {
  group: GroupAnswer
  edit(): void
  reload(): Promise<void>
}

function GroupCard({ group: { id, name, where, clients, computers, problem }, edit, reload }: GroupCardProps) {
  const remove = async () => {
    const [title, text] = [t('groups.delete'), t('groups.deleteText', { name })]
    await deleteRecord({ title, text, path: '/group/delete', key: 'group', id, name })
    await reload()
  }
  return (
    <li class="card record">
      <div class="record-text">
        <h2>
          <a href={linkToSearch(`group:"${name}"`)}>{name}</a>{' '}
          <span class="badge">{t('search.count', { n: computers })}</span>
        </h2>
        {clients && <p>{t('groups.list', { n: clients.length })}</p>}
        {where !== undefined && (
          <p>
            <code>{where}</code>
          </p>
        )}
        {problem && <p class="problem">{problem}</p>}
      </div>
      {mayGroup() && (
        <div class="actions">
          <RecordButton label={t('records.edit')} name={name} onClick={edit} />
          <RecordButton label={t('records.delete')} name={name} onClick={remove} />
        </div>
      )}
    </li>
  )
}
