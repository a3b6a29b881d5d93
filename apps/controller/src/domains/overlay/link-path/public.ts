/** What other features use of paths. */
export { keepMoves, keepPaths, type SentPaths } from "./reports.ts";
