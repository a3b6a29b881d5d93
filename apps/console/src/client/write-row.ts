import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import type { AnyResource, RowOf } from "@weft/contract/kernel/resource.ts";
import { call } from "./call.ts";

interface Target<R extends AnyResource> {
  readonly resource: R;
  /** Null: a new one. */
  readonly row: RowOf<R> | null;
}

interface WrittenRow {
  readonly id: number;
  /** Of an add what was sent with what came back. */
  readonly answer: object | null;
  /** Consequences that the controller named. */
  readonly warnings: readonly string[];
}

/** Adds or edits. */
export const writeRow = async <R extends AnyResource>(
  { resource, row }: Target<R>,
  draft: object,
): Promise<WrittenRow> => {
  if (row === null) {
    const { data, warnings = [] } = await call(resource.ops.add as Endpoint, draft);
    const made = data as { id: number };
    return { id: made.id, answer: { ...draft, ...made }, warnings };
  }
  const id = (row as Record<string, unknown>)[resource.id] as number;
  const { warnings = [] } = await call(resource.ops.edit as Endpoint, {
    ...draft,
    [resource.id]: id,
  });
  return { id, answer: null, warnings };
};
