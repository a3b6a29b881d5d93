/** No site of a space attracts or diverts another's traffic, whichever of the two was there first. */
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { routeNotice } from "@weft/contract/domains/overlay/route-notice.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outcome, type People, people } from "./people.ts";
import { newIdOf, wireDraft } from "./tenants.ts";

let all: People;
let count = 0;
beforeAll(async () => {
  all = await people();
}, 60_000);
afterAll(() => all.api.close());

const post = (path: string, draft: object) => all.api.post(path, draft, all.admin);
const ids = (cpeId: number) => ({ groupid: all.agent, cpeId: cpeId || 1, popId: 1 });
async function site(): Promise<{ id: number; name: string }> {
  count += 1;
  const name = `beside-${count}`;
  const draft = wireDraft("cpe", "valid", ids(0), { sn: name.toUpperCase(), alias: name });
  return { id: newIdOf(await post("/customer/cpe/insertNew", draft)), name };
}
const spaceOf = (cpeIds: readonly number[], more: object = {}) => {
  count += 1;
  const fields = { name: `space-${count}`, cpeIds: cpeIds.join(), popIds: "", ...more };
  return wireDraft("netSpace", "valid", ids(0), fields);
};
const notice = (cpeId: number, network: string, more: object = {}) =>
  post(
    "/customer/routeNotice/add",
    wireDraft("routeNotice", "valid", ids(cpeId), { cpeId, network, ...more }),
  );
const route = (cpeId: number, destination: string, more: object = {}) =>
  post(
    "/customer/staticroute/add",
    wireDraft("staticroute", "valid", ids(cpeId), {
      nCpeID: cpeId,
      destination,
      nextHop: "10.250.0.254",
      announce: 0,
      ...more,
    }),
  );
const lan = (cpeId: number, network: string, more: object = {}) =>
  post(
    "/customer/lansection/add",
    wireDraft("lansection", "valid", ids(cpeId), {
      network,
      network6: "",
      vlan: 0,
      enableForward: 1,
      ...more,
    }),
  );

/** A notice of the very network that another site announces says how both may. */
const ruleOf: string = expect.stringMatching(/^(overlap|announcedElsewhere)$/);

type Save = (cpeId: number) => Promise<unknown>;
const pairs: [string, string, Save, Save, string][] = [
  [
    "two notices of one network",
    "10.1.0.0/16",
    (id) => notice(id, "10.1.0.0/16"),
    (id) => notice(id, "10.1.0.0/16"),
    "10.1.0.0/16",
  ],
  [
    "a notice and an announced static route",
    "10.2.0.0/16",
    (id) => notice(id, "10.2.0.0/16"),
    (id) => route(id, "10.2.0.0/16", { announce: 1 }),
    "10.2.0.0/16",
  ],
  [
    "a LAN and a static route by a router of another site",
    "10.3.7.1/24",
    (id) => lan(id, "10.3.7.1/24"),
    (id) => route(id, "10.3.7.0/24"),
    "10.3.7.0/24",
  ],
  [
    "a notice and a LAN around it",
    "10.4.7.0/24",
    (id) => notice(id, "10.4.7.0/24"),
    (id) => lan(id, "10.4.0.1/16"),
    "10.4.0.1/16",
  ],
];

describe.each(pairs)("%s", (_what, network, first, second, other) => {
  test("keep their sites out of one space", async () => {
    const [one, two] = [await site(), await site()];
    for (const saved of [await first(one.id), await second(two.id)]) newIdOf(saved as never);
    const both = await post("/customer/netSpace/add", spaceOf([one.id, two.id]));
    expect(both).toMatchObject({ code: 400, issues: [{ path: "cpeIds", rule: "collision" }] });
    const named = Object.values(both.issues?.[0]?.params ?? {});
    expect(named.sort()).toEqual([one.name, two.name, network, other].sort());
    // One is in: the other does not join.
    const draft = spaceOf([one.id]);
    const id = newIdOf(await post("/customer/netSpace/add", draft));
    const joined = await post("/customer/netSpace/edit", {
      ...draft,
      id,
      cpeIds: `${one.id},${two.id}`,
    });
    expect(joined).toMatchObject({ code: 400, issues: [{ path: "cpeIds", rule: "collision" }] });
  });

  test("are not saved in one space, in either order", async () => {
    for (const [earlier, later] of [
      [first, second],
      [second, first],
    ] as const) {
      const [one, two] = [await site(), await site()];
      newIdOf(await post("/customer/netSpace/add", spaceOf([one.id, two.id])));
      newIdOf((await earlier(one.id)) as never);
      expect(await later(two.id)).toMatchObject({
        code: 400,
        issues: [{ rule: ruleOf, params: { other: one.name } }],
      });
    }
  });

  test("at the same moment: one is saved", async () => {
    for (let n = 0; n < 5; n += 1) {
      const [one, two] = [await site(), await site()];
      newIdOf(await post("/customer/netSpace/add", spaceOf([one.id, two.id])));
      const answers = (await Promise.all([first(one.id), second(two.id)])) as { code: number }[];
      expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    }
  });
});

