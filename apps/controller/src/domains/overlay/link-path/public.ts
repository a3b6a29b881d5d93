/** What other features use of paths. */
export { keepMoves, keepPaths } from "./reports.ts";
