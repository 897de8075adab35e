// Reads CIM classes of Windows: by PowerShell, and by wmic where a policy or a restriction keeps PowerShell from that.
import { toValues, type Values } from './cim-values.ts'
import { runCommand } from './windows-programs.ts'

export interface CimQuery {
  className: string
  properties: readonly string[]
  /** Default: that of the classes `Win32_…`. */
  namespace?: string
}

export type CimQueries = Readonly<Record<string, CimQuery>>

/** Resolves to the objects of each query by its key. Rejects, with the error of PowerShell, when both fail. */
export async function queryCim(queries: CimQueries, signal?: AbortSignal): Promise<unknown> {
  try {
    return await queryByPowerShell(queries, signal)
  } catch (error) {
    return await queryByWmic(queries, signal).catch(() => {
      throw error
    })
  }
}

const expressionOf = ({ className, properties, namespace }: CimQuery): string =>
  `Get-CimInstance ${namespace ? `-Namespace ${namespace} ` : ''}${className} | Select-Object ${properties.join()}`

async function queryByPowerShell(queries: CimQueries, signal?: AbortSignal): Promise<unknown> {
  const entries = Object.entries(queries).map(([key, query]) => `${key} = @(${expressionOf(query)})`)
  const script = [
    "$ErrorActionPreference = 'Stop'",
    // Where a policy restricts the language, this fails, and the code page of the line counts.
    'try { [Console]::OutputEncoding = New-Object Text.UTF8Encoding $false } catch { }',
    `ConvertTo-Json -Compress -Depth 4 @{ ${entries.join('; ')} }`,
  ].join('; ')
  // As base64 no character of it has a meaning to anybody on the way.
  const encoded = Buffer.from(script, 'utf16le').toString('base64')
  const options = '-NoProfile -NonInteractive -ExecutionPolicy Bypass -EncodedCommand'
  const text = await runCommand(`powershell ${options} ${encoded} <nul`, signal)
  if (text.trim() === '') throw new Error('powershell: expected JSON, got nothing')
  return JSON.parse(text)
}

async function queryByWmic(queries: CimQueries, signal?: AbortSignal): Promise<Record<string, Values[]>> {
  const answers: Record<string, Values[]> = {}
  for (const [key, { className, properties, namespace = 'root/cimv2' }] of Object.entries(queries)) {
    const path = namespace.replaceAll('/', '\\')
    // It waits for the end of its input.
    const line = `wmic /namespace:\\\\${path} path ${className} get ${properties.join()} /value <nul`
    answers[key] = parseWmicValues(await runCommand(line, signal), properties)
  }
  if (Object.values(answers).every(rows => rows.length === 0)) throw new Error('wmic: expected values, got none')
  return answers
}

/**
 * What `wmic get /value` prints: a line for each property, also an empty one, and blank lines between objects. Lines
 * end with `\r\r\n`. Numbers stay texts.
 */
export function parseWmicValues(text: string, properties: readonly string[]): Values[] {
  return text
    .split(/(?:\r{0,2}\n){2,}/)
    .map(object => {
      const pairs = object.split(/\r{0,2}\n/).flatMap(line => {
        const end = line.indexOf('=')
        // Later lines of a text are none of these.
        const isProperty = end > 0 && properties.includes(line.slice(0, end))
        return isProperty ? [[line.slice(0, end), toValue(line.slice(end + 1).trim())] as const] : []
      })
      return toValues(Object.fromEntries(pairs))
    })
    .filter(values => Object.keys(values).length > 0)
}

function toValue(text: string): unknown {
  if (text === '') return null
  if (text === 'TRUE' || text === 'FALSE') return text === 'TRUE'
  // A list of texts.
  if (text.startsWith('{"')) return [...text.matchAll(/"([^"]*)"/g)].map(([, item]) => item)
  return text
}
