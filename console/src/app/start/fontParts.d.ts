// The two parts of a font's stylesheet, made by `splitFont` in vite.config.ts.
declare module '*.css?common'
declare module '*.css?rare'
