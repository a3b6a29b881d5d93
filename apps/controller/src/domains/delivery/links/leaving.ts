/**
 * When a link to a POP that a site is to leave may go: not before another one carries what it carried
 * (ADR 0028). Pure.
 */

/** A link of a site with a POP as it is now. */
export interface CarriedLink {
  readonly id: number;
  readonly site: number;
  /** Line of the site that it uses. */
  readonly slot: number;
  readonly isLeaving: boolean;
  /** Known to be up. */
  readonly isUp: boolean;
  /** Up long enough for the routes through it to be in use. */
  readonly isSteady: boolean;
  /** Both ends run the newest state that was made for them: they prefer what is to stay. */
  readonly isApplied: boolean;
}

/**
 * Links that may go. One that is up goes when a link of the same line, or where that line has no other, any
 * of the site, carries; one that is down goes as soon as any of the site carries. Without another that
 * carries it stays, however long that takes.
 */
export function mayGo(links: readonly CarriedLink[]): Set<number> {
  const bySite = Map.groupBy(links, ({ site }) => site);
  const carries = ({ isSteady, isApplied }: CarriedLink): boolean => isSteady && isApplied;
  const gone = [...bySite.values()].flatMap((ofSite) => {
    const staying = ofSite.filter(({ isLeaving }) => !isLeaving);
    return ofSite.filter((link) => {
      if (!link.isLeaving) return false;
      const sameLine = staying.filter(({ slot }) => slot === link.slot);
      const instead = link.isUp && sameLine.length > 0 ? sameLine : staying;
      return instead.some(carries) && (!link.isUp || link.isApplied);
    });
  });
  return new Set(gone.map(({ id }) => id));
}
