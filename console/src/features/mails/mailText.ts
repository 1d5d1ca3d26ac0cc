// The text of a mail, line by line. A line that names one word, `Temporary password: x7Kd-92`, is worth copying.

type Line = { key: number; line: string; named?: { name: string; value: string } }

/** Lines about a request begin with its number. */
const NAMED = /^(?!#)([^:]{1,40}): (\S+)$/

export const linesOf = (text: string): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line, key) => {
      const [, name, value] = NAMED.exec(line) ?? []
      return name === undefined || value === undefined ? { key, line } : { key, line, named: { name, value } }
    })
