import {
  alarmEventGroups,
  alarmEventList,
} from "@weft/contract/domains/notifications/alarm-event.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { expect, test } from "vitest";
import { type Known, known, renderForTest } from "#client/render-for-test.tsx";
import AlarmsPage from "./alarms-page.tsx";

const group: OutputOf<typeof alarmEventGroups>[number] = {
  id: "carrier",
  kind: "carrier",
  tone: "warn",
  state: null,
  detail: {},
  popId: 3,
  popName: "上海-01",
  isp: "联通",
  sites: 2,
  enterprises: 1,
  named: [],
  links: 4,
  loss: 6.2,
  since: new Date(0),
  content: "",
  level: 2,
  alarmIds: [1, 2, 3],
  waiting: 3,
  owners: [],
  ownerId: null,
  until: null,
  notes: [],
  snoozeKey: "carrier",
};
const query = { name: null, level: null, handled: null, owner: null, page: 1 };
const groups = (count: number): Known => ({
  key: known(alarmEventGroups, { ...query, view: null, limit: 10 }, []).key,
  answer: { data: count === 0 ? [] : [group], count },
});
const alarms: Known = {
  key: known(
    alarmEventList,
    {
      ...query,
      cpeId: null,
      popId: null,
      ids: null,
      view: "active",
      metric: null,
      active: null,
      startTime: null,
      endTime: null,
      limit: 1,
      orderByColumn: null,
      isAsc: null,
    },
    [],
  ).key,
  answer: { data: [], count: 24 },
};
const countIn = (html: string): string | undefined =>
  /class="w-page-count">([^<]*)</.exec(html)?.[1];

test("the inbox counts groups, and alarms as the menu does", () => {
  expect(countIn(renderForTest(<AlarmsPage />, [], [groups(6), alarms]))).toBe("6 组，24 条告警");
});

test("it gives no number while one of them is not known, and none twice where there is nothing", () => {
  expect(countIn(renderForTest(<AlarmsPage />, [], [groups(6)]))).toBe("");
  expect(countIn(renderForTest(<AlarmsPage />, [], [groups(0)]))).toBe("0");
});
