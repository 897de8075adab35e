// Conformance of the adapter `lowdb`.
import { conformance, durability } from '../conformance/index.ts'
import { newFolder, openIn } from '../harness/store-folders.ts'

conformance('lowdb', async () => openIn(await newFolder())).run()

// Few bytes per journal, so that kills also interrupt snapshots.
durability('lowdb', async () => openIn(await newFolder(), { journal_bytes: 50_000 })).run()
