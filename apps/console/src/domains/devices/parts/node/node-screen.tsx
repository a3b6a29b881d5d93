import type { Endpoint, OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { ReactNode } from "react";
import type { CallResult } from "#client/use-call.ts";
import { Await } from "#feedback/await.tsx";
import { EmptyState } from "#feedback/empty-state.tsx";
import { useNodeTexts } from "./node-texts.ts";

interface Props<E extends Endpoint> {
  /** Out of the address; null: it names none. */
  readonly id: number | null;
  readonly result: CallResult<E>;
  readonly children: (row: OutputOf<E>) => ReactNode;
}

/** Waits for the row of a node's screen, or says why there is none. */
export function NodeScreen<E extends Endpoint>({ id, result, children }: Props<E>) {
  const t = useNodeTexts();
  if (id === null) return <EmptyState kind="waiting" text={t("page.notFound")} />;
  return <Await result={result}>{children}</Await>;
}
