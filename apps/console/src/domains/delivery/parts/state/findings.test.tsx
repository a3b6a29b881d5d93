import { expect, it } from "vitest";
import { renderForTest } from "#client/render-for-test.tsx";
import type { NodeState } from "./delivery.ts";
import { Findings } from "./findings.tsx";

const shown = (findings: NodeState["findings"]) =>
  renderForTest(<Findings state={{ findings } as NodeState} />, []).replace(/<[^>]*>/g, "|");
const lan5 = {
  section: "underlay",
  kind: "lan",
  object: "lan5",
  reason: "noInterface",
  params: {},
};

it("shows nothing while all objects are applied", () => {
  expect(shown([])).not.toMatch(/生效|act/);
});

it("names each object that does not act, with the reason", () => {
  expect(shown([lan5])).toMatch(
    /1 finding on this device.*LAN section lan5: no such interface|此设备有 1 项异常.*LAN 网段 lan5：设备没有此接口/s,
  );
});

it("shows what a newer device has other keys for", () => {
  const strange = { ...lan5, kind: "tunnel", reason: "noMagic", params: { why: "no wand" } };
  expect(shown([strange])).toMatch(/tunnel lan5.*noMagic no wand/s);
});
