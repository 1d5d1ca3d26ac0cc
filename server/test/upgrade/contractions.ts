// Finds the statements of a migration that break the code of the previous version. Reads text and errs on the careful
// side; harmless ones (a trigger, a new CHECK on a new table) are left to the reader.

type Kind = { name: string; pattern: RegExp }

const KINDS: readonly Kind[] = [
  {
    name: 'drop table',
    pattern: /^drop (table|view|materialized view|sequence|type|domain|schema|extension|collation)\b/,
  },
  { name: 'drop function', pattern: /^drop (function|procedure|routine|aggregate)\b/ },
  { name: 'rename', pattern: /^alter .*\brename\b/ },
  {
    name: 'drop column',
    pattern: /^alter table .*\bdrop (?!constraint\b|not null\b|default\b|expression\b|identity\b)/,
  },
  { name: 'alter column ... type', pattern: /^alter table .*\balter (column )?\S+ (set data )?type\b/ },
  { name: 'set not null', pattern: /^alter table .*\bset not null\b/ },
  { name: 'drop default', pattern: /^alter table .*\bdrop default\b/ },
  { name: 'create unique index', pattern: /^create unique index\b/ },
  { name: 'truncate', pattern: /^truncate\b/ },
  { name: 'delete', pattern: /^delete\b/ },
  { name: 'revoke', pattern: /^revoke\b/ },
]

/** The statements in lower case, without comments and with empty texts and bodies. */
function statementsOf(text: string): string[] {
  const plain = text
    .replace(/--[^\n]*/g, ' ')
    .replace(/\/\*[\s\S]*?\*\//g, ' ')
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replace(/'(?:[^']|'')*'/g, "''")
  return plain
    .split(';')
    .map((one) => one.toLowerCase().replace(/\s+/g, ' ').trim())
    .filter((one) => one !== '')
}

/** The parts of an ALTER TABLE, split where a comma is in no parentheses. */
function actionsOf(statement: string): string[] {
  const actions = ['']
  let depth = 0
  for (const sign of statement) {
    if (sign === '(') depth++
    if (sign === ')') depth--
    if (sign === ',' && depth === 0) actions.push('')
    else actions[actions.length - 1] += sign
  }
  return actions.map((action) => action.trim())
}

const NAME = '("[^"]+"|[\\w.]+)'
const nameAfter = (words: string, statement: string) => new RegExp(`${words} ${NAME}`).exec(statement)?.at(-1)

function addsWithoutDefault(statement: string): boolean {
  if (!/^alter table\b/.test(statement)) return false
  return actionsOf(statement).some(
    (action) =>
      /\badd (?!constraint\b)/.test(action) && /\bnot null\b/.test(action) && !/\b(default|generated)\b/.test(action),
  )
}

/**
 * Returns the constraints that a statement adds. Those that the migration drops first are assumed to be widened, and
 * those that name a column of the same migration to hold for its default, which the previous version leaves.
 */
function addedConstraints(statement: string, dropped: ReadonlySet<string>, columns: ReadonlySet<string>): string[] {
  if (!/^alter table\b/.test(statement)) return []
  return actionsOf(statement)
    .flatMap((action) =>
      /\badd (constraint|check|unique|primary key|foreign key|exclude)\b/.test(action) ? [action] : [],
    )
    .filter((action) => !dropped.has(nameAfter('add constraint', action) ?? ''))
    .filter((action) => !action.split(/[^\w"]+/).some((word) => columns.has(word)))
}

/** The names that a pattern finds in a list of texts. */
const namesIn = (pattern: string, texts: readonly string[]) =>
  new Set(texts.map((text) => nameAfter(pattern, text)).filter((name) => name !== undefined))

const TABLE_OF = [`^alter table(?: only| if exists)*`, '^create unique index .*? on']

const INDEX_OF = 'create index(?: if not exists)?(?: concurrently)?(?: (?:"[^"]+"|[\\w.]+))? on(?: only)?'

/** Returns the statements that create an index on a table with rows, whose writes have to wait. */
export function blockingIndexesOf(text: string): string[] {
  const statements = statementsOf(text)
  const created = namesIn('^create table(?: if not exists)?', statements)
  return statements.filter((statement) => {
    const table = nameAfter(INDEX_OF, statement)
    return table !== undefined && !created.has(table)
  })
}

/** Returns a line for each statement that contracts. */
export function contractionsOf(text: string): string[] {
  const statements = statementsOf(text)
  const created = namesIn('^create table(?: if not exists)?', statements)
  const dropped = namesIn('drop constraint(?: if exists)?', statements.flatMap(actionsOf))
  const columns = namesIn('\\badd column(?: if not exists)?', statements.flatMap(actionsOf))
  const isOfNewTable = (statement: string) => TABLE_OF.some((words) => created.has(nameAfter(words, statement) ?? ''))
  return statements
    .filter((statement) => !isOfNewTable(statement))
    .flatMap((statement) => {
      const kind = KINDS.find(({ pattern }) => pattern.test(statement))
      if (kind !== undefined) return [`${kind.name}: ${statement}`]
      if (addsWithoutDefault(statement)) return [`add column ... not null without default: ${statement}`]
      return addedConstraints(statement, dropped, columns).map((action) => `add constraint: ${action}`)
    })
}
