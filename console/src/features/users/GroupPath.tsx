// The path of a user's group from the root; a click on a group filters the list by it.
import { Level } from '@acc/contract/labels/access'
import { useTexts } from '../../kit/texts/texts.ts'
import { useGroupIndex } from '../groups/exports.ts'
import css from './Users.module.css'
import { usersTexts } from './users.texts.ts'

type Props = { groupIdx: number; fallback: string; onGroup: (groupIdx: number) => void }

export function GroupPath({ groupIdx, fallback, onGroup }: Props) {
  const t = useTexts(usersTexts)
  const { chainOf } = useGroupIndex()
  const path = chainOf(groupIdx)
  if (path.length === 0) return fallback
  return (
    <span className={css.groupPath}>
      {path.map(({ idx, name, maxUser }, at) => (
        <span key={idx}>
          {at > 0 && ' › '}
          {maxUser > Level.NONE ? (
            <button type="button" title={t('filterByGroup', { name })} onClick={() => onGroup(idx)}>
              {name}
            </button>
          ) : (
            name
          )}
        </span>
      ))}
    </span>
  )
}
