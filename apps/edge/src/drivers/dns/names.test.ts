import type { DnsControl, DnsSection } from "@weft/contract/device/v1/dns.ts";
import { describe, expect, it } from "vitest";
import { learnedIn } from "#drivers/learned-sets.ts";
import { changedSets, controlledServers, renderSets } from "./controls.ts";
import { controlsOfDay } from "./names.ts";

const control = (
  id: number,
  names: string[] | null,
  given: Partial<DnsControl> = {},
): DnsControl => ({
  id,
  names,
  servers: [`192.0.2.${id}`],
  slot: null,
  weekdays: [],
  routes: false,
  ...given,
});
const dns: DnsSection = { answers: [], servers: [], denied: [], ranges: [] };
const lines = [{ slot: 2, interfaceName: "wan2", ip: "203.0.113.9/24" }];
const part = { dns, lines, inner: ["10.0.0.0/8"], sources: {}, learned: [] };
const servers = (controls: readonly DnsControl[], isUp = (_: string) => true, given = part) =>
  controlledServers(controls, given, {}, isUp);

describe("the control that decides about a name", () => {
  it("is the first that fits, whatever is more specific", () => {
    expect(servers([control(1, ["example.com"]), control(2, ["a.example.com"])]).named).toEqual([
      "server=/a.example.com/192.0.2.1",
      "server=/example.com/192.0.2.1",
    ]);
    expect(servers([control(2, ["a.example.com"]), control(1, ["example.com"])]).named).toEqual([
      "server=/a.example.com/192.0.2.2",
      "server=/example.com/192.0.2.1",
    ]);
  });

  it("matches subdomains only with a wildcard", () => {
    const inner = control(1, ["*.example.com"]);
    expect(servers([inner]).named).toEqual(["server=/*.example.com/192.0.2.1"]);
    expect(servers([inner, control(2, null)])).toEqual({
      named: ["server=/example.com/192.0.2.2", "server=/*.example.com/192.0.2.1"],
      all: "server=192.0.2.2",
    });
  });

  it("is none for what the site itself answers, denies or has a server for", () => {
    const own = { ...part, dns: { ...dns, denied: ["example.com"] } };
    const both = control(1, ["a.example.com", "example.net"]);
    expect(servers([both], () => true, own).named).toEqual(["server=/example.net/192.0.2.1"]);
  });

  it("is one of today, by the clock of the site", () => {
    const monday = Date.UTC(2026, 10, 22, 17);
    const all = [
      control(1, null, { weekdays: [7] }),
      control(2, null),
      control(3, null, { weekdays: [1] }),
    ];
    expect(controlsOfDay(all, monday, "Asia/Shanghai").map(({ id }) => id)).toEqual([2, 3]);
    expect(controlsOfDay(all, monday, "UTC").map(({ id }) => id)).toEqual([1, 2]);
  });
});

describe("the server of a control", () => {
  const two = control(1, null, { servers: ["192.0.2.1", "192.0.2.2"], slot: 2 });

  it("is the first that answers by the WAN link, then the first that answers at all", () => {
    const dead = (...texts: string[]) => servers([two], (text) => !texts.includes(text)).all;
    expect(dead()).toBe("server=192.0.2.1@wan2");
    expect(dead("192.0.2.1@wan2")).toBe("server=192.0.2.2@wan2");
    expect(dead("192.0.2.1@wan2", "192.0.2.2@wan2")).toBe("server=192.0.2.1");
  });

  it("in the space is never reached over a WAN link", () => {
    const inside = control(1, null, { servers: ["10.9.0.53"], slot: 2 });
    expect(servers([inside]).all).toBe("server=10.9.0.53");
  });
});

describe("sets of answers", () => {
  it("have one line a name, and those of no control are put aside", () => {
    const all = [
      control(1, ["a.example.com"]),
      control(7, ["example.com"], { routes: true, slot: 2 }),
    ];
    expect(renderSets(all, part)).toBe(
      "nftset=/a.example.com/4#inet#weft#d_dns4_0,6#inet#weft#d_dns6_0\n" +
        "nftset=/example.com/4#inet#weft#d_dns4_7,6#inet#weft#d_dns6_7\n",
    );
    expect(renderSets([control(1, null)], part)).toBe("");
  });

  it("are those of groups beside those of controls, the closest name of each", () => {
    const routed = [control(7, ["example.com"], { routes: true, slot: 2 })];
    const learned = [
      { by: "saasGroup_3", names: ["*.example.com", "example.org"] },
      { by: "saasGroup_4", names: ["mail.example.com", "example.org"] },
    ];
    const setsOf = (text: string) =>
      text
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => [line.split("/")[1], learnedIn(line)]);
    expect(setsOf(renderSets(routed, { ...part, learned }))).toEqual([
      ["example.com", [7, "saasGroup_3"]],
      ["example.org", ["saasGroup_3"]],
      ["mail.example.com", [7, "saasGroup_4"]],
    ]);
    // A control of all names is about those of groups as well.
    const all = [control(8, null, { routes: true, slot: 2 })];
    expect(setsOf(renderSets(all, { ...part, learned: learned.slice(1) }))).toEqual([
      ["example.org", [8, "saasGroup_4"]],
      ["mail.example.com", [8, "saasGroup_4"]],
      ["#", [8]],
    ]);
    // Controls that lead nothing have no sets.
    expect(setsOf(renderSets([control(9, ["example.net"])], { ...part, learned: [] }))).toEqual([]);
    const before = renderSets([], { ...part, learned });
    const after = renderSets([], { ...part, learned: learned.slice(0, 1) });
    expect(changedSets(before, after)).toEqual(["saasGroup_4"]);
  });

  it("are emptied where their names change, and only there", () => {
    const of = (id: number, name: string) => control(id, [name], { routes: true, slot: 2 });
    const before = renderSets([of(7, "example.com"), of(8, "example.net")], part);
    const after = renderSets([of(7, "example.com"), of(8, "example.org")], part);
    expect(changedSets(before, after)).toEqual([8]);
    expect(changedSets(before, "")).toEqual([7, 8]);
  });
});
