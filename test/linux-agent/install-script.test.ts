// The program and the install script as the daemon serves them: who may read them, and which server the script names.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { equal, is, match, not, ok } from 'uvu/assert'
import { loadOptions } from '../../host/config/options.ts'
import { bundleAgent, createAgentProgram } from '../../host/linux-agent/service.ts'
import { startTestHost, type TestHost } from '../harness/test-host.ts'
import { tlsFiles } from '../harness/transport.ts'

const lab = await startTestHost({ options: { agents: { ip: '127.0.0.1', port: 0 }, boot: { server: '10.1.1.1' } } })
const program = await bundleAgent()
const withoutToken = { Authorization: '' }
const fetchScript = (host: TestHost, Host?: string) =>
  host.call('GET /agent/install.sh', undefined, { ...withoutToken, ...(Host !== undefined && { Host }) })

/** The value of a variable, as the shell reads it. */
function shellValue(script: string, name: string): string {
  const [assignment = ''] = new RegExp(`^${name}=.*$`, 'm').exec(script) ?? []
  return spawnSync('sh', ['-c', `${assignment}; printf %s "$${name}"`], { encoding: 'utf8' }).stdout
}

const test = suite('install script')
test.after(() => lab.stop())

test('the program is served without a token, and only once to who has it', async () => {
  const { status, headers, text } = await lab.call('GET /agent/fleet-agent.js', undefined, withoutToken)
  equal([status, headers['content-type']], [200, 'text/javascript; charset=utf-8'])
  is(text, program)
  const etag = `"${createHash('sha256').update(program).digest('hex')}"`
  is(headers.etag, etag)
  for (const known of [etag, `"other", W/${etag}`]) {
    const again = await lab.call('GET /agent/fleet-agent.js', undefined, { ...withoutToken, 'If-None-Match': known })
    equal([again.status, again.text], [304, ''])
  }
  is((await lab.call('GET /agent/fleet-agent.js', undefined, { 'If-None-Match': '"other"' })).status, 200)
})

test('the script is served without a token, contains the program, and is correct for sh', async () => {
  const { status, headers, text } = await fetchScript(lab)
  equal(
    [status, headers['content-type'], headers['cache-control']],
    [200, 'text/x-shellscript; charset=utf-8', 'no-store'],
  )
  is(text.includes(program), true)
  not.match(text.replace(program, ''), /@[A-Z]/)
  is(shellValue(text, 'sha256'), createHash('sha256').update(program).digest('hex'))
  match(shellValue(text, 'version'), /^fleet-agent \d/)
  for (const shell of ['sh', 'bash']) is(spawnSync(shell, ['-n'], { input: text, encoding: 'utf8' }).stderr, '')
})

test('the scripts for Windows are served without a token: one has the program, the other the digest of the first', async () => {
  const headers = { ...withoutToken, Host: '10.2.3.4:8888' }
  const cmd = await lab.call('GET /agent/install.cmd', undefined, headers)
  equal([cmd.status, cmd.headers['content-type']], [200, 'application/x-bat; charset=utf-8'])
  const [commands = '', ...rest] = cmd.text.split('\n*/\n')
  is(`#!/usr/bin/env node\n${rest.join('\n*/\n')}`, program)
  match(
    commands,
    new RegExp(
      `install ${createHash('sha256').update(program).digest('hex')} 10\\.2\\.3\\.4 \\d+ "http://10\\.2\\.3\\.4:8888"`,
    ),
  )
  // For cmd.exe each line ends so, and nothing is left to fill in.
  not.match(commands, /[^\r]\n|@[A-Z0-9]+@/)
  const { status, text } = await lab.call('GET /agent/install.ps1', undefined, headers)
  is(status, 200)
  match(text, /-Uri 'http:\/\/10\.2\.3\.4:8888\/agent\/install\.cmd'/)
  ok(text.includes(createHash('sha256').update(cmd.text).digest('hex')))
})

test('it names the server as the request does, by an address or a name', async () => {
  for (const [host, expected] of [
    ['10.2.3.4:8888', '10.2.3.4'],
    ['Fleet.Example.org', 'fleet.example.org'],
    ['pc-1:80', 'pc-1'],
  ] as const) {
    is(shellValue((await fetchScript(lab, host)).text, 'default_server'), expected)
  }
})

test('any other Host is replaced by the address that the caller has reached', async () => {
  for (const host of ["a'b", '$(id)', '`id`', 'a;id', 'a b', '-x', '[::1]:8888', 'a:b', '', 'a@b', 'ä']) {
    const { text } = await fetchScript(lab, host)
    is(shellValue(text, 'default_server'), '127.0.0.1', host)
  }
})

