// `fleet store import-ogadmbd` on a real MariaDB server: what is imported, and what is reported.

import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { SiteReport } from '../../host/cli/import-ogadmbd/site-report.ts'
import { withSource } from '../../host/cli/import-ogadmbd/source-database.ts'
import { hasMariadb } from '../harness/mariadb.ts'
import { skipFile } from '../harness/skip-file.ts'
import { addRows, createTables } from './create-tables.ts'
import { reasonsOf, startSourceSite } from './source-site.ts'

if (!hasMariadb) skipFile('mariadb')
const source = await startSourceSite()
const { importInto, reportOf, server, shell, withStore } = source

const test = suite('import of ogAdmBD')
test.after(() => source.stop())

test('a dry run prints the counts of each table and what is left out, and writes nothing', async () => {
  const { code, out, error } = await importInto('dry', '--dry-run')
  equal([code, error], [0, ''])
  match(out, /^TABLE +READ +KEPT +LEFT OUT\ncentros +4 +2 +2\n/)
  match(out, /\nordenadores +2000 +1992 +8\n/)
  match(out, /\nprocedimientos_acciones +6\/4 +row +it names nothing\n/)
  match(out, /\nsoftwares +251-300 +row +no list that is kept has it\n/)
  match(out, /\ndry run: nothing was written\n$/)
  equal(source.filesOf('dry'), [])
  is((await reportOf('dry', '--dry-run')).written, false)
})

test('all rows of each table are read, and each is kept or left out', async () => {
  const { tables, problems, written } = await reportOf('first')
  is(written, true)
  const administrator = await server.connect('ogAdmBD')
  for (const { table, read, kept, left_out } of tables) {
    const [rows] = await administrator.query('SELECT COUNT(*) AS count FROM ??', [table])
    equal(rows, [{ count: read }], table)
    is(kept + left_out, read, table)
  }
  await administrator.end()
  const keptOf = (name: string) => tables.find(({ table }) => table === name)?.kept
  equal(tables.length, 22)
  await withStore('first', async store => {
    const centers = await store.scopes()
    is(centers.length, keptOf('centros'))
    const rooms = centers.flatMap(({ scope }) => scope)
    is(rooms.length, keptOf('aulas'))
    const computers = await store.computers.list()
    is(computers.length, keptOf('ordenadores'))
    is((await store.repositories.list()).length, keptOf('repositorios'))
    is((await store.images.list()).length, keptOf('imagenes'))
    is((await store.procedures.list()).length, keptOf('procedimientos'))
    is((await store.tasks.list()).length, keptOf('tareas'))
    is((await store.schedules.list()).length, keptOf('programaciones'))
    const steps = [...(await store.procedures.list()), ...(await store.tasks.list())].flatMap(row => row.steps)
    is(steps.length, (keptOf('procedimientos_acciones') ?? 0) + (keptOf('tareas_acciones') ?? 0))
    const partitions = await Promise.all(computers.map(({ ip }) => store.inventory.partitions(ip)))
    is(partitions.flat().length, keptOf('ordenadores_particiones'))
    const counts = new Map<string, number>()
    for await (const [name, row] of store.backup.dump())
      if (typeof row !== 'number') counts.set(name, (counts.get(name) ?? 0) + 1)
    equal([counts.get('systems'), keptOf('nombresos')], [3, 3])
    equal([counts.get('hardware'), keptOf('perfileshard')], [5, 5])
    equal([counts.get('software'), keptOf('perfilessoft')], [3, 3])
    // EXT4, NTFS and CACHE have fixed numbers.
    equal([counts.get('filesystems'), keptOf('sistemasficheros')], [1, 4])
  })
  equal(problems.filter(({ table }) => table === 'usuarios').length, 1)
  const { code, out } = await shell.fleet('store', 'check', '--config', source.configOf('first'))
  is(code, 0, out)
})

test('a second run refuses to overwrite, in one line, and changes nothing', async () => {
  const before = await readAll('first')
  const { code, out, error } = await importInto('first')
  equal([code, out], [1, ''])
  is(error, `fleet: store lowdb in ${source.dataOf('first')}: not empty; an import needs a new one\n`)
  equal(await readAll('first'), before)
  is((await importInto('first', '--dry-run')).code, 0)
})

async function readAll(name: string): Promise<unknown[]> {
  const entries: unknown[] = []
  await withStore(name, async store => {
    for await (const entry of store.backup.dump()) entries.push(entry)
  })
  return entries
}

test('tables of an older database without some columns and tables are imported as far as they go', async () => {
  const administrator = await server.connect()
  await createTables(administrator, 'old', {
    engine: () => 'MyISAM',
    withoutTables: ['grupos', 'programaciones', 'repositorios', 'imagenes'],
    withoutColumns: ['n_row', 'n_col', 'inremotepc', 'maintenance'].map(column => `ordenadores.${column}`),
  })
  await addRows(administrator, 'centros', [
    { idcentro: 1, nombrecentro: 'Uno' },
    { idcentro: 2, nombrecentro: 'D\0s' },
    { idcentro: -3, nombrecentro: 'Tres' },
  ])
  await addRows(administrator, 'aulas', [
    { idaula: 4, nombreaula: 'Aula', idcentro: 1, netmask: '255.255.0.0', grupoid: 7 },
  ])
  const row = { idordenador: 9, nombreordenador: 'pc', ip: '127.3.0.1', mac: '0'.repeat(12), idaula: 4 }
  await addRows(administrator, 'ordenadores', [row])
  await administrator.end()
  const report = await reportOf('old', 'mysql://reader@localhost/old')
  const whole = (table: string) => reasonsOf(report, table, '')
  equal(reasonsOf(report, 'centros', '2'), ['row: expected texts without NUL'])
  equal(reasonsOf(report, 'centros', '-3'), ['row: expected an id from 1 on'])
  equal(whole('imagenes'), ['table: the database does not have it'])
  equal(
    whole('ordenadores'),
    ['n_row', 'n_col', 'inremotepc', 'maintenance'].map(column => `${column}: the table does not have this column`),
  )
  is(
    report.tables.some(({ table }) => table === 'programaciones'),
    false,
  )
  await withStore('old', async store => {
    equal(await store.repositories.list(), [{ id: 1, name: 'default', ip: '' }])
    const found = await store.computers.find('127.3.0.1')
    equal([found?.id, found?.room, found?.netmask, found?.repo_id, found?.remote], [9, 4, '255.255.0.0', 1, false])
    is((await store.rooms.find(4))?.group, 7)
  })
})

