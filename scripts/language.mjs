/**
 * Checks the language of comments, test names and documents (CONTRIBUTING.md, Language): comment lines of at most 120
 * characters, and no words of the list below.
 *
 *   node scripts/language.mjs [PATH...]
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './run.mjs'

const MAX_LENGTH = 120
const WORDS =
  /\b(whoever|whichever|whatever|whom|stands|stood|tells|told|hears|heard|judg(e|es|ed|ing)|beside|goes on|comes? round|meanwhile|for ever|the one before|what (is|was)|licences?)\b/
const NOT_OURS = /^docs\/spec\/|\.gen\.|schema\.sql$|CHANGELOG/

/** The text of a line that people read as prose, or undefined. */
const PROSE = {
  md: (line) => line,
  sql: (line) => /--(.*)/.exec(line)?.[1],
  css: (line) => comment(line),
  ts: (line) => comment(line) ?? /^\s*(?:test|it|describe)(?:\.\w+)*\(\s*(['"`].*)/.exec(line)?.[1],
}
const comment = (line) => /^\s*(\/\/.*|\/\*.*|\*(?:[ /].*)?$)/.exec(line)?.[1] ?? / \/\/ (.*)/.exec(line)?.[1]
const kindOf = (path) => /\.(md|sql|css)$/.exec(path)?.[1] ?? 'ts'

function faults(path) {
  const kind = kindOf(path)
  return readFileSync(join(ROOT, path), 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      const prose = PROSE[kind](line)
      if (prose === undefined) return []
      const word = WORDS.exec(kind === 'md' ? prose.replace(/`[^`]*`/g, '') : prose)?.[0]
      const isLong = kind !== 'md' && comment(line) !== undefined && line.length > MAX_LENGTH
      const reasons = [word && `"${word}"`, isLong && `${line.length} characters`].filter(Boolean)
      return reasons.length > 0 ? [`${path}:${index + 1}: ${reasons.join(', ')}`] : []
    })
}

const files = execFileSync('git', ['ls-files', '--', ...process.argv.slice(2)], { cwd: ROOT, encoding: 'utf8' })
const found = files
  .split('\n')
  .filter((path) => /\.(ts|tsx|mjs|md|sql|css)$/.test(path) && !NOT_OURS.test(path))
  .flatMap(faults)
for (const fault of found) console.log(fault)
if (found.length > 0) {
  console.log(`${found.length} lines of prose to reword.`)
  process.exitCode = 1
}
