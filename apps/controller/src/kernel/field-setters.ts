import type { FieldSetter, FieldSetters } from "@weft/contract/kernel/field-setters.ts";
import { holds } from "@weft/contract/permissions.ts";
import { missingPermission } from "./answer.ts";
import type { Caller, Context } from "./api.ts";
import { refuseField } from "./refuse.ts";

type Values<Field extends string> = Readonly<Partial<Record<Field, unknown>>>;

/** What is to be set. Both in memory form; of a new row `old` is what it has unless it is set. */
interface Change<Field extends string> {
  readonly old: Values<Field>;
  readonly now: Values<Field>;
}

interface Target {
  /** There is nothing yet that its enterprise could set for itself. */
  readonly isNew?: boolean;
  /** Whether the caller is above the enterprise whose row it is. */
  readonly isAbove?: () => Promise<boolean>;
  /** The row is the caller's own account. */
  readonly isOwn?: boolean;
}

type Setting = Pick<Caller, "userId" | "authorities" | "keyId" | "hasMfa" | "visitEndTime">;

/** As it is sent: times have whole seconds there, so what was read and is sent back is the same. */
const sentAs = (value: unknown): string =>
  value instanceof Date
    ? String(Math.floor(value.getTime() / 1_000))
    : JSON.stringify(value ?? null);

const changedFields = <Field extends string>({ old, now }: Change<Field>): Field[] =>
  (Object.keys(now) as Field[]).filter((field) => sentAs(old[field]) !== sentAs(now[field]));

/**
 * Ends the call when the caller may not set one of the fields that change.
 * @returns the fields that change
 */
export async function requireSetters<Field extends string>(
  ctx: { readonly caller: Setting } & Pick<Context, "verifyOwnPassword">,
  setters: FieldSetters<Field>,
  change: Change<Field>,
  target: Target = {},
): Promise<Field[]> {
  const { caller } = ctx;
  const changed = changedFields(change);
  const isAbove = once(target.isAbove ?? (async () => false));
  let needsPassword = false;
  for (const field of changed) {
    const rule = setters[field];
    if (rule === "anyone") continue;
    if (rule === "computed") throw new Error(`${field} is computed: no call sets it`);
    const isPerson = isForPersons(rule, change.now[field]);
    if (isPerson && caller.keyId !== null) refuseField(field, "personOnly");
    const isOwn = target.isOwn === true && rule.own === true;
    if (!isOwn && rule.may && !holds(caller, rule.may)) throw missingPermission(rule.may);
    if (target.isNew) continue;
    if (isPerson) needsPassword = true;
    const { mfa, above } = neededFor(rule, change.old[field], change.now[field]);
    if (above && !(await isAbove())) refuseField(field, "fromAbove");
    if (mfa && !caller.hasMfa) refuseField(field, "mfaNeeded");
  }
  if (needsPassword) await ctx.verifyOwnPassword();
  return changed;
}

const isForPersons = ({ person }: FieldSetter, now: unknown): boolean =>
  typeof person === "function" ? person(now) : person === true;

/** What a change of the value needs of a row that is there. */
function neededFor({ above, demandsMfa }: FieldSetter, old: unknown, now: unknown) {
  const [demanded, demands] = [demandsMfa?.(old) ?? false, demandsMfa?.(now) ?? false];
  return { mfa: demanded !== demands, above: above === true || (demanded && !demands) };
}

const once = <T>(ask: () => Promise<T>): (() => Promise<T>) => {
  let pending: Promise<T> | undefined;
  return () => {
    pending ??= ask();
    return pending;
  };
};
