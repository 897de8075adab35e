// In place of PowerShell, which Wine has not, for the agent's questions to CIM.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Answers with the objects of the classes that the encoded script reads. */
const program = `
const { readFileSync, writeFileSync } = require('node:fs')
const script = Buffer.from(process.argv.at(-1), 'base64').toString('utf16le')
const classes = JSON.parse(readFileSync('C:/cim.json', 'utf8'))
const queries = [...script.matchAll(/(\\w+) = @\\(Get-CimInstance (?:-Namespace \\S+ )?(\\w+) /g)]
const answer = queries.map(([, key, name]) => [key, classes[name] ?? []])
writeFileSync(process.env.OUTPUT, JSON.stringify(Object.fromEntries(answer)))
`

/** Places it on `drive`, the folder of C:. Node prints to a file: it does not write to the pipes of Wine. */
export function placeCim(drive: string, node: string, classes: object): void {
  writeFileSync(join(drive, 'cim.json'), JSON.stringify(classes))
  writeFileSync(join(drive, 'cim.cjs'), program)
  const lines = [
    '@echo off',
    // Two questions may be asked at the same time.
    'set OUTPUT=C:\\cim-%RANDOM%%RANDOM%.json',
    `"Z:${node}" C:\\cim.cjs %* >nul 2>nul <nul`,
    'type %OUTPUT%',
  ]
  writeFileSync(join(drive, 'windows/system32/powershell.cmd'), `${lines.join('\r\n')}\r\n`)
}
