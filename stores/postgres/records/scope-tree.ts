// The tree of scopes, which stays in memory until the database counts a change of it.
import type { ScopeNode } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'

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
  const { scopes } = await statements.selectFrom('change_counts').select('scopes').executeTakeFirstOrThrow()
  return scopes
}

const noNodes: readonly [] = Object.freeze([])

/** Frozen at every level, because many readers share it. */
async function buildTree(statements: Statements): Promise<Tree> {
  const count = await readCount(statements)
  const computers = await statements
    .selectFrom('computers')
    .select(['id', 'room as parent', 'name', 'ip'])
    .orderBy('id')
    .execute()
  const rooms = await statements.selectFrom('rooms').select(['id', 'center as parent', 'name']).orderBy('id').execute()
  const centers = await statements.selectFrom('centers').select(['id', 'name']).orderBy('id').execute()
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