test('where only a proxy reaches the API the script has its address, for updates', async () => {
  const urlFor = async (host: string, ip = '127.0.0.1') => {
    const { options } = loadOptions()
    const { installer } = createAgentProgram({ ...options, rest: { ...options.rest, ip } })
    const server = { address: '127.0.0.1', port: 8888 }
    const { body } = await installer({ header: () => host, isSecure: false, server }, 'install.sh')
    return shellValue(String(body), 'default_url')
  }
  is(await urlFor('fleet.example.org'), 'https://fleet.example.org')
  is(await urlFor('10.1.1.1:8080', '::1'), 'http://10.1.1.1:8080')
  is(await urlFor('fleet.example.org', '0.0.0.0'), '')
  for (const host of ['localhost:8888', "a'b", '']) is(await urlFor(host), '', host)
})

test('callers share the bytes of the program, and those of the script for one name of the server', async () => {
  const { installer, respond } = createAgentProgram(loadOptions().options)
  const bodyFor = async (host: string) => {
    const server = { address: '127.0.0.1', port: 8888 }
    return (await installer({ header: () => host, isSecure: false, server }, 'install.sh')).body
  }
  const first = await bodyFor('fleet.example.org')
  is(await bodyFor('Fleet.Example.org'), first)
  is.not(await bodyFor('10.1.1.1'), first)
  for (let index = 0; index < 16; index += 1) await bodyFor(`10.1.1.${index}`)
  is.not(await bodyFor('fleet.example.org'), first)
  const request = { header: () => '' }
  is((await respond(request)).body, (await respond(request)).body)
})

test('the options keep what they have, and the address for updates changes with the server only', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'install-script-'))
  const { text } = await fetchScript(lab)
  const functions = text.slice(0, text.lastIndexOf('\n{ main'))
  const proxy = 'https://fleet.example.org'
  const write = (options: object, server: string, url: string) => {
    writeFileSync(join(folder, 'options.json'), JSON.stringify(options))
    const values = `folder=${folder} node=${process.execPath} server=${server} port= default_server=new default_port=8889 default_url=${url}`
    // An argument may have 128 KiB, and the script has the whole agent.
    spawnSync('sh', ['-s'], { input: `${functions}\n${values}\nwrite_options ${folder}/next\n` })
    return JSON.parse(readFileSync(join(folder, 'next'), 'utf8'))
  }
  equal(write({}, '', proxy), { server: 'new', port: 8889, url: proxy })
  equal(write({ server: 'old', port: 1 }, '', proxy), { server: 'old', port: 1 })
  equal(write({ server: 'old', port: 1, url: 'http://old' }, '', proxy), { server: 'old', port: 1, url: 'http://old' })
  equal(write({ server: 'old', port: 1, url: 'http://old' }, 'new', ''), { server: 'new', port: 1 })
  equal(write({ server: 'old', port: 1, url: 'http://old' }, 'new', proxy), { server: 'new', port: 1, url: proxy })
  equal(write({ server: 'new', port: 1, url: 'http://own' }, 'new', proxy), {
    server: 'new',
    port: 1,
    url: 'http://own',
  })
  rmSync(folder, { recursive: true })
})

test('only the two paths are open, by GET', async () => {
  for (const route of ['GET /agent', 'GET /agent/', 'GET /agent/install.sh/x', 'GET /agent/fleet-agent.js/x']) {
    is((await lab.call(route, undefined, withoutToken)).status, 401, route)
  }
  is((await lab.call('POST /agent/install.sh', {}, withoutToken)).status, 401)
  is((await lab.call('POST /agent/install.sh', {})).status, 405)
})

test('GET /pending names the script for other computers as the request names the server, by https without a port', async () => {
  const urlFor = async (Host: string) => (await lab.call('GET /pending', undefined, { Host })).json.install_url
  is(await urlFor('10.2.3.4:8888'), 'http://10.2.3.4:8888/agent/install.sh')
  is(await urlFor('fleet.example.org'), 'https://fleet.example.org/agent/install.sh')
  is(await urlFor('localhost:8888'), undefined)
})

test('for a caller at the server itself GET /pending names the address of the server, when other computers reach the API', async () => {
  const open = await startTestHost({ options: { rest: { ip: '0.0.0.0', port: 0 }, boot: { server: '10.1.1.1' } } })
  const { rest } = open.host.ports
  for (const Host of ['127.0.0.1:1', 'localhost', "a'b"]) {
    const { json } = await open.call('GET /pending', undefined, { Host })
    is(json.install_url, `http://10.1.1.1:${rest}/agent/install.sh`)
  }
  await open.stop()
})

test('with TLS it names https', () => {
  const { options } = loadOptions()
  const { installUrl } = createAgentProgram({ ...options, rest: { ...options.rest, ip: '0.0.0.0', tls: tlsFiles } })
  const server = { address: '127.0.0.1', port: 8888 }
  const urlFor = (host: string) => installUrl({ header: () => host, isSecure: true, server })
  is(urlFor('fleet.example.org:8888'), 'https://fleet.example.org:8888/agent/install.sh')
  match(urlFor('localhost:8888') ?? '', /^https:\/\/[\d.]+:8888\/agent\/install\.sh$/)
})

test.run()
