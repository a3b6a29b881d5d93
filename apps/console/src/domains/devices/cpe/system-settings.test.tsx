import { cfgInit } from "@weft/contract/domains/devices/cpe-config.ts";
import { acts } from "@weft/contract/effects.ts";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { renderForTest } from "#client/render-for-test.tsx";
import { cardOfCpe } from "#domains/devices/parts/node/node-card.ts";
import { sampleRow } from "./cpe-row-sample.ts";
import { LanSettings, SystemSettings, WifiSettings } from "./system-settings.tsx";

/** A configuration as the server sends it. */
const configured = (szCrontab: string) =>
  z.decode(cfgInit.output, {
    cpeConfig: {
      cpeId: 1,
      updateTime: null,
      nDynamicdhcp: 1,
      nXACLEnabled: 1,
      nDataEncrypt: 1,
      nWanWebAlloc: 0,
      nHidden: 0,
      nHidden5G: 0,
      szCrontab,
      byteLog: 0,
      auditLog: 0,
      isCloudManage: 1,
      bandwidth: 0,
      mtu: 0,
      xMode: 0,
      ssid: "",
      ssid5G: "",
      nodeLifetime: 0,
    },
    ports: [],
    types: [],
  });
const node = cardOfCpe(sampleRow);
/** The form over it. */
const form = (szCrontab: string): string =>
  renderForTest(<SystemSettings node={node} initial={configured(szCrontab)} />, ["cpeConfig"]);
/** The switch of the schedule and the time beside it, if there is one. */
const schedule = (html: string) => {
  const at = html.indexOf('name="szCrontab"') + html.indexOf("szCrontab");
  const part = html.slice(Math.max(0, at - 400), at + 2_000);
  return {
    isOn: /aria-checked="true"[^>]*/.test(part),
    time: /type="time"[^>]*value="([^"]*)"/.exec(html)?.[1] ?? null,
  };
};

describe("the daily restart of a CPE", () => {
  it("B-5-26: kept as 5 0 * * * is on, at 00:05", () => {
    expect(schedule(form("5 0 * * *"))).toEqual({ isOn: true, time: "00:05" });
  });

  it("B-5-27: kept as close is off", () => {
    expect(schedule(form("close")).time).toBeNull();
  });
});

describe("a section of a CPE", () => {
  it("that no device carries out is saved, and promises no delivery", () => {
    const initial = configured("close");
    const lan = renderForTest(<LanSettings node={node} initial={initial} />, ["configLan"]);
    const wifi = renderForTest(<WifiSettings node={node} initial={initial} can />, ["configWifi"]);
    const delivers = (html: string): boolean => html.includes("下发");
    expect(delivers(lan)).toBe(acts("cpeConfig.nDynamicdhcp"));
    expect(delivers(wifi)).toBe(acts("cpeConfig.ssid"));
    expect(delivers(form("close"))).toBe(true);
  });
});
