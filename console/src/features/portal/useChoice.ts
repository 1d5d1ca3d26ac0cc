// A choice of the register step that needs no input.
import type { Route } from '@acc/contract/core/route'
import { useState } from 'react'
import { call, type RouteRef } from '../../kit/api/call.ts'

export function useChoice(route: RouteRef<Route>, onDone: () => void) {
  const [isBusy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    try {
      await call(route, {})
      onDone()
    } catch {
      // The global handler shows the error.
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, choose: () => void send() }
}
