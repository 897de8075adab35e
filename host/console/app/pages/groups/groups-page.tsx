// Groups: queries and lists of computers with a name.
import { useSignal } from '@preact/signals'
import type { GroupAnswer, GroupsAnswer } from '../../../../contract/answers.ts'
import { t } from '../../language/translate.ts'
import { Button } from '../../parts/button.tsx'
import { type Column, DataTable, type Filter } from '../../parts/data-table.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { deleteRecord } from '../../parts/record-actions.tsx'
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
  /** As others have changed it meanwhile. */
  const liveOf = (group: GroupAnswer) => list.value.value?.groups.find(({ id }) => id === group.id) ?? group
  return (
    <>
      <PageHead title={t('nav.groups')}>
        {mayGroup() && <Button text={t('groups.new')} class="primary" press={() => (edited.value = 'new')} />}
      </PageHead>
      <p class="hint">{t('groups.hint')}</p>
      <ResourceView resource={list}>
        {({ groups }) => (
          <section class="card">
            <DataTable
              label={t('nav.groups')}
              rows={groups}
              keyOf={({ id }) => id}
              columns={columnsOf(group => (edited.value = group), list.reload)}
              filters={filters()}
              hrefOf={({ name }) => linkToSearch(`group:"${name}"`)}
              empty={t('groups.none')}
              csvName="groups"
            />
          </section>
        )}
      </ResourceView>
      {edited.value && (
        <GroupForm
          group={edited.value === 'new' ? undefined : liveOf(edited.value)}
          onClose={() => (edited.value = undefined)}
          onSaved={() => void list.reload()}
        />
      )}
    </>
  )
}

/** A limited caller may see neither the query nor the list. */
const contentOf = ({ where, clients }: GroupAnswer) => where ?? (clients ? t('groups.list', { n: clients.length }) : '')

const filters = (): Filter<GroupAnswer>[] => [
  {
    id: 'kind',
    any: t('groups.kind'),
    options: [
      { value: 'query', word: t('groups.query') },
      { value: 'list', word: t('computers.list') },
    ],
    matches: ({ where }, value) => (where !== undefined) === (value === 'query'),
  },
]

function columnsOf(edit: (group: GroupAnswer) => void, reload: () => Promise<void>): Column<GroupAnswer>[] {
  const columns: Column<GroupAnswer>[] = [
    { id: 'name', head: t('field.name'), text: ({ name }) => name },
    { id: 'computers', head: t('place.computers'), isNumber: true, text: ({ computers }) => String(computers) },
    {
      id: 'content',
      head: t('groups.content'),
      text: group => [contentOf(group), group.problem].filter(Boolean).join(' · '),
      cell: group => (
        <>
          {group.where === undefined ? contentOf(group) : <code>{group.where}</code>}
          {group.problem && <p class="problem">{group.problem}</p>}
        </>
      ),
    },
  ]
  if (!mayGroup()) return columns
  const cell = (group: GroupAnswer) => <GroupActions group={group} edit={edit} reload={reload} />
  return [...columns, { id: 'actions', head: t('table.actions'), width: 15, cell }]
}

interface GroupActionsProps {
  group: GroupAnswer
  edit(group: GroupAnswer): void
  reload(): Promise<void>
}

function GroupActions({ group, edit, reload }: GroupActionsProps) {
  const { id, name } = group
  const remove = async () => {
    const [title, text] = [t('groups.delete'), t('groups.deleteText', { name })]
    await deleteRecord({ title, text, path: '/group/delete', key: 'group', id, name })
    await reload()
  }
  return (
    <>
      <Button text={t('records.edit')} of={name} press={() => edit(group)} />
      <Button text={t('records.delete')} of={name} press={remove} />
    </>
  )
}
