import { describe, expect, it } from "vitest";
import { pastFlows } from "./flows.ts";

const now = Date.UTC(2026, 4, 4, 4);
const site = { id: 7, groupid: 2, lan: 101 };
const account = { id: 3, alias: "王芳-手机", groupid: 2, popId: 1, address: "10.250.0.9" };
const flows = pastFlows([site], [account], now);

describe("flows of the past day", () => {
  it("lie in the day, most of them in hours of work", () => {
    expect(flows.length).toBeGreaterThan(300);
    const hours = flows.map(({ at }) => (at / 3_600_000 + 8) % 24);
    for (const { at } of flows) {
      expect(at).toBeLessThanOrEqual(now);
      expect(at).toBeGreaterThan(now - 86_400_001);
    }
    const atWork = hours.filter((hour) => hour >= 9 && hour < 19).length;
    expect(atWork / flows.length).toBeGreaterThan(0.6);
  });

  it("are those of a site at its device, and of an account at its POP", () => {
    const ofSite = flows.filter(({ node_id }) => node_id === site.id);
    expect(ofSite.every((one) => one.account_id === 0 && one.source.startsWith("10.101.1."))).toBe(
      true,
    );
    const ofAccount = flows.filter(({ account_id }) => account_id === account.id);
    expect(ofAccount.length).toBeGreaterThan(50);
    expect(ofAccount.every((one) => one.node_id === 1 && one.source === account.address)).toBe(
      true,
    );
  });

  it("carry something, unless a rule refused them", () => {
    const refused = flows.filter(({ denied }) => denied);
    expect(refused.length).toBeGreaterThan(3);
    expect(refused.every(({ in_bytes }) => in_bytes === 0)).toBe(true);
    const all = flows.reduce((sum, { in_bytes }) => sum + in_bytes, 0);
    expect(all).toBeGreaterThan(1e8);
  });
});
