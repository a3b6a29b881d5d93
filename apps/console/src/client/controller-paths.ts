/**
 * How paths begin that the controller answers; every other is a page of the console. The one list
 * for Vite's proxy, of `npm run dev` and of Vite by itself.
 */
export const controllerPaths = [
  "/api",
  "/customer",
  "/temp",
  "/edge",
  "/brand",
  "/download",
  "/config.json",
  "/healthz",
  "/readyz",
] as const;
