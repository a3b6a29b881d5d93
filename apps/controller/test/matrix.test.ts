/** Zero leaks over all that is mounted; and a leak that is planted is found by the same battery. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allEndpoints } from "@weft/contract/all-endpoints.ts";
import { policyFamilies } from "@weft/contract/domains/policies/policy-families.ts";
import * as codec from "@weft/contract/kernel/codec.ts";
import { endpoint, nothing } from "@weft/contract/kernel/endpoint.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Context } from "#kernel/api.ts";
import { mount } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import { inCallerScope } from "#kernel/scope.ts";
import { testApi } from "./api.ts";
import { type Cell, matrixSummary, matrixText, runMatrix } from "./matrix.ts";

const guarded = allEndpoints.filter(({ auth }) => auth === "session");
const resultFile = join(import.meta.dirname, "../../../build/tenant-matrix.txt");

/** Calls that answer out of the store of measures alone. */
const measured = (area: string, ...names: string[]) =>
  names.map((name) => [`${area}.${name}`, "needs the store of measures (flow-log.test.ts)"]);
const flowCalls = "cpebyte cardlist cardflow cpe2cpe cpe2pop urlpage sessionpage".split(" ");
const logCalls = ["appRank", "userRank", "appAlarmRank", "urlAlarmRank", "urlVisitLog", "con"];

