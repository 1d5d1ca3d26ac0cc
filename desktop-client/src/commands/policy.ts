// acc-client policy: the policy that applies to the person signed in.
import { signedIn } from '../context.ts'
import { defineCommand } from '../options.ts'
import { plain, table } from '../output.ts'
import { policyLines, policyLists } from '../policy.texts.ts'

/** A configuration below its name, with its indentation; an empty one is left out. */
function textLines(name: string, text: string): string[] {
  if (text.trim() === '') return []
  const indented = (line: string) => `  ${/^ */.exec(line)?.[0] ?? ''}${plain(line)}`
  return ['', name, ...text.replaceAll('\t', '  ').split(/\r?\n/).map(indented)]
}

export const policy = defineCommand({
  options: {},
  args: [0, 0],
  async run(context) {
    const { calls } = await signedIn(context)
    const answer = await calls.agent.findPolicy({}, { signal: context.signal })
    const { texts, language } = context
    const lists = policyLists(answer, language).flatMap(({ name, rows: entries }) => [
      '',
      name,
      ...table(entries.map(([first = '', ...rest]) => [`  ${plain(first)}`, ...rest.map(plain)])),
    ])
    const rows = policyLines(answer.policy, language).map(({ name, value }) => [`  ${name}`, value])
    return {
      document: answer,
      lines: [
        texts.policyOf(plain(answer.ownerName), plain(answer.revision)),
        ...table(rows),
        ...(answer.isSinglePC === 1 ? [texts.singlePC] : []),
        ...lists,
        ...textLines('siteConfig', answer.siteConfig),
        ...textLines('clientPolicy', answer.clientPolicy),
      ],
    }
  },
})
