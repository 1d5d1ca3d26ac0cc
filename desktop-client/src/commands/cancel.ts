// acc-client cancel IDX: cancels a request that is not decided.
import { RequestState } from '@acc/contract/labels/requests'
import { signedIn } from '../context.ts'
import { defineCommand, idxOf } from '../options.ts'

export const cancel = defineCommand({
  options: {},
  args: [1, 1],
  async run(context, _options, [text = '']) {
    const idx = idxOf(text)
    const { calls } = await signedIn(context)
    await calls.requests.cancel({ idx }, { signal: context.signal })
    return { document: { idx, state: RequestState.CANCELED }, lines: [context.texts.canceled(idx)] }
  },
})
