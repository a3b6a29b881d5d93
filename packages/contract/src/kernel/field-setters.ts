import type { Permission } from "#contract/permissions.ts";

/** What a caller needs to set a field, besides the permission of the call and the row in the data scope. */
export interface FieldSetter {
  /**
   * A person who enters the own password (`oldPsw`), no API key and no session alone: what the field opens would
   * outlive the key and the session. A function: only where it opens that, by the new value.
   */
  readonly person?: true | ((value: unknown) => boolean);
  /** This permission as well. */
  readonly may?: Permission;
  /** Of the caller's own account: without `may`. */
  readonly own?: true;
  /** A caller of an enterprise above: never the enterprise for itself. */
  readonly above?: true;
  /** Whether a value demands MFA. Who changes that is a person with MFA, and who ends it is above. */
  readonly demandsMfa?: (value: unknown) => boolean;
}

/** `computed`: no call sets it. */
export type FieldSetterRule = FieldSetter | "anyone" | "computed";

/**
 * Who may set each field of a resource. A field without an entry does not compile, so that who may set
 * a new one is decided when it is made.
 */
export type FieldSetters<Field extends string> = Readonly<Record<Field, FieldSetterRule>>;

/** Fields that are changed with the caller's own password only. */
export const passwordFields = (setters: FieldSetters<string>): string[] =>
  Object.entries(setters)
    .filter(([, rule]) => typeof rule === "object" && rule.person !== undefined)
    .map(([field]) => field);
