import { cpeLeases } from "@weft/contract/domains/devices/host-lease.ts";
import { expect, it } from "vitest";
import { known, renderForTest } from "#client/render-for-test.tsx";
import { cardOfCpe } from "#domains/devices/parts/node/node-card.ts";
import { sampleRow } from "./cpe-row-sample.ts";
import { HostLeases } from "./host-leases.tsx";

const node = cardOfCpe(sampleRow);
const at = new Date("2026-11-01T08:00:00Z");
const lease = {
  address: "10.1.1.9",
  mac: "00:00:0c:00:00:09",
  name: "till-7",
  until: at,
  since: at,
  vendor: "Cisco Systems, Inc",
  isLocalMac: false,
  network: "10.1.1.0/24",
  reserved: null,
};
const shown = (more: object): string =>
  renderForTest(
    <HostLeases node={node} />,
    ["configLan"],
    [known(cpeLeases, { id: node.id }, { items: [{ ...lease, ...more }], total: 1 })],
  );

it("names the maker of a card, or that the host chose its address", () => {
  expect(shown({})).toContain("Cisco Systems, Inc");
  expect(shown({ vendor: null, isLocalMac: true })).toContain("随机 MAC（主机自选）");
});

it("offers to reserve a free address and names the owner of a reserved one", () => {
  expect(shown({})).toContain("保留此地址");
  for (const [reserved, text] of [
    ["own", ">保留<"],
    ["other", "动态（已保留给其他主机）"],
  ] as const) {
    const html = shown({ reserved });
    expect(html).toContain(text);
    expect(html).not.toContain("保留此地址");
  }
});
