// The embedded adapter behaves as every store does, and keeps what it acknowledged.
import { conformance, durability } from '../conformance/index.ts'
import { newFolder, openIn } from '../harness/store-folders.ts'

conformance('lowdb', async () => openIn(await newFolder())).run()

// Snapshots all the time, so that kills fall into them too.
durability('lowdb', async () => openIn(await newFolder(), { journal_bytes: 50_000 })).run()
