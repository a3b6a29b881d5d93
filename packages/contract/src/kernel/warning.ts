/**
 * Warnings of an acting call beside its success: it did what was requested, and that has a consequence that
 * the caller may not expect. Never used instead of a rule: what must not happen is refused.
 */
export const warningCodes = [
  "nextHopNowhere",
  "nextHopUnresolved",
  "gatewayOutside",
  "privatePop",
  "defaultRoute",
  "containsTunnelEnd",
  "containsController",
  "controllerInLan",
  "endOnLine",
  "controllerOnLine",
  "endInNetwork",
  "reservationsLost",
  "weakPassword",
] as const;
export type WarningCode = (typeof warningCodes)[number];

export interface Warning {
  /** The field in question. */
  readonly path: string;
  /** Its text is `warning.<code>`. */
  readonly warning: WarningCode;
  readonly params: Readonly<Record<string, string | number>>;
}
