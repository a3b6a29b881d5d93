/** Facts about several rows at once: the callers pass the rows, so that both ends decide alike. */

/** Section 5: up to four lines. */
export const fitsLineLimit = (existing: number, adding: number): boolean => existing + adding <= 4;

export interface StandbyMember {
  readonly group: number;
  readonly role: string;
}

/** never more than one active and one standby per group; an incomplete group may be saved. */
export const isStandbyPlan = (members: readonly StandbyMember[]): boolean => {
  const places = members.map(({ group, role }) => `${group} ${role}`);
  return new Set(places).size === places.length;
};

/** A batch action needs at least one selected row with an id; blank entries do not count. */
export const hasSelection = (ids: unknown): boolean =>
  Array.isArray(ids) &&
  ids.some((id) => typeof id === "number" || (typeof id === "string" && id.trim() !== ""));
