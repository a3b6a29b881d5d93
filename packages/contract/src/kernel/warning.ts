/**
 * What an acting call says beside its success: it did what was asked, and that has a consequence that
 * its caller may not have in mind. Never in place of a rule: what must not be is refused.
 */
export const warningCodes = ["nextHopNowhere", "defaultRoute"] as const;
export type WarningCode = (typeof warningCodes)[number];

export interface Warning {
  /** Field that it is about. */
  readonly path: string;
  /** Its text is `warning.<code>`. */
  readonly warning: WarningCode;
  readonly params: Readonly<Record<string, string | number>>;
}
