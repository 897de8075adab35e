// What runs on the virtual disk, as it is: the embedded store, and what the daemon writes besides.
export { writeList } from '../../../host/images/json-file.ts'
export { createDataFolder } from '../../../host/system/file-system.ts'
export { check, default as open } from '../../../stores/lowdb/index.ts'
