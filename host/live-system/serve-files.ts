// Serves the files of live systems to computers that start one, whole or in parts.
import { join } from 'node:path'
import type { Request, TextResponse } from '../contract/services.ts'
import { notFound, respondWithFile } from '../system/file-response.ts'
import { httpImage } from './http-image.ts'
import { isLiveName, liveFiles, manifestFile } from './live-folder.ts'

const served: readonly string[] = [...liveFiles, manifestFile]

/**
 * `rest`: the name of a live system, or that of the default one, and of one of its files; or that of the image with the
 * boot loaders, which are in `output`.
 */
export async function serveLiveFile(
  folder: string,
  output: string,
  { rest, header }: Pick<Request, 'rest' | 'header'>,
): Promise<TextResponse> {
  if (rest.join('/') === httpImage) return respondWithFile(join(output, httpImage), header, 'application/vnd.efi-img')
  const [name = '', file = '', ...below] = rest
  if (!isLiveName(name) || !served.includes(file) || below.length > 0) return notFound()
  return respondWithFile(join(folder, name, file), header)
}