/** Why the call with own rows alone is not done here; tests of their own do it. */
const ownElsewhere: Readonly<Record<string, string>> = {
  "routerUrlgroup.remove": "rules that were added name the own group (policy.test.ts)",
  "routerUrlgroup.manage.remove": "rules that were added name the own group (policy.test.ts)",
  "routerBandwidthpipe.remove": "policies that were added name the own pipe (policy.test.ts)",
  "routerBandwidthpipe.manage.remove": "policies that were added name it (policy.test.ts)",
  "claim.add": "needs the address that a gateway announces (enrol.test.ts)",
  "nodeState.retry": "needs a state that a device reverted (delivery.test.ts)",
  "task.cancel": "a delivery cannot be cancelled (worker.test.ts)",
  "enterprise.edit": "the caller's own enterprise cannot be its own parent (enterprise.test.ts)",
  "enterprise.remove": "the caller's own enterprise has people in it (enterprise.test.ts)",
  "pop.remove": "the own POP is in the space that netSpace.add made (resources.test.ts)",
  "role.remove": "the own role is that of the own key (role.test.ts)",
  "apiKey.add": "needs a role that its maker may hand out (api-key.test.ts)",
  "apiKey.edit": "needs a role that its maker may hand out (api-key.test.ts)",
  "auth.sysSearchRelEdit": "is for the own account only (saved-columns.test.ts)",
  "popStrategy.remove":
    "the own strategy is used by the caller's own enterprise (resources.test.ts)",
  "enterprise.charge": "no one recharges the caller's own enterprise (ledger.test.ts)",
  "enterpriseReport.line": "needs the store of measures (enterprise-report.test.ts)",
  "cpeReport.line": "needs the store of measures (measure.test.ts)",
  "cpeReport.performance": "needs the store of measures (measure.test.ts)",
  "link.report": "needs the store of measures (measure.test.ts)",
  "cpe.remove": "the own CPE is an end of the own circuit (resources.test.ts)",
  "link.add": "needs lines that can be called (link.test.ts)",
  "link.remove": "needs a link of which someone said something (link.test.ts)",
  "xwanCircuit.report": "needs the store of measures (circuit.test.ts)",
  "xwanCircuit.reportAll": "needs the store of measures (circuit.test.ts)",
  "xwanCircuit.reportByEnterprise": "needs the store of measures (circuit.test.ts)",
  "xwanCircuit.byteListByGroup": "needs the store of measures (circuit.test.ts)",
  "xwanSpeedDefine.import": "needs a file (xwan-speed.test.ts)",
  "xwanSpeedDefine.remove": "the own definition went with its profile (resources.test.ts)",
  "vbrTable.remove": "the own row went with its node (resources.test.ts)",
  "vbrNode.audit": "needs a judgement (vbr-node.test.ts)",
  ...Object.fromEntries([
    ...measured("log.flow", ...flowCalls),
    ...measured("cklog.flow", ...flowCalls),
    ...measured("cpeLog", ...logCalls, "session"),
    ...measured("popLog", ...logCalls),
    ...measured("cpeReport", "detail", "flow", "fourG", "armFlow", "armPerformance", "lineTable"),
    ...measured("clientReport", "flow", "performance"),
  ]),
  "availability.find": "needs a kind and a range (availability.test.ts)",
  "brand.getByGroupId": "needs an agent (brand.test.ts)",
  "brand.edit": "needs an agent (brand.test.ts)",
  "brand.editImage": "needs an agent and a file (brand.test.ts)",
  "brand.removeImage": "needs an agent (brand.test.ts)",
  "alarmStrategy.share": "needs a flag (alarm.test.ts)",
  "clientConfig.edit": "needs a space with the own POP in it (client-config.test.ts)",
  "account.editKey": "needs a pool of addresses (client-config.test.ts)",
  "account.import": "needs a file (mobile-account.test.ts)",
  "account.editPass": "needs a password (mobile-account.test.ts)",
  "account.batchExpire": "needs a moment (mobile-account.test.ts)",
  "routerTemplate.issue": "needs a CPE in the template (router-template.test.ts)",
  "nodeState.goBack": "needs a state that a device confirmed (restore.test.ts)",
  "nodeState.release": "needs a node that is held at a state (restore.test.ts)",
  "nodeState.send": "needs a state that was held for approval (history.test.ts)",
  "nodeState.drift": "needs a device (command.test.ts)",
  "cpe.emailSend": "needs the address that a gateway announces (site.test.ts)",
  "cpe.unbind": "needs a device that is bound (site.test.ts)",
  "cpe.reboot": "needs a device (command.test.ts)",
  "router.iniPing": "needs a device (command.test.ts)",
  "common.commonHttp": "needs a device (command.test.ts)",
  "common.commonPostHttp": "needs a device (command.test.ts)",
  "common.commonGetHttp": "needs a device (command.test.ts)",
  "common.commonHttpFileImport": "needs a device (command.test.ts)",
  "dnsmasq.importData": "needs a file (site.test.ts)",
  "firmwareTask.add": "needs a device that can (resources.test.ts)",
  "firmwareTask.edit": "needs a device that can (resources.test.ts)",
  "cpeArea.edit": "the caller's own area cannot be below itself (site.test.ts)",
  "cpe.insert": "needs a serial number of its own (site.test.ts)",
  "cpe.addChild": "needs a serial number of its own (site.test.ts)",
  "cpe.editCugConfig": "needs a bandwidth (site.test.ts)",
  "top.lineHistoryInfo": "needs the store of measures (site.test.ts)",
  "top.DateInfo": "needs a date (site.test.ts)",
  "cpeArea.add": "needs a name (site.test.ts)",
  "demonstration.leave": "is the first administrator's (e2e/start.test.ts)",
  "factor.totpConfirm": "needs a code of the app (factors.test.ts)",
  "factor.totpRemove": "needs a confirmed app (factors.test.ts)",
  "factor.passkeyBegin": "needs a host name in the address (e2e/login.test.ts)",
  "factor.passkeyAdd": "needs a browser with a passkey (e2e/login.test.ts)",
  "factor.passkeyRemove": "needs a passkey (e2e/login.test.ts)",
  "factor.recoveryRenew": "needs MFA (factors.test.ts)",
  "user.endSession": "names a session, which is no row (factors.test.ts)",
  "message.getById": "the own message is that of the own user's person (message.test.ts)",
  "message.read": "the own message is that of the own user's person (message.test.ts)",
  "message.remove": "the own message is that of the own user's person (message.test.ts)",
  "auth.editPassword": "is for the own account only (session.test.ts)",
  ...Object.fromEntries(
    ["Enable", "Config", "Reboot", "Join", "Move", "Remove"].map((verb) => [
      `cpe.batch${verb}`,
      "the own CPE is not in the caller's own area, a filter (batch.test.ts)",
    ]),
  ),
  "account.batchEnd": "needs a moment (batch.test.ts)",
  "account.batchRemove": "the own account is gone by then (batch.test.ts)",
  ...Object.fromEntries(
    ["getById", "items", "export", "cancel"].map((verb) => [
      `batch.${verb}`,
      "the own batch is that of the own user's person (batch.test.ts)",
    ]),
  ),
  ...Object.fromEntries(
    policyFamilies
      .flatMap(({ template, manage }) => [template.importable, manage.importable])
      .flatMap((one) => (one ? [[one.id, "needs a file (take-in.test.ts)"]] : [])),
  ),
};

