// Queries of sent mail.
import { api } from '@acc/contract'
import { MailState } from '@acc/contract/labels/mails'
import { useApiQuery } from '../../kit/api/query.ts'

/** Returns the number of failed mails, for the badge in the menu. */
export function useFailedMails(): number | undefined {
  const { data } = useApiQuery(api.mails.search, { state: MailState.FAILED, rowsCount: 1, maxCount: 1000 })
  return data?.totalCount
}

export const useMail = (idx: number) => useApiQuery(api.mails.find, { idx })
