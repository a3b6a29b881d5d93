import type { Permission } from "@weft/contract/permissions.ts";
import { describe, expect, it } from "vitest";
import { renderForTest } from "#client/render-for-test.tsx";
import {
  isPast,
  itemLink,
  type Notices,
  openingTab,
  permittedLists,
  stateLink,
  totalOf,
} from "./notice.ts";
import { NoticePanel } from "./notice-panel.tsx";

const day = 86_400_000;
const soon = new Date(Date.now() + 3 * day);
const gone = new Date(Date.now() - 3 * day);

const notices = (cpe: number, pop: number, client: number, at = soon): Notices => {
  const some = (count: number, mark: string) =>
    Array.from({ length: count }, (_, index) => ({ id: index + 1, name: `${mark}${index + 1}` }));
  return {
    cpeList: some(cpe, "A").map(({ id, name }) => ({ id, alias: name, expireTime: at })),
    popList: some(pop, "P").map(({ id, name }) => ({ id, name, expireTime: at })),
    clientList: some(client, "C").map(({ id, name }) => ({
      id,
      alias: name,
      account: { expire: at },
    })),
  };
};
const all: Permission[] = ["cpeAlarmMsg", "popAlarmMsg", "clientAlarmMsg"];
const lists = (given: Notices, codes: readonly Permission[] = all) =>
  permittedLists(given, (code) => codes.includes(code));
const panel = (given: Notices, codes: readonly Permission[] = all) =>
  renderForTest(<NoticePanel lists={lists(given, codes)} onLeave={() => undefined} />, codes);
const tabs = (html: string) =>
  [...html.matchAll(/role="tab"[^>]*>([^<]*)</g)].map(([, name]) => name);
const active = (html: string) => /role="tab" aria-selected="true"[^>]*>([^<]*)</.exec(html)?.[1];

describe("the tabs", () => {
  it.each([
    ["B-2.6-01", "cpeAlarmMsg", "CPE 1"],
    ["B-2.6-02", "popAlarmMsg", "POP 1"],
    ["B-2.6-03", "clientAlarmMsg", "软终端 1"],
  ] as const)("%s: of a user with %s are that one only", (_, code, name) => {
    expect(tabs(panel(notices(1, 1, 1), [code]))).toEqual([name]);
  });

  it("B-2.6-04: are none without a code, and nothing opens by itself", () => {
    const html = panel(notices(1, 1, 1), []);
    expect([tabs(html), totalOf(lists(notices(1, 1, 1), []))]).toEqual([[], 0]);
  });

  it.each([
    ["B-2.6-08", notices(0, 2, 3), all, "POP 2"],
    ["B-2.6-09", notices(0, 0, 3), all, "软终端 3"],
    ["B-2.6-10", notices(1, 2, 3), all, "CPE 1"],
    ["B-2.6-11", notices(1, 2, 3), ["popAlarmMsg", "clientAlarmMsg"], "POP 2"],
  ] as const)("%s: open with the first that has items", (_, given, codes, name) => {
    const html = panel(given, codes);
    expect(active(html)).toBe(name);
    expect(openingTab(lists(given, codes))).not.toBeNull();
  });
});

describe("a list", () => {
  const items = (html: string) => html.split("<li>").length - 1;

  it("B-2.6-12, B-2.6-13: has ten items and the total of all", () => {
    const html = panel(notices(25, 0, 0));
    expect([items(html), tabs(html)[0]]).toEqual([10, "CPE 25"]);
  });

  it("B-2.6-14: has all of them when they are few", () => {
    const html = panel(notices(3, 0, 0));
    expect([items(html), tabs(html)[0]]).toEqual([3, "CPE 3"]);
  });

  it("B-2.6-15: counts for the bell as far as it is permitted", () => {
    expect(totalOf(lists(notices(25, 0, 4)))).toBe(29);
    expect(totalOf(lists(notices(25, 9, 4), ["cpeAlarmMsg"]))).toBe(25);
  });

  const date = (at: Date) => {
    const two = (value: number) => String(value).padStart(2, "0");
    return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  };

  it.each([
    ["B-2.6-16", notices(1, 0, 0), "A1"],
    ["B-2.6-17", notices(0, 1, 0), "P1"],
    ["B-2.6-18", notices(0, 0, 1), "C1"],
  ] as const)("%s: shows the name and the date", (_, given, name) => {
    const html = panel(given);
    expect(html).toContain(`>${name}</a>`);
    expect(html).toContain(date(soon));
  });

  it("B-2.6-19, B-2.6-20: shows past dates as expired in red and coming ones as due in amber", () => {
    const past = panel(notices(1, 0, 0, gone));
    const due = panel(notices(1, 0, 0, soon));
    expect(past).toMatch(/class="[^"]*past[^"]*">已到期/);
    expect(due).toMatch(/class="[^"]*due[^"]*">到期时间/);
    expect([isPast(gone), isPast(soon)]).toEqual([true, false]);
  });
});

it("a link has the name as its key, or the number of a state", () => {
  expect(itemLink("cpe", "A&B=1/2")).toBe("/sdwan-system/cpe?key=A%26B%3D1%2F2");
  expect(itemLink("cpe", "4")).toBe("/sdwan-system/cpe?alias=4");
  expect(stateLink("client", 4)).toBe("/sdwan-system/mobileTerminal/account?key=4");
});
