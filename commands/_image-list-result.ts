// The schema of the list of images.
import { imageFile, imageVersion } from './_image-results.ts'
import { described, integer, like, list, result, text } from './_result-schemas.ts'

const image = result(
  {
    name: described(text, 'the file is `<name>.img`', 'ubuntu'),
    datasize: described(integer, 'bytes of the data, as the agent reported it', 9126805504),
    ...imageFile,
    software_id: described(integer, 'id of the list of its software', 1),
    type: described(integer, '1: the copy of a partition', 1),
    id: like(integer, 1),
    repo_id: described(integer, 'id of its repository', 1),
    center_id: described(integer, 'id of its center, 0 none', 0),
    system: described(text, 'the operating system in it, empty when it is not known', 'Ubuntu 24.04 LTS 64 bits'),
    computers: described(integer, 'how many computers have a partition of it', 24),
    version: described(integer, 'how often it was created; 0: not known', 3),
    versions: list(imageVersion, 'older files of it, the newest first'),
    disk: described(integer, 'number of the disk that it was made of; absent: not known', 1),
    partition: described(integer, 'number of its partition, absent as well', 2),
  },
  ['disk', 'partition'],
)
const disk = result({ total: like(integer, 1967925948416), free: like(integer, 1250999832576) })

export const imageList = result(
  {
    images: list(image),
    disk: described(disk, 'bytes of the disk of the repository'),
    without_file: list(
      result({ id: like(integer, 2), name: like(text, 'win11') }),
      'with that key in the query: images without a file here, as of a creation that has failed',
    ),
  },
  ['without_file'],
)
