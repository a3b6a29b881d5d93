/** Enterprises whose offline CPEs are displayed as online (specification section 9). */
const displayed: ReadonlySet<number> = new Set([74, 2059, 2445]);

interface Shown {
  readonly groupid: number;
  /** 1 online, anything else offline. */
  readonly linkStatus: number;
  readonly linksUp: number;
  readonly links: number;
}

/**
 * A CPE as the list displays it where the server's session says `cpeMockOnline`: a word of the list
 * alone, what the box reported stays what it is everywhere else.
 */
export const asDisplayed = <Row extends Shown>(row: Row, isOn: boolean): Row =>
  isOn && displayed.has(row.groupid) && row.linkStatus !== 1
    ? { ...row, linkStatus: 1, linksUp: row.links }
    : row;
