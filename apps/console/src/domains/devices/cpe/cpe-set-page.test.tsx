import { nodeState } from "@weft/contract/domains/delivery/node-state.ts";
import { cpeFindById } from "@weft/contract/domains/devices/cpe.ts";
import { acts } from "@weft/contract/effects.ts";
import type { Permission } from "@weft/contract/permissions.ts";
import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { known, renderForTest as renderWith } from "#client/render-for-test.tsx";
import { cardOfCpe } from "#domains/devices/parts/node/node-card.ts";
import { sampleRow } from "./cpe-row-sample.ts";
import { CpeSettings } from "./cpe-set-page.tsx";

const node = cardOfCpe(sampleRow);
/** The page waits for what the device can do before it shows sections. */
const state = known(
  nodeState,
  { id: node.id },
  {
    id: node.id,
    online: false,
    version: null,
    lastOnline: null,
    configVisible: true,
    compiling: false,
    uncompiled: null,
    desired: null,
    confirmed: null,
    runningSerial: null,
    blocked: null,
    heldAt: null,
    findings: [],
    driftPolicy: "heal",
    driftSteps: null,
    drift: null,
    capabilities: [],
    lines: [],
  },
);
const renderForTest = (part: ReactNode, authorities: readonly Permission[]): string =>
  renderWith(part, authorities, [state]);
const tabs = [
  "WAN 链路",
  "LAN 网段",
  "DHCP 地址保留",
  "静态路由",
  "DNS",
  "ACL",
  "Wi-Fi",
  "系统设置",
];
/** What the CPE holds of policy objects, beside its own settings. */
const policies = [
  "策略作用",
  "DNS 控制",
  "BGP",
  "OSPF",
  "IP 组",
  "URL 组",
  "时间组",
  "策略路由",
  "端口映射",
];
const shown = (html: string): string[] => {
  const nav = /<nav[^>]*>(.*?)<\/nav>/.exec(html)?.[1] ?? "";
  const labels = [...nav.matchAll(/<a[^>]*>([^<]*)</g)].map(([, label]) => label ?? "");
  return labels;
};

describe("configuration of a CPE", () => {
  it("B-6-15: with the code of the DNS tab alone shows the DNS tab alone", () => {
    expect(shown(renderForTest(<CpeSettings node={node} />, ["configDns"]))).toEqual(["DNS"]);
  });

  it("marks DNS entries as applied only by devices with the capability", () => {
    const html = renderForTest(<CpeSettings node={node} />, ["configDns"]);
    expect(html.includes("每一行保存后立即下发")).toBe(acts("dnsmasq"));
    expect(renderForTest(<CpeSettings node={node} />, ["configStaticroute"])).toContain(
      "每一行保存后立即下发",
    );
  });

  it("shows every tab to whom has every code", () => {
    const codes = [
      ...(["configXwan", "configLan", "configLansectionList", "configStaticroute"] as const),
      ...(["configDns", "configAcl", "configWifi", "cpeConfig"] as const),
    ];
    const all = shown(renderForTest(<CpeSettings node={node} />, codes));
    expect(all).toEqual(expect.arrayContaining([...tabs, ...policies]));
    expect(all.length).toBe(11 + 13);
    expect(shown(renderForTest(<CpeSettings node={node} />, []))).toEqual([]);
  });

  it.each(["cpeEditCug", "cpeEditCugEnable", "cpeEditCTG"] as const)(
    "shows groups and partner to whom has %s alone, with what is set",
    (code) => {
      const row = known(
        cpeFindById,
        { id: node.id },
        { ...sampleRow, cugEnable: false, cugBandwidth: 10_000_000, isPush: true },
      );
      const html = renderWith(<CpeSettings node={node} />, [code], [state, row]);
      expect(shown(html)).toEqual(["用户组与合作运营商"]);
      // What may not be changed is read all the same.
      expect(html.includes("10 Mbit/s")).toBe(code !== "cpeEditCug");
      expect(html.match(/role="switch"/g)?.length ?? 0).toBe(code === "cpeEditCug" ? 0 : 1);
    },
  );
});