test("a segment is not switched into a space that has its network", async () => {
  const [one, two] = [await site(), await site()];
  const section = newIdOf(await lan(two.id, "10.5.7.1/24", { enableForward: 0 }));
  newIdOf(await post("/customer/netSpace/add", spaceOf([one.id, two.id])));
  newIdOf(await notice(one.id, "10.5.7.0/24"));
  const carried = { nCpeID: two.id, ids: section, enableForward: 1 };
  expect(await post("/customer/lansection/enableForwardSaveCpeid", carried)).toMatchObject({
    code: 400,
    issues: [{ path: "ids", rule: "overlap", params: { other: one.name } }],
  });
});

test("what is disabled takes nothing, until it is enabled", async () => {
  const [one, two] = [await site(), await site()];
  newIdOf(await post("/customer/netSpace/add", spaceOf([one.id, two.id])));
  newIdOf(await notice(one.id, "10.6.0.0/16"));
  const draft = wireDraft("routeNotice", "valid", ids(two.id), {
    cpeId: two.id,
    network: "10.6.0.0/16",
    enable: 0,
  });
  const id = newIdOf(await post("/customer/routeNotice/add", draft));
  expect(await post("/customer/routeNotice/edit", { ...draft, id, enable: 1 })).toMatchObject({
    code: 400,
    issues: [{ path: "network", rule: "announcedElsewhere", params: { other: one.name } }],
  });
});

test("a caller who names a CPE of another tenant gets no information about its space", async () => {
  const [one, two] = [await site(), await site()];
  newIdOf(await post("/customer/netSpace/add", spaceOf([one.id, two.id])));
  newIdOf(await lan(one.id, "10.7.7.1/24"));
  newIdOf(await notice(one.id, "10.7.8.0/24"));
  const may = [lanSection.ops.add.may, staticRoute.ops.add.may, routeNotice.ops.add.may];
  const role = { groupid: all.sister, roleType: 1, dataScope: 3, authorities: may.join() };
  const stranger = await all.person(all.sister, [newIdOf(await all.addRole(all.admin, role))]);
  const drafts = (cpeId: number): [string, object][] => [
    [
      lanSection.ops.add.path,
      wireDraft("lansection", "valid", ids(cpeId), { network: "10.7.0.1/16", enableForward: 1 }),
    ],
    [
      routeNotice.ops.add.path,
      wireDraft("routeNotice", "valid", ids(cpeId), { cpeId, network: "10.7.8.0/24" }),
    ],
    [
      staticRoute.ops.add.path,
      wireDraft("staticroute", "valid", ids(cpeId), {
        nCpeID: cpeId,
        destination: "10.7.7.0/24",
        nextHop: "10.250.0.254",
      }),
    ],
  ];
  const absent = drafts(999_999);
  for (const [at, [path, draft]] of drafts(two.id).entries()) {
    const answer = outcome(await all.api.post(path, draft, stranger.token));
    expect(answer.issues?.map(({ rule }) => rule)).toEqual(["unknown"]);
    expect(answer).toEqual(
      outcome(await all.api.post(path, absent[at]?.[1] ?? {}, stranger.token)),
    );
  }
});

test("a space is edited while its sites get networks: none waits for the other in a circle", async () => {
  for (let n = 0; n < 8; n += 1) {
    const [one, two] = [await site(), await site()];
    const draft = spaceOf([one.id]);
    const id = newIdOf(await post("/customer/netSpace/add", draft));
    const answers = await Promise.all([
      lan(one.id, `10.8.${n}.1/26`),
      post(netSpace.ops.edit.path, { ...draft, id, cpeIds: `${one.id},${two.id}` }),
      lan(one.id, `10.8.${n}.65/26`, { interfaceName: "lan1" }),
      notice(two.id, `10.9.${n}.0/24`),
    ]);
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  }
});

test("rows from before the rule stay editable in all other fields", async () => {
  const [one, two] = [await site(), await site()];
  newIdOf(await post("/customer/netSpace/add", spaceOf([one.id, two.id])));
  newIdOf(await notice(one.id, "10.11.0.0/16"));
  const draft = wireDraft("routeNotice", "valid", ids(two.id), {
    cpeId: two.id,
    network: "10.12.0.0/16",
  });
  const id = newIdOf(await post(routeNotice.ops.add.path, draft));
  const { db } = all.api.database.pools.owner;
  await sql`alter table weft.route_notice disable trigger user`.execute(db);
  await sql`update weft.route_notice set network = '10.11.0.0/16' where id = ${id}`.execute(db);
  await sql`alter table weft.route_notice enable trigger user`.execute(db);
  const edited = { ...draft, id, network: "10.11.0.0/16", remark: "to be sorted out" };
  expect(await post(routeNotice.ops.edit.path, edited)).toMatchObject({ code: 0 });
  // Once it brings the network no more, it does not bring it again.
  expect(await post(routeNotice.ops.edit.path, { ...edited, enable: 0 })).toMatchObject({
    code: 0,
  });
  expect(await post(routeNotice.ops.edit.path, edited)).toMatchObject({ code: 400 });
});

