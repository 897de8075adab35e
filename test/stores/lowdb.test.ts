// Conformance of the adapter `lowdb`.
import { conformance, durability, outputLimits } from '../conformance/index.ts'
import { newFolder, openIn, silent } from '../harness/store-folders.ts'

export const runs = { seconds: 20 }

conformance('lowdb', async () => openIn(await newFolder())).run()

outputLimits('lowdb', async limits => openIn(await newFolder(), { journal_bytes: 50_000 }, silent, limits)).run()

// Few bytes per journal, so that kills also interrupt snapshots.
durability('lowdb', async () => openIn(await newFolder(), { journal_bytes: 50_000 })).run()
