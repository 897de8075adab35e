// The tree of scopes, which stays in memory until the database counts a change of it.
import type { ScopeNode } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import { groupRows, sql } from '../connection/sql.ts'

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
  const parentOf = ({ parent }: NodeRow) => parent
  const computersByRoom = groupRows(computers, parentOf)
  const roomsByCenter = groupRows(rooms, parentOf)
  const computersIn = (room: number) =>
    freezeNodes(computersByRoom.get(room), ({ id, name, ip }) => ({ name, type: 'computer', id, scope: noNodes, ip }))
  const roomsIn = (center: number) =>
    freezeNodes(roomsByCenter.get(center), ({ id, name }) => ({ name, type: 'room', id, scope: computersIn(id) }))
  const nodes = freezeNodes(centers, ({ id, name }) => ({ name, type: 'center', id, scope: roomsIn(id) }))
  return { count, nodes }
}

const freezeNodes = <Row>(rows: readonly Row[] = [], toNode: (row: Row) => ScopeNode): readonly ScopeNode[] =>
  Object.freeze(rows.map(row => Object.freeze(toNode(row))))
