/** What an entry of the operation log would take to undo, by its values alone. Pure. */
import type { Access } from "@weft/contract/access.ts";
import type { UndoableWrite } from "@weft/contract/domains/access/enums.ts";
import { inverseOf, undoableBy } from "@weft/contract/domains/access/record-undo.ts";
import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { holds } from "@weft/contract/permissions.ts";
import { differences } from "./rules.ts";

type Values = Readonly<Record<string, unknown>>;

export interface Recorded {
  readonly resource: string;
  readonly row_id: number | null;
  readonly old_value: Values | null;
  readonly new_value: Values | null;
}

export interface UndoPlan {
  readonly resource: AnyResource;
  /** What was done. */
  readonly write: UndoableWrite;
  /** The verb that undoes it. */
  readonly verb: UndoableWrite;
  readonly rowId: number;
  /** Fields that an edit changed. */
  readonly fields: readonly string[];
}

/** What is in the log in place of a secret (kernel/audit.ts). */
const hidden = "[redacted]";

const shapeOf = ({ draft }: AnyResource): Values => (draft as { shape: Values }).shape;

/** Null: the entry has no inverse. */
export function undoPlanOf({ resource: module, row_id, old_value, new_value }: Recorded) {
  const write: UndoableWrite = old_value === null ? "add" : new_value === null ? "remove" : "edit";
  const resource = undoableBy(module, write);
  if (!resource || row_id === null || (old_value === null && new_value === null)) return null;
  const editable = shapeOf(resource);
  const changed = differences(old_value, new_value).filter(({ field }) => field in editable);
  const isHidden = changed.some(
    (difference) => difference.old === hidden || difference.new === hidden,
  );
  if (isHidden || (write === "edit" && changed.length === 0)) return null;
  const fields = changed.map(({ field }) => field);
  return { resource, write, verb: inverseOf[write], rowId: row_id, fields } satisfies UndoPlan;
}

/** What the call that undoes it needs, of a row with these values. */
export function permissionFor(
  { resource, verb }: Pick<UndoPlan, "resource" | "verb">,
  draft: Values,
): Access | null {
  const { may, mayInstead } = resource.ops[verb] as Endpoint;
  const given = mayInstead && draft[mayInstead.field];
  return mayInstead && typeof given === "number" ? mayInstead.may : may;
}

/** Whether the caller could undo it: POPs and CPEs have permissions of their own, either will do for a button. */
export function mayUndo(caller: Parameters<typeof holds>[0], plan: UndoPlan): boolean {
  const { may, mayInstead } = plan.resource.ops[plan.verb] as Endpoint;
  return holds(caller, may) || (mayInstead !== undefined && holds(caller, mayInstead.may));
}
