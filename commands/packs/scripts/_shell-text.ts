// What agents are sent: the script behind its values, which are quoted and never become a part of its text.
import type { Script } from './_script-schemas.ts'

type Texts = Readonly<Record<string, string>>

/** For POSIX shells, which take everything between single quotes as it is. */
const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

function shText(text: string, texts: Texts): string {
  const entries = Object.entries(texts)
  return entries.length === 0
    ? text
    : `export ${entries.map(([name, one]) => `${name}=${quote(one)}`).join(' ')}\n${text}`
}

/** PowerShell takes all of these for single quotes, and two of them for one in a text. */
const quotePowershell = (text: string) => `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`

/** Base64 alone: no character of it means something to cmd.exe, or to another program that starts it. */
function powershellText(text: string, texts: Texts): string {
  const entries = Object.entries(texts).map(([name, one]) => `'${name}' = ${quotePowershell(one)}`)
  const script = `$values = @{ ${entries.join('; ')} }\n${text}`
  const encoded = Buffer.from(script, 'utf16le').toString('base64')
  return `powershell.exe -NoProfile -NonInteractive -ExecutionPolicy Bypass -EncodedCommand ${encoded}`
}

/** Characters of a command line that cmd.exe takes. */
const longestLine = 8191

/** Undefined when it is too long. */
export function shellText({ text, language }: Pick<Script, 'text' | 'language'>, texts: Texts): string | undefined {
  if (language === 'sh') return shText(text, texts)
  const line = powershellText(text, texts)
  return line.length <= longestLine ? line : undefined
}
