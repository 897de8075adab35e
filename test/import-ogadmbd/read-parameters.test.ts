// Parameter strings of procedures become commands with payloads.
import { suite } from 'uvu'
import { equal, is, match } from 'uvu/assert'
import { decodeScript, readLayout, readParameters } from '../../host/cli/import-ogadmbd/read-parameters.ts'

const read = (...items: string[]) => readParameters(items.join('\r'))
const reasonOf = (...items: string[]) => String(read(...items))

const test = suite('parameter strings')

test('each verb becomes its command, and its keys those of the payload', () => {
  const noParams = {
    Apagar: 'poweroff',
    Reiniciar: 'reboot',
    Purgar: 'stop',
    Actualizar: 'refresh',
    InventarioHardware: 'hardware',
    EjecutaComandosPendientes: 'run-schedule',
  }
  for (const [verb, command] of Object.entries(noParams)) equal(read(`nfn=${verb}`, ''), { command, params: {} })
  equal(read('nfn=Arrancar', 'mar=1'), { command: 'wol', params: { type: 'broadcast' } })
  equal(read('nfn=Arrancar', 'mar=2'), { command: 'wol', params: { type: 'unicast' } })
  const place = { disk: '1', partition: '2' }
  equal(read('nfn=InventarioSoftware', 'dsk=1', 'par=2'), { command: 'software', params: place })
  equal(read('nfn=IniciarSesion', 'par=2', 'dsk=1', 'iph=10.1.1.1'), { command: 'session', params: place })
  equal(read('nfn=EjecutarScript', 'scp=x=1; date'), { command: 'shell-run', params: { run: 'x=1; date', echo: true } })
  equal(read('nfn=CrearImagen', 'dsk=1', 'par=2', 'cpt=131', 'idi=3', 'nci=ubuntu', 'ipr=10.0.0.1'), {
    command: 'image-create',
    params: { ...place, code: '131', id: '3', name: 'ubuntu', repository: '10.0.0.1' },
    image: { id: 3, name: 'ubuntu' },
  })
  equal(read('nfn=RestaurarImagen', 'dsk=1', 'par=2', 'idi=3', 'nci=u', 'ipr=10.0.0.1', 'ifs=7', 'ptc=TORRENT p2p'), {
    command: 'image-restore',
    params: { ...place, id: '3', name: 'u', repository: '10.0.0.1', profile: '7', type: 'TORRENT p2p' },
    image: { id: 3, name: 'u' },
  })
})

test('a carriage return before a line feed is a line end of the script', () => {
  equal(read('nfn=EjecutarScript', 'scp=echo a\r\necho b', ''), {
    command: 'shell-run',
    params: { run: 'echo a\r\necho b', echo: true },
  })
})

test('an unknown verb, and a missing, wrong or repeated value give a reason', () => {
  match(reasonOf('nfn=Formatear'), /^nfn: expected Arrancar, .*; got "Formatear"$/)
  match(reasonOf('dsk=1'), /^nfn: expected .*; got ""$/)
  is(reasonOf('nfn=IniciarSesion', 'dsk=1'), 'IniciarSesion: par is missing')
  is(reasonOf('nfn=IniciarSesion', 'dsk=1', 'par='), 'IniciarSesion: par: expected a number, got ""')
  is(reasonOf('nfn=Arrancar', 'mar=3'), 'Arrancar: mar: expected 1 or 2, got "3"')
  is(reasonOf('nfn=Apagar', 'nonsense'), 'expected key=value, got "nonsense"')
  is(reasonOf('nfn=Apagar', 'nfn=Reiniciar'), 'expected nfn once, got it twice')
  is(reasonOf('nfn=EjecutarScript', 'scp='), 'EjecutarScript: scp: expected a script, got none')
  is(reasonOf('nfn=EjecutarScript', 'scp=a%00b'), 'EjecutarScript: scp: expected text, got bytes that are none')
  is(reasonOf('nfn=EjecutarScript', 'scp=a%ud800b'), 'EjecutarScript: scp: expected text, got bytes that are none')
  is(reasonOf('nfn=CrearImagen', 'dsk=1', 'par=2', 'cpt='), 'CrearImagen: cpt: expected a text, got none')
})

test('a script in the encoding of URLs is decoded, whichever encoder wrote it', () => {
  is(decodeScript(encodeURIComponent('echo "ñ" && date +%F\nls /')), 'echo "ñ" && date +%F\nls /')
  // `escape` of the browsers: Latin-1, other characters as %u20AC, and + / @ unchanged.
  is(decodeScript('echo%20%F1%20+%20/tmp%20%u20AC'), 'echo ñ + /tmp €')
  // The encoding of forms.
  is(decodeScript('echo+%C3%B1+1%2B1%0Als'), 'echo ñ 1+1\nls')
})

test('a script that was stored as it is stays as it is', () => {
  for (const script of ['reboot', 'date +%F', 'date+%F', 'echo %41 %', 'printf%s', 'a=1+1', 'echo 50%25\n']) {
    is(decodeScript(script), script)
  }
})

test('a layout becomes four slots, those that it does not have are empty', () => {
  const empty = (partition: string) => ({ code: 'EMPTY', filesystem: 'EMPTY', size: '0', format: '0', partition })
  const first = { partition: '1', code: 'NTFS', filesystem: 'NTFS', size: '500', format: '1' }
  const third = { partition: '3', code: 'LINUX', filesystem: 'EXT4', size: '900', format: '0' }
  const partition_setup = [first, empty('2'), third, empty('4')]
  const partitions = 'par=1*cpt=NTFS*sfi=NTFS*tam=500*ope=1%par=3*cpt=LINUX*sfi=EXT4*tam=900*ope=0%'
  equal(readLayout(partitions), { cache: '0', cache_size: '0', partition_setup })
  const cached = { cache: '1', cache_size: '70', partition_setup }
  equal(readLayout(`dis=1*che=1*tch=70*${partitions}`), cached)
  equal(readLayout(`dis=1*che=1*tch=70!${partitions}`), cached)
})

test('a text that is no layout gives a reason', () => {
  is(readLayout(''), 'expected a partition, got none')
  is(readLayout('dis=1*che=1'), 'expected a partition, got none')
  is(readLayout('cpt=NTFS*par=1'), 'expected key=value of a partition, got "cpt=NTFS"')
  is(readLayout('par=1*other=2'), 'expected key=value of a partition, got "other=2"')
  is(readLayout('par=1*cpt=NTFS%par=1*cpt=NTFS%'), 'expected each partition once, got 1 again')
})

test.run()
