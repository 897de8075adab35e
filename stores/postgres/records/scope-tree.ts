// The tree of scopes, which stays in memory until the database counts a change of it.
import { groupBy } from '../../rules/group-by.ts'
import { buildScopes } from '../../rules/scope-nodes.ts'
import type { ScopeNode } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import { sql } from '../connection/sql.ts'

interface Tree {
  count: number
  nodes: readonly ScopeNode[]
}

/** Returns the same frozen object while nothing in it changes. */
export function createScopeReader(database: Database): () => Promise<readonly ScopeNode[]> {
  let tree: Tree | undefined
  let current: Promise<Tree> | undefined
  let next: Promise<Tree> | undefined

  async function readTree(): Promise<Tree> {
    const count = tree && (await readCount(database.read))
    if (tree === undefined || tree.count !== count) tree = await database.readAll(buildTree)
    return tree
  }

  function start(): Promise<Tree> {
    next = undefined
    const reading = readTree().finally(() => {
      if (current === reading) current = undefined
    })
    current = reading
    return reading
  }

  return async () => {
    // A reading under way may have begun before a write that this caller knows of: those who come now share the next one.
    if (current) next ??= current.then(start, start)
    return (await (next ?? start())).nodes
  }
}

async function readCount(statements: Statements): Promise<number> {
  const { scopes } = await sql<{ scopes: number }>`select scopes from change_counts`.one(statements)
  return scopes
}

interface ChildRow {
  id: number
  parent: number
  name: string
}

async function buildTree(statements: Statements): Promise<Tree> {
  const count = await readCount(statements)
  const computers = await sql<ChildRow & { ip: string }>`
    select id, room_id as parent, name, ip from computers order by id
  `.all(statements)
  const rooms = await sql<ChildRow>`select id, center_id as parent, name from rooms order by id`.all(statements)
  const centers = await sql<Omit<ChildRow, 'parent'>>`select id, name from centers order by id`.all(statements)
  const computersByRoom = groupBy(computers, ({ parent }) => parent)
  const roomsByCenter = groupBy(rooms, ({ parent }) => parent)
  const nodes = buildScopes(centers, {
    rooms: center => roomsByCenter.get(center) ?? [],
    computers: room => computersByRoom.get(room) ?? [],
  })
  return { count, nodes }
}
