import type { ReactNode } from "react";
import type { Called } from "#client/use-call.ts";
import { Failed, Loading } from "./empty-state.tsx";

interface Props<Data> {
  readonly asked: Pick<Called<never>, "error" | "refetch"> & { readonly data: Data | undefined };
  /** Height of the placeholder while loading, in rows of a list. */
  readonly rows?: number;
  /** Instead of rows: what the content will look like. */
  readonly waiting?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/**
 * Waits for a response, or shows why there is none. A response stays visible when a later refresh
 * fails, so that the user does not lose input below it.
 */
export function Await<Data>({ asked, rows = 6, waiting, children }: Props<Data>) {
  if (asked.data !== undefined) return children(asked.data);
  if (asked.error) return <Failed error={asked.error} retry={asked.refetch} />;
  return waiting ?? <Loading rows={rows} />;
}
