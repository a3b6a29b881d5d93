import type { Parameters } from "./engine.ts";

/** Requests of the parent to the process with the embedded ClickHouse. */
export type EngineRequest = { readonly id: number } & (
  | { readonly kind: "command"; readonly sql: string }
  | { readonly kind: "insert"; readonly table: string; readonly rows: readonly object[] }
  | { readonly kind: "query"; readonly sql: string; readonly parameters: Parameters }
);

export type EngineReply =
  | { readonly kind: "open" }
  /** The engine cannot run on this machine, or not on this folder now. */
  | { readonly kind: "cannot"; readonly text: string }
  | { readonly kind: "done"; readonly id: number; readonly rows: readonly object[] }
  | { readonly kind: "failed"; readonly id: number; readonly text: string };
