import type { FieldSetters } from "@weft/contract/kernel/field-setters.ts";
import { holds } from "@weft/contract/permissions.ts";
import { missingPermission } from "./answer.ts";
import type { Caller } from "./api.ts";
import { refuseField } from "./refuse.ts";

/** Fields of a draft that differ from the row. Both in memory form. Pure. */
export const changedFields = <Field extends string>(
  old: Readonly<Record<Field, unknown>>,
  draft: Readonly<Record<Field, unknown>>,
): Field[] =>
  (Object.keys(draft) as Field[]).filter(
    (field) => JSON.stringify(old[field] ?? null) !== JSON.stringify(draft[field] ?? null),
  );

interface Target {
  /** Asks for the caller's current password, where the row is the caller's own account. */
  readonly provePassword?: (() => Promise<unknown>) | undefined;
}

/** Ends the call when the caller may not set one of these fields. */
export async function requireSetters<Field extends string>(
  { caller }: { readonly caller: Pick<Caller, "userId" | "authorities" | "keyId"> },
  setters: FieldSetters<Field>,
  fields: readonly Field[],
  { provePassword }: Target = {},
): Promise<void> {
  let asksPassword = false;
  for (const field of fields) {
    const rule = setters[field];
    if (rule === "anyone") continue;
    if (rule === "computed") throw new Error(`${field} is computed: no call sets it`);
    if (rule.person && caller.keyId !== null) refuseField(field, "personOnly");
    if (provePassword && rule.own === "password") asksPassword = true;
    else if (rule.may && !holds(caller, rule.may)) throw missingPermission(rule.may);
  }
  if (asksPassword) await provePassword?.();
}
