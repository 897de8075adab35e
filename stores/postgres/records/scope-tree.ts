// The tree of scopes, which stays in memory until the database counts a change of it.
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

const noNodes: readonly [] = Object.freeze([])

interface NodeRow {
  id: number
  parent: number
  name: string
}

/** Frozen at every level, because many readers share it. */
async function buildTree(statements: Statements): Promise<Tree> {
  const count = await readCount(statements)
  const computers = await sql<NodeRow & { ip: string }>`
    select id, room as parent, name, ip from computers order by id
  `.all(statements)
  const rooms = await sql<NodeRow>`select id, center as parent, name from rooms order by id`.all(statements)
  const centers = await sql<Omit<NodeRow, 'parent'>>`select id, name from centers order by id`.all(statements)
  const computersOf = groupNodes(computers, ({ id, name, ip }) => ({ name, type: 'computer', id, scope: noNodes, ip }))
  const roomsOf = groupNodes(rooms, ({ id, name }) => ({ name, type: 'room', id, scope: freezeNodes(computersOf(id)) }))
  const nodes = centers.map(
    ({ id, name }): ScopeNode => ({ name, type: 'center', id, scope: freezeNodes(roomsOf(id)) }),
  )
  return { count, nodes: freezeNodes(nodes) }
}

/** Returns the nodes of a parent, in the order of the rows. */
function groupNodes<Row extends { parent: number }>(
  rows: readonly Row[],
  toNode: (row: Row) => ScopeNode,
): (parent: number) => ScopeNode[] {
  const groups = new Map<number, ScopeNode[]>()
  for (const row of rows) {
    const nodes = groups.get(row.parent)
    if (nodes) nodes.push(toNode(row))
    else groups.set(row.parent, [toNode(row)])
  }
  return parent => groups.get(parent) ?? []
}

function freezeNodes(nodes: ScopeNode[]): readonly ScopeNode[] {
  for (const node of nodes) Object.freeze(node)
  return Object.freeze(nodes)
}
