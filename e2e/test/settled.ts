import { healthCounts } from "@weft/contract/domains/devices/health.ts";
import { wallboardData } from "@weft/contract/domains/monitoring/wallboard.ts";
import { vi } from "vitest";
import type { Reached } from "#e2e/installation.ts";
import { adminOf } from "#e2e/people.ts";

/**
 * Waits until the devices of a demonstration that has just started are in contact: lists that put the
 * worst first lose rows meanwhile, and what is measured of a page would be the start.
 */
export async function settled(installation: Reached): Promise<void> {
  const call = await adminOf(installation);
  const anyCpe = { name: null, groupid: null, linkStatus: null, key: null, areaId: null };
  let before = "";
  await vi.waitFor(
    async () => {
      const { cpeOnline, linkUp } = (await call(wallboardData, {})).data.counts;
      const tones = (await call(healthCounts, { classType: "cpe", ...anyCpe })).data;
      const now = JSON.stringify([cpeOnline, linkUp, tones]);
      const isStill = cpeOnline * linkUp > 0 && now === before;
      before = now;
      if (!isStill) throw new Error(`${cpeOnline} CPEs are online, ${linkUp} links are up`);
    },
    { timeout: 120_000, interval: 4_000 },
  );
}
