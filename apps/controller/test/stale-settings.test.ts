/**
 * Settings that one call reads and another writes as a whole, so the second of two who edit them learns who changed
 * what, as with rows (stale-edits.test.ts), and a write of something existing without a version has a reason.
 */
import { allEndpoints, allResources } from "@weft/contract/all-endpoints.ts";
import {
  cfgInit,
  cpeCfgAdd,
  cpeCfgEditXwan,
  popCfg,
  popCfgEdit,
} from "@weft/contract/domains/devices/cpe-config.ts";
import { brandEdit, brandGet } from "@weft/contract/domains/enterprises/brand.ts";
import {
  enterpriseInfoEdit,
  enterpriseInfoGet,
} from "@weft/contract/domains/enterprises/enterprise.ts";
import {
  paramConfigEdit,
  paramConfigGet,
} from "@weft/contract/domains/enterprises/param-config.ts";
import { clientConfigEdit, clientConfigGet } from "@weft/contract/domains/mobile/client-config.ts";
import {
  defaultClasses,
  trafficClassEdit,
  trafficClassGet,
} from "@weft/contract/domains/overlay/traffic-class.ts";
import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import type { AnyResource } from "@weft/contract/kernel/resource.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testApi } from "./api.ts";
import { makeTenant, type Tenant } from "./tenants.ts";

const api = await testApi();
let admin: string;
let home: Tenant;
beforeAll(async () => {
  admin = await api.logIn("admin");
  home = await makeTenant(api, admin, "home");
}, 120_000);
afterAll(() => api.close());

type Wire = Record<string, unknown>;
interface Settings {
  readonly read: Endpoint;
  readonly edit: Endpoint;
  /** Which, for the read and the edit. */
  of(): Wire;
  /** Where in the answer they are; absent: it is them. */
  readonly at?: string;
  /** Two fields with values that they do not have. */
  readonly one: Wire;
  readonly other: Wire;
}

const plainParams = { expireNoticeDays: 30, timezone: "Asia/Shanghai", logDays: 180 };
const noService = { enable: 0, routes: "", allowTerminalTypes: "" };
const { transactionalJitter: _, bulkDelay: __, bulkJitter: ___, ...limited } = defaultClasses;
const classes = { ...limited, enable: 1 };
const noPlace = { provice: "", city: "", region: "", contact: "" };
const settings: readonly Settings[] = [
  {
    read: paramConfigGet,
    edit: paramConfigEdit,
    of: () => ({ groupid: home.ids.groupid }),
    one: { ...plainParams, logDays: 90 },
    other: { ...plainParams, expireNoticeDays: 7 },
  },
  {
    read: brandGet,
    edit: brandEdit,
    of: () => ({ groupid: 1 }),
    one: { name: "Weft North" },
    other: { color: "green" },
  },
  {
    read: clientConfigGet,
    edit: clientConfigEdit,
    of: () => ({ groupid: home.ids.groupid }),
    one: { ...noService, dns: "192.0.2.53" },
    other: { ...noService, serverHost: "vpn.a.com" },
  },
  {
    read: trafficClassGet,
    edit: trafficClassEdit,
    of: () => ({ groupid: home.ids.groupid }),
    one: { ...classes, bulkLoss: 20 },
    other: { ...classes, realtimeDscp: "EF" },
  },
  {
    read: popCfg,
    edit: popCfgEdit,
    of: () => ({ popId: home.ids.popId }),
    one: { mtu: 1_300 },
    other: { szCrontab: "30 3 * * *" },
  },
  {
    read: cfgInit,
    edit: cpeCfgAdd,
    at: "cpeConfig",
    of: () => ({ cpeId: home.ids.cpeId }),
    one: { mtu: 1_300 },
    other: { ssid: "guests" },
  },
  {
    read: cfgInit,
    edit: cpeCfgEditXwan,
    at: "cpeConfig",
    of: () => ({ cpeId: home.ids.cpeId }),
    one: { mtu: 1_310 },
    other: { ssid: "staff" },
  },
  {
    read: enterpriseInfoGet,
    edit: enterpriseInfoEdit,
    of: () => ({}),
    one: { ...noPlace, contact: "one" },
    other: { ...noPlace, email: "other@example.com" },
  },
];

describe.each(settings.map((setting) => [setting.edit.id, setting] as const))("%s", (_, given) => {
  const { read, edit, at, one, other } = given;
  const readNow = async (): Promise<Wire> => {
    const { data } = await api.get(read.path, given.of(), admin);
    return (at === undefined ? data : (data as Wire)[at]) as Wire;
  };
  const save = (fields: Wire) => api.post(edit.path, { ...given.of(), ...fields }, admin);

  test("refuses an edit of settings that changed since they were read, and names user and fields", async () => {
    const { rowVersion } = await readNow();
    expect(rowVersion).toMatch(/^\d+(?:-\d)?$/);
    expect(await save({ ...one, rowVersion })).toMatchObject({ code: 0 });
    const now = await readNow();
    const stale = await save({ ...other, rowVersion });
    expect(stale).toMatchObject({ code: 412, data: { rowVersion: now.rowVersion } });
    expect(stale.msg).toContain("admin");
    expect(await readNow()).toEqual(now);
    expect(await save({ ...other, rowVersion: now.rowVersion })).toMatchObject({ code: 0 });
    // The wire format of the specification has no versions: without one the last write wins.
    expect(await save(one)).toMatchObject({ code: 0 });
  });
});

/** Writes of something existing that take no version, with the reason. */
const oneValue = "sets one value, which its caller has just selected";
const image = "replaces a picture as a whole";
const many = "sets one value or the given ones on several rows";
const lastWins = "few values of one dialog; the last write wins (docs/architecture.md)";
const unversioned: Readonly<Record<string, string>> = {
  "account.editEnable": many,
  "account.editKey": oneValue,
  "account.editPass": oneValue,
  "auth.editPassword": "needs the old password",
  "auth.sysSearchRelEdit": "columns of the caller's own lists",
  "brand.editImage": image,
  "cpe.batchEditXwan": many,
  "cpe.editCTGConfig": oneValue,
  "cpe.editCugConfig": oneValue,
  "cpe.editStandby": lastWins,
  "cpe.saveXwanUserEnable": many,
  "cpe.saveXwanUserEnableCug": lastWins,
  "cpeArea.edit": lastWins,
  "cpePorts.edit": lastWins,
  "enterprise.editCTGConfig": oneValue,
  "enterprise.editConfig": oneValue,
  "enterprise.editEn": oneValue,
  "enterprise.editStrategy": lastWins,
  "lansection.enableForwardSaveCpeid": many,
  "lansection.enableRedirectSaveCpeid": many,
  "link.edit": lastWins,
  "role.saveDataScope": lastWins,
  "role.saveMenus": oneValue,
  "user.editEnable": oneValue,
};

test("every call that edits something existing takes its version, or has a reason", () => {
  const ofResources = new Set(
    (Object.values(allResources) as AnyResource[]).flatMap(
      ({ ops }) => Object.values(ops) as Endpoint[],
    ),
  );
  const edits = allEndpoints.filter(
    (endpoint) =>
      endpoint.method === "POST" && !ofResources.has(endpoint) && /edit|save/i.test(endpoint.id),
  );
  const takesNone = edits.filter(
    ({ input }) => !("rowVersion" in ((input as { shape?: object }).shape ?? {})),
  );
  expect(takesNone.map(({ id }) => id).sort()).toEqual(Object.keys(unversioned).sort());
});
