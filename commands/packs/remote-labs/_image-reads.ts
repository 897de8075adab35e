// What brokers read of images and repositories.
import { Problem, wholeNumber } from './_answers.ts'
import { centerOf, type Image, imageOf, imagesOf, isOffered } from './_places.ts'
import { dateText } from './_reads.ts'
import type { Asked } from './_schemas.ts'

type Read = (asked: Asked, path: readonly string[]) => Promise<unknown>

export const repositories: Read = async (asked, [ou = '']) => {
  const center = centerOf(asked, ou)
  const rows = await asked.services.store.repositories.list()
  return rows.map(({ id, name }) => ({ id, name, ou: { id: center } }))
}

export const repository: Read = async (asked, [ou = '', repo = '']) => {
  centerOf(asked, ou)
  const { store, images } = asked.services
  const row = (await store.repositories.list()).find(({ id }) => id === wholeNumber(repo, 'repo', 1))
  if (!row) throw new Problem(401, 'repo: not one of yours')
  return { id: row.id, name: row.name, description: '', ip: row.ip || images.address }
}

export const images: Read = async (asked, [ou = '']) => {
  const center = centerOf(asked, ou)
  const rows = await imagesOf(asked, center)
  return rows.map(row => ({ id: row.id, name: row.name, inremotepc: isOffered(row, asked), ou: { id: center } }))
}

export const image: Read = async (asked, [ou = '', id = '']) => {
  const { services } = asked
  const row = await imageOf(asked, ou, id)
  const file = await services.images.file(row.name)
  const os = await services.store.images.system(row.id)
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    comments: '',
    inremotepc: isOffered(row, asked),
    repo: { id: row.repo_id },
    type: 'monolithic',
    ...(row.disk && { client: { id: 0, disk: row.disk, partition: row.partition ?? 0 } }),
    ...(file && { creationdate: dateText(file.modified) }),
    release: row.version ?? 0,
    ...(os && { os }),
  }
}

export const software: Read = async (asked, [ou = '', id = '']) => {
  const { store } = asked.services
  const row = await imageOf(asked, ou, id)
  const os = await store.images.system(row.id)
  const [copy] = os === '' ? [] : await store.images.copies(row.id)
  const applications = copy ? await store.inventory.software(copy.ip, copy.disk, copy.partition) : []
  return { id: row.id, name: row.name, software: os === '' ? {} : { os, applications } }
}

/** The images whose files are on this server, that the caller may use. */
async function fileRows(asked: Asked): Promise<Image[]> {
  const centers = (await asked.services.store.scopes()).filter(({ id }) => asked.rights.reachesCenter(id))
  const lists = await Promise.all(centers.map(({ id }) => imagesOf(asked, id)))
  return [...new Map(lists.flat().map(row => [row.id, row])).values()]
}

async function describeFile({ services }: Asked, row: Image): Promise<object | undefined> {
  const file = await services.images.file(row.name)
  return (
    file && {
      name: row.name,
      type: 'img',
      clientname: '',
      clonator: row.clonator,
      compressor: row.compressor,
      filesystem: row.filesystem,
      datasize: row.datasize,
      size: file.size,
      modified: dateText(file.modified),
      mode: file.permissions.padStart(4, '0'),
      backedup: false,
      locked: false,
    }
  )
}

export const files: Read = async asked => {
  const described = await Promise.all((await fileRows(asked)).map(row => describeFile(asked, row)))
  const disk = await asked.services.images.disk()
  return { directory: '', images: described.filter(file => file !== undefined), ous: [], disk }
}

export const file: Read = async (asked, path) => {
  const row = (await fileRows(asked)).find(({ name }) => name === path.at(-1))
  const described = row && (await describeFile(asked, row))
  if (described) return described
  throw new Problem(404, 'there is no such image')
}

/** Wakes the computers with these hardware addresses, as far as the caller may use them. */
export async function powerOn({ services, rights, body }: Asked): Promise<object> {
  const { macs } = body
  if (!Array.isArray(macs) || macs.length === 0) throw new Problem(400, 'macs: expected a list of hardware addresses')
  const wanted = new Set(
    macs.map(mac =>
      String(mac)
        .replaceAll(/[^0-9a-f]/gi, '')
        .toLowerCase(),
    ),
  )
  const computers = await services.store.computers.list()
  const clients = computers
    .filter(
      ({ ip, mac }) =>
        wanted.has(mac.replaceAll(/[^0-9a-f]/gi, '').toLowerCase()) && (!rights.isLimited || rights.hasClient(ip)),
    )
    .map(({ ip }) => ip)
  if (clients.length === 0) return { output: 'no computer' }
  const job = await services.jobs.run({ command: 'wol', payload: { type: 'broadcast' }, clients })
  if (services.isRefusal(job)) throw new Problem(404, job.refused)
  return { output: `job ${job}: ${clients.length} computers` }
}
