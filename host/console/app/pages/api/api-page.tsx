// The API page, which contains the OpenAPI document: an overview, the operations in their groups, a search in them.
import { render } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { ApiDocument } from '../../../../contract/api-document.ts'
import { resolve } from '../../api/api-document.ts'
import { CodeCard, Prose } from './code-card.tsx'
import { type Entry, firstRequest, Method, OperationArticle } from './operation-article.tsx'
import { Table } from './schema-table.tsx'
import './api.css'

type Group = ApiDocument['tags'][number] & { entries: Entry[] }

/** In the sequence of the document. */
const groupsOf = ({ tags, paths }: ApiDocument): Group[] =>
  tags.map(({ name, description }) => ({
    name,
    description,
    entries: Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) => {
        if (operation.tags?.[0] !== name || path.endsWith('/{rest}')) return []
        const words = `${name} ${method} ${path} ${JSON.stringify(operation)}`.toLowerCase()
        return [{ method, path, operation, below: paths[`${path}/{rest}`]?.[method], words }]
      }),
    ),
  }))

function Overview({ api }: { api: ApiDocument }) {
  const { title, version, description } = api.info
  const schemes = Object.values(api.components.securitySchemes).map(
    ({ type, scheme, name, description = 'The token' }) => {
      const header = `Authorization: ${scheme === 'basic' ? 'Basic' : 'Bearer'} …`
      const key = scheme ? header : name === 'token' ? '?token=…' : `${name}: …`
      return { name: key, type: (type === 'http' && scheme) || 'token', details: <Prose text={description} /> }
    },
  )
  const responses = new Map(
    Object.values(api.paths).flatMap(methods => Object.values(methods).flatMap(each => Object.entries(each.responses))),
  )
  const refusals = [...responses].sort().filter(([code]) => code !== '200')
  return (
    <article id="top">
      <div>
        <h1>
          {title} <small>{version}</small>
        </h1>
        {description.split('\n\n').map(text => (
          <p>
            <Prose text={text} />
          </p>
        ))}
        <Table title="Token" rows={schemes} />
        <Table
          title="Refusals"
          id="refusals"
          rows={refusals.map(([code, response]) => {
            const { description = '' } = resolve(response, api)
            return { name: code, type: '', details: <Prose text={description.replace(' The body is empty.', '')} /> }
          })}
        />
      </div>
      <div>
        <CodeCard title="First request" note="shell" text={firstRequest} />
      </div>
    </article>
  )
}

function Navigation({ title, groups, onSearch }: { title: string; groups: Group[]; onSearch(text: string): void }) {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.target instanceof HTMLInputElement || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      field.current?.focus()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [])
  return (
    <nav aria-label="Operations">
      <a class="brand" href="#top">
        {title}
      </a>
      <input
        ref={field}
        type="search"
        placeholder="Search (/)"
        aria-label="Search the reference"
        onInput={event => onSearch(event.currentTarget.value)}
      />
      <div>
        {groups.map(({ name, entries }) => (
          <>
            <h2>{name}</h2>
            {entries.map(({ method, path, operation }) => (
              <a href={`#${operation.operationId}`} title={operation.summary}>
                <Method name={method} /> <span>{path}</span>
              </a>
            ))}
          </>
        ))}
      </div>
    </nav>
  )
}

function ApiPage({ api }: { api: ApiDocument }) {
  const [all] = useState(() => groupsOf(api))
  const [search, setSearch] = useState('')
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const groups = all
    .map(group => ({
      ...group,
      entries: group.entries.filter(entry => words.every(word => entry.words.includes(word))),
    }))
    .filter(({ entries }) => entries.length > 0)
  return (
    <>
      <Navigation title={api.info.title} groups={groups} onSearch={setSearch} />
      <main tabIndex={-1}>
        {words.length === 0 && <Overview api={api} />}
        {groups.map(({ name, description, entries }) => (
          <section key={name}>
            <h2>{name}</h2>
            {description !== undefined && (
              <p class="hint">
                <Prose text={description} />
              </p>
            )}
            {entries.map(entry => (
              <OperationArticle key={entry.operation.operationId} entry={entry} api={api} />
            ))}
          </section>
        ))}
        {groups.length === 0 && <p>Nothing found.</p>}
      </main>
    </>
  )
}

const api: ApiDocument = JSON.parse(document.getElementById('document')?.textContent ?? '')
document.title = `${api.info.title} API`
render(<ApiPage api={api} />, document.body)
// The browser has looked for the target of the link before the operations were rendered.
document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView()
