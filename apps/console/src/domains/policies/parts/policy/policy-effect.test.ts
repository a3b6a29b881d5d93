import {
  type PolicySummary,
  policyReasons,
} from "@weft/contract/domains/policies/policy-finding.ts";
import { policyReasonText } from "@weft/contract/domains/policies/policy-finding-text.ts";
import { expect, test } from "vitest";
import "#client/contract-texts.ts";
import { commonTexts, registerMessages, type Translate } from "#client/texts.ts";
import { policyMessages } from "./messages.ts";
import { effectOf } from "./policy-effect.ts";

registerMessages(policyMessages);
const t = commonTexts() as Translate<keyof typeof policyMessages>;
const of = (counts: Partial<PolicySummary>): PolicySummary => ({
  id: 1,
  nodes: 1,
  acts: 0,
  fallback: 0,
  cannot: 0,
  replaced: 0,
  underway: 0,
  reasons: [],
  ...counts,
});
const shown = (counts: Partial<PolicySummary>) => effectOf(of(counts), t);
const noLine = { reason: "noLine", params: { slot: "3" }, nodes: 2 };

const notYet = { reason: "notCarriedOut", params: {}, nodes: 1 };

test.each([
  [{ acts: 1 }, "ok", "已生效"],
  [{ underway: 1 }, "run", "下发中"],
  [{ nodes: 0 }, "off", "尚未发布"],
  [{ cannot: 1, reasons: [{ ...noLine, nodes: 1 }] }, "bad", "不生效：没有 WAN 链路 3"],
  [{ nodes: 40, acts: 38, cannot: 2, reasons: [noLine] }, "warn", "40 台中 38 台生效"],
  [{ nodes: 2, cannot: 2, reasons: [noLine] }, "bad", "2 台中 0 台生效：没有 WAN 链路 3"],
  [{ nodes: 3, cannot: 3, reasons: [noLine] }, "bad", "3 台中 0 台生效"],
  [{ cannot: 1, reasons: [notYet] }, "unsupported", "未执行：设备尚不支持"],
  [
    { nodes: 10, cannot: 10, reasons: [{ ...notYet, nodes: 10 }] },
    "unsupported",
    "10 台中 0 台生效：设备尚不支持",
  ],
  [{ nodes: 3, cannot: 3, reasons: [notYet, noLine] }, "bad", "3 台中 0 台生效"],
  [{ nodes: 4, acts: 3, underway: 1 }, "run", "4 台中 3 台生效"],
] satisfies [Partial<PolicySummary>, string, string][])(
  "%j is shown as %s: %s",
  (counts, glyph, label) => {
    expect(shown(counts)).toMatchObject({ glyph, label });
  },
);

test("the reasons of many are in the hint, with their numbers", () => {
  const { hint } = shown({ nodes: 40, acts: 38, cannot: 2, reasons: [noLine] });
  expect(hint).toBe("40 台中 38 台生效：没有 WAN 链路 3（2 台）");
});

test("limits that every object of its kind has are no warning: a short label, with the sentence in the hint", () => {
  const dnsOnly = { reason: "dnsOnly", params: {}, nodes: 7 };
  const everywhere = shown({ nodes: 7, fallback: 7, reasons: [dnsOnly] });
  expect(everywhere).toMatchObject({ glyph: "ok", label: "7 台中 7 台生效（有限制）" });
  expect(everywhere.hint).toContain("仅通过设备自身的 DNS 拦截");
  expect(shown({ fallback: 1, reasons: [{ ...dnsOnly, nodes: 1 }] }).label).toBe(
    "已生效（有限制）",
  );
  // One node of several has another reason, or does not act yet.
  const oneFamily = { reason: "oneFamily", params: { only: "IPv4", other: "IPv6" }, nodes: 1 };
  expect(shown({ nodes: 8, fallback: 8, reasons: [dnsOnly, oneFamily] }).glyph).toBe("warn");
  expect(shown({ nodes: 8, fallback: 7, underway: 1, reasons: [dnsOnly] }).glyph).toBe("warn");
});

test("one mark and one text for one meaning: what acts everywhere, but on some nodes in part, does not read as acting in full", () => {
  const full = shown({ nodes: 2, acts: 2 });
  const part = shown({ nodes: 2, acts: 1, fallback: 1 });
  expect([full.glyph, full.label]).toEqual(["ok", "2 台中 2 台生效"]);
  expect([part.glyph, part.label]).toEqual(["warn", "2 台中 2 台生效，1 台部分"]);
});

test("an object is never shown as acting while one node does not act on it", () => {
  for (const other of ["fallback", "cannot", "underway"] as const) {
    expect(shown({ nodes: 2, acts: 1, [other]: 1 }).glyph).not.toBe("ok");
  }
});

test.each(policyReasons)("the reason %s has a text of its own", (reason) => {
  const params = {
    field: "ipgroupId",
    only: "IPv4",
    other: "IPv6",
    slot: "2",
    serial: "7",
    most: "1024",
    least: "1280",
    vlan: "9",
    first: "10.1.1.9",
    last: "10.1.1.20",
    needed: "9",
    left: "3",
    count: "2",
    rules: "a, b",
    address: "10.1.1.1",
    host: "10.1.1.9",
    name: "8443",
    port: "51820",
    interfaceName: "lan0",
    asn: "64900",
    group: "3",
    network: "10.1.1.1/24",
    line: "wan1",
  };
  const text = policyReasonText({ reason, params }, "zh_cn");
  expect(text).toMatch(/[\u4e00-\u9fff]/);
  expect(text).not.toMatch(/[{}]|ipgroupId/);
});