test("a site that is held at a past state keeps the networks that it gets back at its release", async () => {
  const [one, two] = [await site(), await site()];
  newIdOf(await post("/customer/netSpace/add", spaceOf([one.id, two.id])));
  newIdOf(await lan(one.id, "10.13.7.1/24"));
  const { db } = all.api.database.pools.owner;
  await sql`insert into weft.node_pin (node_id, enterprise_id, epoch, serial, login_name, created_by,
      announced, lans)
    values (${one.id}, ${all.agent}, 1, 1, 'x', 1, array['10.14.0.0/16', '10.15.7.0/24'],
      array['10.15.7.0/24'])`.execute(db);
  // The last two are inside a LAN of the past state, which has no row any more.
  const taken = ["10.13.7.0/24", "10.13.7.128/25", "10.14.0.0/16", "10.15.7.0/24", "10.15.7.9/32"];
  for (const network of taken) {
    expect(await notice(two.id, network)).toMatchObject({
      code: 400,
      issues: [{ rule: ruleOf, params: { other: one.name } }],
    });
    const row = sql`insert into weft.route_notice (enterprise_id, node_id, network, enabled, created_by)
      values (${all.agent}, ${two.id}, ${network}, true, 1)`;
    await expect(row.execute(db)).rejects.toMatchObject({ constraint: "networks_apart" });
  }
});

describe("one network at two sites", () => {
  const network = "10.16.0.0/16";
  const pair = async () => {
    const [one, two] = [await site(), await site()];
    newIdOf(await post("/customer/netSpace/add", spaceOf([one.id, two.id])));
    return [one, two] as const;
  };
  const insert = (nodeId: number, preference: number | null) =>
    sql`insert into weft.route_notice (enterprise_id, node_id, network, enabled, preference, created_by)
      values (${all.agent}, ${nodeId}, ${network}, true, ${preference}, 1)`.execute(
      all.api.database.pools.owner.db,
    );

  test("is announced by both when both have a preference", async () => {
    const [one, two] = await pair();
    newIdOf(await notice(one.id, network, { preference: 1 }));
    newIdOf(await notice(two.id, network, { preference: 2 }));
  });

  test("is refused while one of them has none, by the call and by the database", async () => {
    const [one, two] = await pair();
    const id = newIdOf(await notice(one.id, network, { preference: 1 }));
    const refused = {
      code: 400,
      issues: [
        {
          path: "network",
          rule: "announcedElsewhere",
          params: { other: one.name, value: network },
        },
      ],
    };
    expect(await notice(two.id, network)).toMatchObject(refused);
    await expect(insert(two.id, null)).rejects.toMatchObject({ constraint: "networks_apart" });
    newIdOf(await notice(two.id, network, { preference: 2 }));
    // Nor does the one take back what it said while the other announces it.
    const draft = wireDraft("routeNotice", "valid", ids(one.id), { cpeId: one.id, network });
    expect(await post(routeNotice.ops.edit.path, { ...draft, id, preference: "" })).toMatchObject({
      code: 400,
      issues: [{ path: "network", rule: "announcedElsewhere", params: { other: two.name } }],
    });
    const { db } = all.api.database.pools.owner;
    const taken = sql`update weft.route_notice set preference = null where id = ${id}`.execute(db);
    await expect(taken).rejects.toMatchObject({ constraint: "networks_apart" });
  });

  test("is refused as a LAN of one of them, and as a route of a site that does not announce it", async () => {
    const [one, two] = await pair();
    newIdOf(await notice(one.id, network, { preference: 1 }));
    expect(await lan(two.id, "10.16.0.1/16")).toMatchObject({ code: 400 });
    expect(await route(two.id, network)).toMatchObject({ code: 400 });
    newIdOf(await notice(two.id, network, { preference: 2 }));
    newIdOf(await route(two.id, network));
    newIdOf(await route(one.id, network));
  });

  test("may be the default, too", async () => {
    const [one, two] = await pair();
    newIdOf(await notice(one.id, "0.0.0.0/0", { preference: 1 }));
    expect(await notice(two.id, "0.0.0.0/0")).toMatchObject({ code: 400 });
    newIdOf(await notice(two.id, "0.0.0.0/0", { preference: 2 }));
  });
});
