// Faults that are put on purpose into what writes files: the model has to find each of them.
import type { Change } from '../virtual-world/planted-faults.ts'

const journalFile = 'stores/lowdb/journal/journal-file.ts'
const replacing = 'host/system/replace-file.ts'

export const plantedFaults: Readonly<Record<string, Change>> = {
  'record not synced': { file: journalFile, text: 'constants.O_RDWR | constants.O_DSYNC', by: 'constants.O_RDWR' },
  'outputs not synced': {
    file: 'stores/lowdb/outputs/output-files.ts',
    text: 'constants.O_RDWR | constants.O_CREAT | constants.O_DSYNC',
    by: 'constants.O_RDWR | constants.O_CREAT',
  },
  'outputs written after the record': {
    file: 'stores/lowdb/journal/journal.ts',
    text: 'await this.#deps.outputs.write(',
    by: 'void this.#deps.outputs.write(',
  },
  'snapshot not synced': { file: 'stores/lowdb/journal/snapshot.ts', text: 'await handle.sync()', by: '' },
  'snapshot written in place': {
    file: 'stores/lowdb/journal/snapshot.ts',
    text: '.tmp`',
    by: '`',
  },
  'journal written in place': {
    file: journalFile,
    text: '.tmp`',
    by: '`',
  },
  'folder not synced after a rename': {
    file: 'stores/lowdb/files.ts',
    text: 'await folder.sync().catch',
    by: 'await folder.stat().catch',
  },
  'folder of new outputs not synced': {
    file: 'stores/lowdb/outputs/output-files.ts',
    text: '    await syncFolder(this.#path)\n',
    by: '',
  },
  'folder of a new store not synced': {
    file: 'stores/lowdb/files.ts',
    text: 'await syncFolder(dirname(folder))',
    by: 'dirname(folder)',
  },
  'last record of a killed process not synced': {
    file: journalFile,
    text: 'await handle.datasync()\n      await',
    by: 'await',
  },
  'sectors that a power cut has lost taken for damage': {
    file: 'stores/lowdb/journal/record-format.ts',
    text: 'const hasGaps = written.length < bytes.length - at',
    by: 'const hasGaps = false',
  },
  'part of a record not removed': {
    file: 'stores/lowdb/adapter.ts',
    text: 'await truncate(end.file, end.at)',
    by: 'void truncate',
  },
  'replaced file not synced': { file: replacing, text: 'if (flush) fsyncSync(descriptor)', by: '' },
  'folder of a replaced file not synced': {
    file: replacing,
    text: 'if (flush) syncFolder(folder)',
    by: '',
  },
  'folder of a removed file not synced': { file: replacing, text: 'syncFolder(dirname(path))', by: '' },
  'list not synced': { file: 'host/images/json-file.ts', text: ', flush: true', by: '' },
  'folder of data not synced': {
    file: 'host/system/file-system.ts',
    text: 'syncFolder(dirname(folder))',
    by: 'dirname(folder)',
  },
  'file replaced in place': {
    file: replacing,
    text: '.tmp`',
    by: '`',
  },
}