describe("what is mounted", () => {
  let cells: Cell[] = [];
  beforeAll(async () => {
    const api = await testApi();
    cells = await runMatrix(api).finally(() => api.close());
    mkdirSync(join(resultFile, ".."), { recursive: true });
    writeFileSync(resultFile, matrixText(cells));
    console.log(matrixSummary(cells));
  }, 1_200_000);

  test.each(guarded.map(({ id, successCode }) => [id, successCode] as const))(
    "endpoints:%s answers for a stranger's row as for none, in every role and scope",
    (id, successCode) => {
      const own = cells.filter((cell) => cell.endpoint === id);
      expect(new Set(own.map(({ roleType }) => roleType)).size).toBe(3);
      expect(new Set(own.map(({ dataScope }) => dataScope)).size).toBe(4);
      expect(own.filter(({ leaks }) => leaks.length > 0)).toEqual([]);
      const answers = own.filter(({ field }) => field === "").map((cell) => cell.own);
      if (!Object.hasOwn(ownElsewhere, id)) expect(answers).toContain(successCode);
    },
  );

  test("B-6-27: no id of another enterprise is read, edited or removed", () => {
    const pairs = cells.filter(({ foreign }) => foreign !== null);
    expect(pairs.length).toBeGreaterThan(500);
    expect(pairs.filter(({ leaks }) => leaks.length > 0)).toEqual([]);
  });
});

describe("planted leaks are found:", () => {
  const spec = { method: "GET", input: z.object({ id: codec.id }), may: null } as const;
  const named = z.object({ name: z.string() });
  const telling = endpoint({
    ...spec,
    id: "cpe.telling",
    path: "/customer/t/telling",
    output: named,
  });
  const hinting = endpoint({
    ...spec,
    id: "cpe.hinting",
    path: "/customer/t/hinting",
    output: nothing,
  });
  const listing = endpoint({
    ...spec,
    method: "POST",
    id: "cpe.listing",
    path: "/customer/t/listing",
    input: z.object({ ids: codec.someIds }),
    output: nothing,
  });
  const whole = { whole: "a leak planted by a test", unaudited: "a test" };
  const anyNode = ({ db }: Context, id: number) =>
    db.selectFrom("node").select("name").where("id", "=", id).executeTakeFirst();
  const ownNode = ({ db, caller }: Context, id: number) =>
    db
      .selectFrom("node")
      .select("id")
      .where("id", "=", id)
      .where(inCallerScope({ caller }, "enterprise_id"))
      .executeTakeFirst();

  let cells: Cell[] = [];
  beforeAll(async () => {
    const api = await testApi((app) => {
      // Forgets the scope, and reads whatever row is named.
      mount(
        app,
        telling,
        async ({ id }, ctx) => (await anyNode(ctx, id)) ?? refuse("notFound"),
        whole,
      );
      // Gives nothing away but that the row exists.
      mount(
        app,
        hinting,
        async ({ id }, ctx) => refuse((await anyNode(ctx, id)) ? "conflict" : "notFound"),
        whole,
      );
      // Looks at the first id of a list only.
      mount(
        app,
        listing,
        async ({ ids }, ctx) => ((await ownNode(ctx, ids[0] ?? 0)) ? null : refuse("notFound")),
        whole,
      );
    });
    cells = await runMatrix(api, ({ path }) => path.startsWith("/customer/t/")).finally(() =>
      api.close(),
    );
  }, 300_000);
  const leaksOf = (id: string) =>
    cells.filter(({ endpoint: one }) => one === id).flatMap(({ leaks }) => leaks);

  test("a stranger's row in an answer", () => {
    expect(leaksOf("cpe.telling")).toContain("foreign: names a stranger's row");
  });
  test("an answer that differs for a row that is there", () => {
    expect(leaksOf("cpe.hinting").join()).toMatch(/^foreign: .*412.*but absent .*404/);
  });
  test("a stranger's id behind an own one in a list", () => {
    expect(leaksOf("cpe.listing")).toContain("mixed: was done");
  });
});
