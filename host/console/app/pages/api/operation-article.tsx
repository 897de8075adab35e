// An operation of the API page: what it is sent and answers, a `curl` line and examples.
import type { ApiDocument, Operation, Parameter, Response } from '../../../../contract/api-document.ts'
import { resolve } from '../../api/api-document.ts'
import { CodeCard, Prose } from './code-card.tsx'
import { Details, rowsOf, Table, typeOf } from './schema-table.tsx'

export interface Entry {
  method: string
  path: string
  operation: Operation
  /** That of the paths below this one. */
  below: Operation | undefined
  /** What the search looks at. */
  words: string
}

const base = new URL('.', location.href).href.replace(/\/$/, '')
const formatJson = (value: unknown) => JSON.stringify(value, null, 2)
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
const bodyOf = ({ requestBody }: Operation) => requestBody?.content?.['application/json']

export const firstRequest = `TOKEN=$(cat data/api_token)
curl -H "Authorization: $TOKEN" \\
  ${quoted(`${base}/clients`)}`

/** A read takes its payload as the query, too, which every program can send. */
function curlOf({ method, path, operation }: Entry): string {
  const isRead = method === 'get' && operation.requestBody !== undefined
  const queried = (operation.parameters ?? []).filter(each => each.in === 'query' && (each.required || isRead))
  const pairs = queried.flatMap(({ name, example }) => (example === undefined ? [] : [[name, String(example)]]))
  const query = pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''
  const example = isRead ? undefined : bodyOf(operation)?.example
  const lines = [operation.security?.length === 0 ? 'curl' : 'curl -H "Authorization: $TOKEN"']
  lines.push(quoted(`${base}${path}${query}`))
  if (example !== undefined) lines.push(`-d ${quoted(formatJson(example))}`)
  else if (method === 'post') lines.push('-X POST')
  return lines.join(' \\\n  ')
}

export const Method = ({ name }: { name: string }) => <span class={`method ${name}`}>{name.toUpperCase()}</span>

function Chips({ operation }: { operation: Operation }) {
  return (
    <>
      {operation.security?.length === 0 && <span class="badge">no token</span>}
      {operation['x-origin'] === 'site' && <span class="badge">site</span>}
      {operation['x-destructive'] && <span class="badge bad">deletes or ends</span>}
      {operation['x-needs-consent'] && <span class="badge bad">needs consent</span>}
      {operation['x-aliases']?.map(alias => (
        <span class="badge">alias {alias}</span>
      ))}
    </>
  )
}

/** Without the keys of the payload, which a read also takes as query. */
function QueryTable({ entry: { operation, below }, keys, api }: { entry: Entry; keys: string[]; api: ApiDocument }) {
  const rest = below?.parameters?.filter(each => each.in === 'path') ?? []
  const query = operation.parameters?.filter(({ name }) => !keys.includes(name)) ?? []
  const rowOf = ({ name, in: at, required, schema, description }: Parameter) => {
    const resolved = resolve(schema, api)
    const details = <Details schema={{ ...resolved, ...(description !== undefined && { description }) }} />
    return at === 'path'
      ? { name: '/…', type: 'rest of the path', details }
      : { name, type: typeOf(resolved), flag: required ? 'required' : '', details }
  }
  return <Table title={below ? 'Path and query' : 'Query'} rows={[...rest, ...query].map(rowOf)} />
}

function AnswerCards({ response: { content = {}, headers = {} } }: { response: Response }) {
  const [[type, answer] = []] = Object.entries(content)
  const { example, examples = {} } = answer ?? {}
  const forms = example === undefined ? Object.values(examples) : [{ summary: 'Answer', value: example }]
  if (forms.length === 0)
    return (
      <div class="card">
        <b>200</b> {type ?? 'without a body'}{' '}
        <Prose
          text={Object.keys(headers)
            .map(name => `\`${name}\``)
            .join(' ')}
        />
      </div>
    )
  return forms.map(({ summary = 'Answer', value }) => (
    <CodeCard title={summary} note={`200 ${type}`} text={typeof value === 'string' ? value : formatJson(value)} />
  ))
}

export function OperationArticle({ entry, api }: { entry: Entry; api: ApiDocument }) {
  const { method, path, operation } = entry
  const { operationId, summary, description, requestBody, responses } = operation
  const payload = resolve(bodyOf(operation)?.schema, api)
  const response = responses['200'] ?? {}
  const schema = resolve(Object.values(response.content ?? {})[0]?.schema, api)
  const sent = method === 'get' ? 'Payload, as query or JSON body' : 'Payload'
  return (
    <article id={operationId}>
      <div>
        <h3>
          <a href={`#${operationId}`}>{summary}</a>
        </h3>
        <div>
          <Method name={method} /> <code>{path}</code> <Chips operation={operation} />
        </div>
        {description !== undefined && (
          <p>
            <Prose text={description} />
          </p>
        )}
        <Table title={requestBody?.required ? sent : `${sent}, may be absent`} rows={rowsOf(payload, 'required')} />
        <QueryTable entry={entry} keys={Object.keys(payload.properties ?? {})} api={api} />
        {(schema.anyOf ?? [schema]).map(({ title, ...form }) => (
          <Table title={title ? `Answer: ${title}` : 'Answer'} rows={rowsOf(form, 'optional')} />
        ))}
        <p class="hint">
          Refusals: {Object.keys(responses).map(code => code !== '200' && [<a href="#refusals">{code}</a>, ' '])}
          Command <code>{operationId}</code>
        </p>
      </div>
      <div>
        <CodeCard title="Request" note="curl" text={curlOf(entry)} />
        <AnswerCards response={response} />
      </div>
    </article>
  )
}
