// A number that moves to its new value (spec S2 §2.5). Screen readers get the value itself; without one nothing is shown.
import { useReducedMotion } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../kit/texts/formatNumber.ts'
import { digitsOf, FRAMES, numberAt } from './counterFrames.ts'
import css from './Dashboard.module.css'

function useMoving(target: number): number {
  const isStill = useReducedMotion(window.matchMedia('(prefers-reduced-motion: reduce)').matches)
  const [shown, setShown] = useState(isStill ? target : 0)
  const last = useRef(shown)
  useEffect(() => {
    const from = last.current
    let frame = isStill ? FRAMES : 0
    let request: number | undefined
    const step = () => {
      last.current = numberAt(frame, from, target)
      setShown(last.current)
      if (frame++ < FRAMES && from !== target) request = requestAnimationFrame(step)
    }
    step()
    return () => {
      if (request !== undefined) cancelAnimationFrame(request)
    }
  }, [target, isStill])
  return shown
}

function Digits({ value }: { value: number }) {
  const { zeros, digits } = digitsOf(useMoving(value))
  return (
    <>
      <span aria-hidden>
        <span className={css.zeros}>{zeros}</span>
        {digits}
      </span>
      <span className={css.unseen}>{formatNumber(value)}</span>
    </>
  )
}

export function Counter({ value }: { value: number | undefined }) {
  return <span className={css.number}>{value !== undefined && <Digits value={value} />}</span>
}
