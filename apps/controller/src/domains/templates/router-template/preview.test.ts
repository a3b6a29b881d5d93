/** What an operator sees of an issue before it goes out is what it comes to when it does. */
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import {
  routerTemplate,
  routerTemplateIssue,
  routerTemplateLogList,
  routerTemplatePreview,
  routerTemplateRelAdd,
} from "@weft/contract/domains/templates/router-template.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LoopWorld, loopWorld } from "../../../../test/loop-world.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

type Preview = OutputOf<typeof routerTemplatePreview>;

let world: LoopWorld;
beforeAll(async () => {
  world = await loopWorld();
  await world.startWorker();
}, 60_000);
afterAll(() => world.close());

const get = async <Data>(path: string, query: object): Promise<Data> => {
  const answer = await world.api.get(path, query, world.admin);
  expect(answer).toMatchObject({ code: 0 });
  return answer.data as Data;
};
const previewOf = (templateId: number, more: object = {}) =>
  get<Preview>(routerTemplatePreview.path, { templateId, ...more });
const able = (...families: string[]) =>
  ["wireguard.kernel", ...families.map((family) => `policy.${family}`)].map((name) => ({
    name,
    can: true,
    reason: null,
  }));
async function cpe(...can: string[]): Promise<number> {
  const site = await world.addSite();
  await world.addLan(site, site.id);
  const edge = await world.enrolled(site);
  const line = await edge.connect();
  line.send(edge.report({ capabilities: able(...can) }));
  await expect
    .poll(async () => (await world.stateOf(site.id)).capabilities.length)
    .toBe(1 + can.length);
  return site.id;
}
const limit = { enable: 1, ipgroupId: "", maxConnections: 100, maxNewPerSecond: "" };

test("groups CPEs by what the issue comes to, and writes nothing; the issue then comes to that", async () => {
  const [one, two, unable] = [
    await cpe("routerConnlimit"),
    await cpe("routerConnlimit"),
    await cpe(),
  ];
  const { id: absent } = await world.addSite();
  await world.addLan({ id: absent }, absent);
  const fields = { templateName: "shops", remark: "" };
  const templateId = newIdOf(await world.post(routerTemplate.ops.add.path, fields));
  const cpeIds = [one, two, unable, absent].join();
  await world.post(routerTemplateRelAdd.path, { templateId, cpeIds });
  const { path = "" } = policyFamily("routerConnlimit").template.resource.ops.add ?? {};
  const id = newIdOf(await world.post(path, { templateId, remark: "", name: "guests", ...limit }));

  const preview = await previewOf(templateId);
  expect(preview).toMatchObject({ version: 1, cpes: 4 });
  const shown = preview.groups.map(({ cpes, isKnown, cannot, findings, differences }) => ({
    ids: cpes.map(({ id }) => id),
    isKnown,
    cannot,
    reasons: findings.map(({ name, reason }) => `${name} ${reason}`),
    changes: differences.map(({ change, kind, key }) => `${change} ${kind} ${key}`),
  }));
  const changes = ["added routerConnlimit guests"];
  expect(shown).toEqual([
    {
      ids: [one, two],
      isKnown: true,
      cannot: 0,
      reasons: [],
      changes: [...changes, `added connectionLimit ${id}`],
    },
    { ids: [unable], isKnown: true, cannot: 1, reasons: ["guests notCarriedOut"], changes },
    { ids: [absent], isKnown: false, cannot: 0, reasons: [], changes },
  ]);
  expect(await get(routerTemplateLogList.path, { templateId })).toEqual([]);

  // Page by page the same groups come, by the same keys.
  const pages = [
    await previewOf(templateId, { page: 1, limit: 1 }),
    await previewOf(templateId, { page: 2, limit: 1 }),
  ];
  expect(pages.map(({ cpes }) => cpes)).toEqual([4, 4]);
  const keys = pages.map(({ groups }) => groups.map(({ key }) => key));
  expect(keys).toEqual([[preview.groups[0]?.key], [preview.groups[0]?.key]]);

  // Published, nothing is left to change; a LAN of one CPE alone is no part of it.
  await get(routerTemplateIssue.path, { templateId });
  const ids = { groupid: 1, cpeId: one, popId: 0 };
  const lan = { network: "10.81.1.1/24", network6: "" };
  await world.post(lanSection.ops.add.path, wireDraft("lansection", "valid", ids, lan));
  const after = await previewOf(templateId);
  expect(after.version).toBe(2);
  expect(after.groups.map(({ count }) => count)).toEqual([0, 0, 0]);
  expect(after.groups.map(({ cannot }) => cannot)).toEqual([0, 1, 0]);
});

test("refuses what the issue refuses: a template that is not the caller's", async () => {
  const answer = await world.api.get(
    routerTemplatePreview.path,
    { templateId: 987_654 },
    world.admin,
  );
  expect(answer.code).not.toBe(0);
});
