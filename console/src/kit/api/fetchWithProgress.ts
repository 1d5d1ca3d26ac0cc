// Sends a form with its progress: fetch does not report how much of a body has been sent, XMLHttpRequest does.

const ABORTED = 'the call was aborted'

/** Returns a fetch for forms that reports the bytes sent so far. */
export const fetchWithProgress =
  (onSent: (bytes: number) => void): typeof fetch =>
  (input, { method = 'POST', headers, body, credentials, signal } = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(method, String(input))
      request.withCredentials = credentials === 'include'
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded }) => onSent(loaded)
      request.onload = () => {
        const { responseText, status, statusText } = request
        const type = request.getResponseHeader('content-type') ?? ''
        resolve(new Response(responseText, { status, statusText, headers: { 'content-type': type } }))
      }
      request.onerror = () => reject(new TypeError('the connection failed'))
      request.onabort = () => reject(new DOMException(ABORTED, 'AbortError'))
      signal?.addEventListener('abort', () => request.abort())
      request.send(body instanceof FormData ? body : null)
    })
