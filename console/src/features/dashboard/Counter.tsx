// A number that moves to its new value (spec S2 §2.5). Screen readers get the value itself. Without one it is empty.
import { useReducedMotion } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../kit/texts/texts.ts'
import css from './Dashboard.module.css'

/** The animation of a counter (spec S2 §2.5): 60 frames from the shown number to the new one, fast first. */
export const FRAMES = 60
const DIGITS = 4

/** Returns what a frame shows; the last one shows the target exactly. */
export function numberAt(frame: number, from: number, to: number): number {
  if (frame >= FRAMES) return to
  const rest = 1 - frame / FRAMES
  return Math.round(to + (from - to) * rest ** 3)
}

/** Splits a number into leading zeros and digits: 4 digits, more where the number needs them. */
export function digitsOf(value: number): { zeros: string; digits: string } {
  const digits = String(value)
  return { zeros: '0'.repeat(Math.max(0, DIGITS - digits.length)), digits }
}

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
      <span className="unseen">{formatNumber(value)}</span>
    </>
  )
}

export function Counter({ value }: { value: number | undefined }) {
  return <span className={css.number}>{value !== undefined && <Digits value={value} />}</span>
}
