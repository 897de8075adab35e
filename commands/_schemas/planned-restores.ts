// The schemas of planned restores in responses.
import { address, described, flag, integer, like, list, result, text, time } from './results.ts'

const content = result({
  system: described(text, 'the operating system there; empty: none, or not known', 'Windows 10'),
  filesystem: like(text, 'NTFS'),
  another_system: described(flag, 'another system than that of the image would be overwritten', true),
  computers: like(integer, 24),
})

const room = result({
  id: integer,
  name: like(text, 'Room 1'),
  center: like(text, 'Main'),
  computers: like(integer, 24),
  off: described(integer, 'are not connected now', 3),
  in_use: described(integer, 'have somebody logged in now', 1),
  refused: described(integer, 'of these in `refused`', 1),
})
const refused = result({
  client: address,
  name: like(text, 'pc-20'),
  room: like(text, 'Room 1'),
  reason: like(text, 'maintenance'),
})

export const planResult = result(
  {
    image: like(text, 'win11'),
    repository: described(address, 'address of its repository'),
    starts: described(time, 'when it starts'),
    until: described(time, 'what has not begun by then expires'),
    disk: described(text, 'the number of the disk', '1'),
    partition: like(text, '2'),
    system: described(text, 'the operating system of the image, empty when it is not known', 'Windows 11'),
    computers: described(integer, 'all of the rooms', 96),
    content: list(content, 'what is there now, another system first, then by number; at most 100'),
    overwrites: described(integer, 'how many computers have another system there: requires `overwrite`', 0),
    rooms: list(room),
    refused: list(refused, 'computers that would get nothing as things are now, at most 200'),
    task: described(integer, 'id of the new task', 7),
    schedule: described(integer, 'id of the new schedule', 3),
  },
  ['until', 'task', 'schedule'],
)
