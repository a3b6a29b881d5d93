import type { ReactNode } from "react";
import type { Called } from "#client/use-call.ts";
import { Failed, Loading } from "./empty-state.tsx";

interface Props<Data> {
  readonly asked: Pick<Called<never>, "error" | "refetch"> & { readonly data: Data | undefined };
  /** Height of the place while it loads, in rows of a list. */
  readonly rows?: number;
  readonly children: (data: Data) => ReactNode;
}

/**
 * Waits for an answer, or says why there is none. An answer that came stays when a later refresh
 * fails: what the user types under it must not be lost.
 */
export function Await<Data>({ asked, rows = 6, children }: Props<Data>) {
  if (asked.data !== undefined) return children(asked.data);
  if (asked.error) return <Failed error={asked.error} retry={asked.refetch} />;
  return <Loading rows={rows} />;
}
