// The doc comments of the contract's calls, read from its sources: what each call does, for the OpenAPI document.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LOG_NAMES, LOGS } from '@acc/contract/history/kinds'

const CONTRACT = dirname(fileURLToPath(import.meta.resolve('@acc/contract')))
/** A comment, and the name of the call that it precedes. */
const COMMENTED = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n {2}(\w+): \w+\(/g

const textOf = (comment: string) =>
  comment
    .replace(/\n\s*\*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

function commentsIn(file: string): Map<string, string> {
  const source = readFileSync(join(CONTRACT, file), 'utf8')
  return new Map([...source.matchAll(COMMENTED)].map(([, comment = '', name = '']) => [name, textOf(comment)]))
}

/** Returns the comments of each domain's calls by their names. */
export function readComments(): (domain: string, call: string) => string {
  const files = readdirSync(CONTRACT).filter((file) => /^\w+\.ts$/.test(file))
  const byDomain = new Map(files.map((file) => [file.replace('.ts', ''), commentsIn(file)]))
  const ofLogs = LOG_NAMES.flatMap((log) => {
    const { en } = LOGS[log].title
    return [
      [log, `Searches the "${en}" history.`],
      [`${log}Counts`, `Counts the rows of the "${en}" history over time, with the same filters.`],
    ] as const
  })
  byDomain.set('history', new Map([...commentsIn('history/routes.ts'), ...ofLogs]))
  return (domain, call) => byDomain.get(domain)?.get(call) ?? ''
}
