// Draws the reference. Trying calls out goes through the signed-in session of the same browser, with the marker header.
window.SwaggerUIBundle({
  url: 'Docs/openapi.json',
  dom_id: '#calls',
  deepLinking: true,
  filter: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  requestInterceptor: (request) => {
    request.headers['X-Requested-With'] = 'XMLHttpRequest'
    return request
  },
})