test('a wrong password, an unknown or another database, and a server that is gone give one line', async () => {
  const administrator = await server.connect()
  await administrator.query('CREATE DATABASE other')
  await administrator.end()
  const wrong = shell.write('wrong', 'nonsense')
  const results = {
    password: await importInto('none', '--password-file', wrong),
    unknown: await importInto('none', 'mysql://reader@localhost/nowhere'),
    other: await importInto('none', 'mysql://reader@localhost/other'),
    socket: await importInto('none', '--socket', '/nowhere/socket', '--dry-run'),
    port: await shell.fleet('store', 'import-ogadmbd', 'mysql://reader@127.0.0.1:1/ogAdmBD', '--dry-run'),
  }
  for (const [name, { code, out, error }] of Object.entries(results)) {
    equal([code, out], [1, ''], name)
    match(error, /^fleet: [^\n]+\n$/, name)
  }
  match(results.password.error, /Access denied for user 'reader'/)
  match(results.unknown.error, /Unknown database 'nowhere'/)
  match(results.other.error, /\/other: expected a database like ogAdmBD, got one without the table centros\n$/)
  match(results.socket.error, /^fleet: \/nowhere\/socket\/ogAdmBD: .*ENOENT/)
  match(results.port.error, /^fleet: 127\.0\.0\.1:1\/ogAdmBD: .*ECONNREFUSED/)
  await withStore('none', async store => is(await store.backup.isEmpty(), true))
})

test('a wrong address is a usage error, which does not repeat the password', async () => {
  for (const url of ['http://a:secret@b/c', 'mysql://host/db', 'mysql://a:secret@b', 'mysql://a:%zz@b/c', 'nonsense']) {
    const { code, out, error } = await shell.fleet('store', 'import-ogadmbd', url)
    equal([code, out], [2, ''], url)
    match(error, /^fleet: expected mysql:\/\/user@host\/ogAdmBD.*\n$/)
    is(error.includes('secret'), false)
  }
  const missing = await importInto('none', '--password-file', '/nowhere')
  equal(missing.code, 2)
  match(missing.error, /^fleet: --password-file: ENOENT/)
})

/** A port that leads to the server; a connection ends when the server has sent `limit` bytes. */
async function openPort(limit = Number.POSITIVE_INFINITY) {
  const proxy = createServer(caller => {
    const upstream = connect(server.socket)
    let count = 0
    upstream.on('data', bytes => {
      count += bytes.length
      if (count > limit) caller.destroy()
    })
    caller.on('close', () => upstream.destroy())
    caller.on('error', () => {})
    caller.pipe(upstream).pipe(caller)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const address = proxy.address()
  const port = address instanceof Object ? address.port : 0
  const url = `mysql://reader:${encodeURIComponent('ñ secret/1')}@127.0.0.1:${port}/ogAdmBD`
  return { url, close: () => proxy.close() }
}

test('host, port and a password of the address lead to a server in the network', async () => {
  const { url, close } = await openPort()
  const { code, out, error } = await shell.fleet('store', 'import-ogadmbd', url, '--dry-run')
  close()
  equal([code, error], [0, ''])
  match(out, /\nordenadores +2000 +1992 +8\n/)
})

test('rows that are added while tables are read are not in what is read', async () => {
  const administrator = await server.connect('ogAdmBD')
  const login = { user: 'reader', password: 'ñ secret/1', database: 'ogAdmBD', socket: server.socket }
  const counts = await withSource({ host: '', port: 0, ...login }, new SiteReport(), async database => {
    const before = await database.count('repositorios')
    await administrator.query("INSERT INTO repositorios (nombrerepositorio, ip) VALUES ('late', '10.1.1.1')")
    return [before, await database.count('repositorios')]
  })
  const [result] = await administrator.query("DELETE FROM repositorios WHERE nombrerepositorio = 'late'")
  await administrator.end()
  is(counts[0], counts[1])
  is('affectedRows' in result && result.affectedRows, 1)
})

test('a connection that is lost while tables are read gives one line, and nothing is stored', async () => {
  const { url, close } = await openPort(300_000)
  const config = source.configOf('lost')
  const { code, out, error } = await shell.fleet('store', 'import-ogadmbd', url, '--config', config)
  close()
  equal([code, out], [1, ''])
  match(error, /^fleet: 127\.0\.0\.1:\d+\/ogAdmBD: Connection lost: [^\n]+\n$/)
  await withStore('lost', async store => is(await store.backup.isEmpty(), true))
})

test.run()
