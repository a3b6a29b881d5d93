import type { HealthState } from "@weft/contract/domains/devices/health.ts";
import type { Session } from "#client/session.tsx";

/** Enterprises whose offline CPEs are displayed as online (specification section 9). */
const displayed: ReadonlySet<number> = new Set([74, 2059, 2445]);

interface Shown {
  readonly groupid: number;
  /** 1 online, anything else offline. */
  readonly linkStatus: number;
  readonly linksUp: number;
  readonly links: number;
  readonly health: HealthState | null;
}

/**
 * Enterprises of which offline CPEs are displayed as online: those of section 9 and of the session's
 * `simulationGroup` while `cpeMockOnline` is 1, else none.
 */
export const mockedEnterprises = (
  session: Pick<Session, "cpeMockOnline" | "simulationGroup">,
): ReadonlySet<number> => {
  if (session.cpeMockOnline !== 1) return new Set();
  const named = (session.simulationGroup ?? "").split(",").map((id) => Number(id.trim()));
  return new Set([...displayed, ...named.filter((id) => Number.isInteger(id) && id > 0)]);
};

/**
 * A CPE as the list displays it for these enterprises (`mockedEnterprises`): an entry of the list
 * alone, what the device reported stays what it is everywhere else.
 */
export const asDisplayed = <Row extends Shown>(row: Row, mocked: ReadonlySet<number>): Row =>
  mocked.has(row.groupid) && row.linkStatus !== 1
    ? { ...row, linkStatus: 1, linksUp: row.links, health: "online" as const }
    : row;
