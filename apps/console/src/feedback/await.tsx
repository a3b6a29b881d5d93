import type { ReactNode } from "react";
import type { CallResult } from "#client/use-call.ts";
import { Failed, Loading } from "./empty-state.tsx";

interface Props<Data> {
  readonly result: Pick<CallResult<never>, "error" | "refetch"> & {
    readonly data: Data | undefined;
  };
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
export function Await<Data>({ result, rows = 6, waiting, children }: Props<Data>) {
  if (result.data !== undefined) return children(result.data);
  if (result.error) return <Failed error={result.error} retry={result.refetch} />;
  return waiting ?? <Loading rows={rows} />;
}
