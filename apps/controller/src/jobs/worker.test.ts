import type { SpaceSection } from "@weft/contract/device/v1/space.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { holdLock, locks } from "#db/locks.ts";
import { ownWork } from "#db/one-connection.ts";
import { inScope } from "#db/pool.ts";
import { waitingSessions } from "#db/testing.ts";
import { readNamed } from "#domains/delivery/contents/public.ts";
import { createCompiler } from "#domains/delivery/publish/compile-marked.ts";
import { createChangeReader } from "#domains/delivery/publish/read-changes.ts";
import { type TestApi, testApi } from "../../test/api.ts";
import { eventually } from "../../test/loop-world.ts";
import { compileNode } from "../../test/one-node.ts";
import { newIdOf, wireDraft } from "../../test/tenants.ts";
import { expireNodes, sweepStates } from "./housekeeping.ts";
import { startWorker } from "./start.ts";

const logger = pino({ level: "silent" });
let api: TestApi;
let admin: string;
let groupid: number;
let popId: number;
const cpes: number[] = [];
let strangers: number[];
let spaceId: number;

const pools = () => api.database.pools;
const all = <T>(work: Parameters<typeof inScope<never, T>>[2]) =>
  inScope(pools().apiAll as never, { kind: "all" }, work);
const rows = async <Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  all(async (trx) => (await query.execute(trx)).rows);
const run = async (query: ReturnType<typeof sql>): Promise<void> => {
  await rows(query);
};

async function add(path: string, name: Parameters<typeof wireDraft>[0], replaced: object) {
  const draft = wireDraft(name, "valid", { groupid, cpeId: 1, popId: 1 }, replaced);
  return newIdOf(await api.post(path, draft, admin));
}
const addCpe = async (alias: string, more: object = {}) => {
  const id = await add(cpe.ops.add.path, "cpe", { alias, sn: `sn-${alias}`, groupid, ...more });
  await addLine(id, {});
  return id;
};
const addLine = (nodeId: number, more: object) =>
  add(line.ops.add.path, "line", { nodeId, isp: "telecom", reachable: 0, ...more });
const tellKey = (node: number, key: string | null) =>
  run(sql`insert into node_status (node_id, enterprise_id, tunnel_key)
    select id, enterprise_id, ${key} from node where id = ${node}
    on conflict (node_id) do update set tunnel_key = excluded.tunnel_key`);
const key = (text: string): string => Buffer.from(text.padEnd(32, ".")).toString("base64");
const change = (nodes: number[], spaces: number[] = []) =>
  run(sql`insert into change (enterprise_id, node_ids, space_ids, cause, created_by)
    values (${groupid}, ${nodes}::bigint[], ${spaces}::bigint[], 'test', 1)`);

const reader = () => createChangeReader(pools(), logger);
/** All that a worker would do now; gives the nodes that got a new state. */
async function work(): Promise<number[]> {
  const published: number[] = [];
  const changes = reader();
  while ((await changes.run()) > 0);
  const compiler = createCompiler(pools(), logger, (node) => published.push(node));
  while ((await compiler.run()) === 0);
  return published.sort((a, b) => a - b);
}
const marks = () =>
  rows(sql<{ node_id: number; generation: number }>`
    select node_id, generation from compile_mark order by node_id`);
const statesOf = (node: number) =>
  rows(sql<{ serial: number; outcome: string; cause: string; sections: Record<string, string> }>`
    select serial, outcome, cause, sections from node_state where node_id = ${node} order by serial`);
const tasksOf = (node: number) =>
  rows(sql<{ serial: number; status: number }>`
    select serial, status from task where node_id = ${node} order by serial`);
const links = () =>
  rows(sql<{ id: number; a: number; b: number; a_port: number; b_port: number }>`
    select id, a_node_id as a, b_node_id as b, a_port, b_port from link order by id`);

beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  groupid = 1;
  groupid = await add("/customer/enterprise/add", "enterprise", { name: "环球" });
  popId = await add(pop.ops.add.path, "pop", { name: "POP-1", sn: "POP-1", groupid: 1 });
  await addLine(popId, { reachable: 1, ip: "203.0.113.9/24", gateway: "203.0.113.1" });
  for (const alias of ["a", "b", "c"]) cpes.push(await addCpe(alias));
  strangers = [await addCpe("x"), await addCpe("y")];
  spaceId = await add(netSpace.ops.add.path, "netSpace", {
    name: "net",
    groupid,
    topology: 0,
    popIds: String(popId),
    cpeIds: cpes.join(","),
  });
  for (const node of [popId, ...cpes]) await tellKey(node, key(`k${node}`));
  await change([popId, ...cpes]);
  await work();
}, 60_000);
afterAll(() => api.close());
beforeEach(async () => {
  await work();
});

/** Networks that a node keeps inside the space, by its newest state. */
const closedIn = async (node: number): Promise<readonly string[]> => {
  const sections = (await statesOf(node)).at(-1)?.sections ?? {};
  const contents = await readNamed(pools().owner.db, node, sections);
  return (contents.get(`space.${spaceId}`) as SpaceSection | undefined)?.networks ?? [];
};

describe("a change", () => {
  test("of the first day made every node its state and the space its links", async () => {
    expect(await links()).toEqual(cpes.map((id) => expect.objectContaining({ a: id, b: popId })));
    for (const node of [popId, ...cpes, ...strangers]) {
      const newest = (await statesOf(node)).at(-1);
      expect(newest).toMatchObject({ outcome: "waiting" });
      expect(Object.keys(newest?.sections ?? {})).toContain("underlay");
    }
  });

  test("of a site's network concerns all who keep it inside the space, and no one else", async () => {
    const [one = 0] = cpes;
    const draft = wireDraft(
      "lansection",
      "valid",
      { groupid, cpeId: one, popId },
      { network: "10.77.1.1/24" },
    );
    expect(await api.post(lanSection.ops.add.path, draft, admin)).toMatchObject({ code: 0 });
    await reader().run();
    const members = [popId, ...cpes].sort((a, b) => a - b);
    expect((await marks()).map(({ node_id }) => node_id)).toEqual(members);
    expect(await work()).toEqual(members);
    expect((await statesOf(one)).at(-1)).toMatchObject({ cause: "admin: lansection.add" });
    for (const member of members) expect(await closedIn(member)).toContain("10.77.1.0/24");
  });

  test("of which others see nothing concerns its node alone", async () => {
    const [one = 0] = cpes;
    await run(sql`update static_route set metric = metric + 1 where node_id = ${one}`);
    await run(sql`insert into static_route (enterprise_id, node_id, destination, next_hop, metric,
      enabled, announce, remark) values (${groupid}, ${one}, '10.90.0.0/16', '10.77.1.2', 5, true, false, '')`);
    await change([one]);
    await reader().run();
    expect((await marks()).map(({ node_id }) => node_id)).toEqual([one]);
    expect(await work()).toEqual([one]);
  });

  test("that arrives while another is read covers the others as well", async () => {
    const [one = 0] = cpes;
    // The second write is committed before the first change is read: its effect is in the advertisement.
    await run(sql`update static_route set announce = true where node_id = ${one}`);
    await change([one]);
    await change([one]);
    const [first] = await rows(
      sql<{ seq: number }>`select min(seq) as seq from change where not done`,
    );
    await run(sql`update change set done = true where seq > ${first?.seq}`);
    await reader().run();
    expect((await marks()).map(({ node_id }) => node_id).sort()).toEqual([popId, ...cpes].sort());
    await run(sql`update change set done = false where seq > ${first?.seq}`);
    await reader().run();
    const pop = (await marks()).find(({ node_id }) => node_id === popId);
    expect(pop?.generation).toBe(2);
    await work();
    // From here on nothing is new any more.
    await change([one]);
    await reader().run();
    expect((await marks()).map(({ node_id }) => node_id)).toEqual([one]);
  });

  test("that changes no section ends at the compile", async () => {
    const before = await statesOf(popId);
    await change([popId], [spaceId]);
    await reader().run();
    expect(await marks()).toHaveLength(4);
    expect(await work()).toEqual([]);
    expect(await marks()).toEqual([]);
    expect(await statesOf(popId)).toEqual(before);
  });

  test("supersedes what waits: the task of a state that was never sent is cancelled", async () => {
    const [stranger = 0] = strangers;
    await addLine(stranger, { slot: 2, interfaceName: "wan2", name: "two" });
    expect(await work()).toEqual([stranger]);
    const states = await statesOf(stranger);
    expect(states.slice(-2).map(({ outcome }) => outcome)).toEqual(["superseded", "waiting"]);
    expect((await tasksOf(stranger)).slice(-2).map(({ status }) => status)).toEqual([3, 0]);
  });

  test("of a tunnel key makes new links and leaves the others as they are", async () => {
    const before = await links();
    const [one = 0] = cpes;
    await tellKey(one, key("renewed"));
    await change([one]);
    expect(await work()).toEqual([popId, one].sort((a, b) => a - b));
    const after = await links();
    expect(after.filter(({ a }) => a !== one)).toEqual(before.filter(({ a }) => a !== one));
    const [old, now] = [before, after].map((some) => some.find(({ a }) => a === one));
    expect(now?.id).not.toBe(old?.id);
    expect(now?.b_port).not.toBe(old?.b_port);
  });

  test("that takes a site out of service takes its links, and its lines stay", async () => {
    const two = cpes[1] as number;
    const edit = wireDraft(
      "cpe",
      "edited",
      { groupid, cpeId: two, popId },
      { alias: "b", sn: "sn-b", groupid, enable: 0 },
    );
    expect(await api.post(cpe.ops.edit.path, { ...edit, id: two }, admin)).toMatchObject({
      code: 0,
    });
    expect(await work()).toEqual([popId, two].sort((a, b) => a - b));
    expect((await links()).some(({ a }) => a === two)).toBe(false);
    const sections = Object.keys((await statesOf(two)).at(-1)?.sections ?? {});
    // Out of service it is a member all the same, and what hosts send to others stays inside.
    expect(sections.sort()).toEqual(["firewall", "node", `space.${spaceId}`, "static", "underlay"]);
  });

  test("that cannot be worked on holds up no other", async () => {
    // A member that the worker cannot read: the whole space is left as it is.
    const [stranger = 0] = strangers;
    const before = await links();
    await pools().owner.pg.query(`create policy hidden on weft.node as restrictive
      for select to ${pools().worker.name} using (id <> ${cpes[2]})`);
    try {
      await change([], [spaceId]);
      await change([stranger]);
      const changes = reader();
      expect(await changes.run()).toBe(1);
      expect((await marks()).map(({ node_id }) => node_id)).toEqual([stranger]);
      expect(await changes.run()).toBe(0);
      expect(await links()).toEqual(before);
    } finally {
      await pools().owner.pg.query("drop policy hidden on weft.node");
    }
    expect(await reader().run()).toBe(1);
  });
});

describe("a compile", () => {
  test("that cannot read a peer publishes nothing, and is made up for", async () => {
    const before = await statesOf(popId);
    await run(sql`update lan_section set network = '10.78.1.1/24' where node_id = ${cpes[0]}`);
    await change([popId]);
    await reader().run();
    await pools().owner.pg.query(`create policy hidden on weft.node as restrictive
      for select to ${pools().worker.name} using (id <> ${cpes[2]})`);
    try {
      await expect(compileNode(pools(), popId)).rejects.toThrow("not readable");
    } finally {
      await pools().owner.pg.query("drop policy hidden on weft.node");
    }
    expect(await statesOf(popId)).toEqual(before);
    expect((await marks()).map(({ node_id }) => node_id)).toContain(popId);
    expect(await work()).toContain(popId);
    expect(await statesOf(popId)).toHaveLength(before.length + 1);
  });

  test("loses no edit that comes while it runs", async () => {
    const [stranger = 0] = strangers;
    const serial = (await statesOf(stranger)).at(-1)?.serial ?? 0;
    const rename = (name: string) =>
      run(sql`update line set interface_name = ${name} where node_id = ${stranger} and slot = 4`);
    await rename("eth7");
    await change([stranger]);
    await reader().run();
    // The compile has read everything and waits before its last write.
    const blocker = await pools().owner.pg.connect();
    await blocker.query("begin; lock table weft.task in exclusive mode");
    const compiled = compileNode(pools(), stranger);
    try {
      await eventually(async () => {
        const { rows } = await blocker.query(waitingSessions);
        return rows[0]?.n > 0;
      }, "the compile waits");
      await rename("eth8");
      await change([stranger]);
      await reader().run();
      expect(await marks()).toEqual([{ node_id: stranger, generation: 2 }]);
      expect(await compileNode(pools(), stranger)).toBe("busy");
    } finally {
      await blocker.query("commit");
      blocker.release();
    }
    expect(await compiled).toBe("published");
    expect(await marks()).toEqual([{ node_id: stranger, generation: 2 }]);
    expect(await work()).toEqual([stranger]);
    expect((await statesOf(stranger)).slice(-2).map((state) => state.serial)).toEqual([
      serial + 1,
      serial + 2,
    ]);
    const [content] = await rows(sql<{ name: string }>`
      select content->'lines'->-1->>'interfaceName' as name from state_section s
      join node_state n on n.node_id = s.node_id and n.sections->>'underlay' = s.hash
      where n.node_id = ${stranger} and n.serial = ${serial + 2}`);
    expect(content?.name).toBe("eth8");
  });

  test("of a node that is gone ends quietly", async () => {
    expect(await compileNode(pools(), 987_654)).toBe("gone");
  });
});

describe("workers", () => {
  test("share the work, and a new one continues where one ended", async () => {
    const serial = async () => (await statesOf(strangers[1] as number)).at(-1)?.serial ?? 0;
    const before = await serial();
    const first = await startWorker({ pools: pools(), vault: api.app.weft.vault, logger });
    await first.close();
    await run(sql`update node set remark = 'moved', name = 'moved' where id = ${strangers[1]}`);
    await change([strangers[1] as number]);
    // Of two that come to one node at the same moment the one that finds it locked leaves it to its next turn.
    const both = await Promise.all(
      [1, 2].map(() => startWorker({ pools: pools(), vault: api.app.weft.vault, logger })),
    );
    try {
      await eventually(async () => (await serial()) === before + 1, "the state");
      expect(both.every((worker) => worker.ready())).toBe(true);
    } finally {
      for (const worker of both) await worker.close();
    }
  });

  test("read changes when they are notified of one", async () => {
    const serial = async () => (await statesOf(strangers[1] as number)).at(-1)?.serial ?? 0;
    const before = await serial();
    // It reads nothing by itself while the test runs.
    const worker = await startWorker({
      pools: pools(),
      vault: api.app.weft.vault,
      logger,
      pollMs: 3_600_000,
    });
    try {
      await run(sql`update node set name = 'again' where id = ${strangers[1]}`);
      await change([strangers[1] as number]);
      await pools().apiAll.pg.query("notify weft_change");
      await eventually(async () => (await serial()) === before + 1, "the state");
    } finally {
      await worker.close();
    }
  });
});

describe("a reader beside one that reads", () => {
  test("neither waits nor fails, and the change is taken once the other is done", async () => {
    const logged: unknown[] = [];
    const reporting = pino({ level: "warn" }, { write: (line: string) => logged.push(line) });
    await pools()
      .worker.db.transaction()
      .execute(async (trx) => {
        await holdLock(trx, locks.changes);
        await ownWork(() => change([cpes[0] as number]));
        // Behind the lock it would end by lock_timeout after 5 s, and report it.
        const beside = createChangeReader(pools(), reporting);
        expect(await ownWork(() => beside.run())).toBe(0);
      });
    expect(logged).toEqual([]);
    expect(await reader().run()).toBe(1);
  });
});

describe("housekeeping", () => {
  test("takes the links of a CPE whose time is over", async () => {
    const [one = 0] = cpes;
    await run(sql`update node set expire_at = now() - interval '1 s' where id = ${one}`);
    expect(await expireNodes(pools())).toBe(1);
    // It is reported once, not every half minute.
    expect(await expireNodes(pools())).toBe(0);
    await work();
    expect((await links()).some(({ a }) => a === one)).toBe(false);
    expect(await expireNodes(pools())).toBe(0);
  });

  test("sweeps old states and the sections that only they name, and never the last confirmed", async () => {
    const node = strangers[0] as number;
    const states = await statesOf(node);
    const kept = states.slice(-2).map(({ serial }) => serial);
    await run(sql`update node_state set created_at = now() - interval '3 years',
      outcome = case when serial >= ${kept[0]} then 'confirmed' else outcome end
      where node_id = ${node} and serial <= ${kept[0]}`);
    await run(
      sql`update node_state set outcome = 'confirmed' where node_id = ${node} and serial = ${kept[1]}`,
    );
    await sweepStates(pools());
    expect((await statesOf(node)).map(({ serial }) => serial)).toEqual(kept.slice(1));
    const named = Object.values((await statesOf(node))[0]?.sections ?? {});
    const hashes = await rows(sql<{ hash: string }>`
      select hash from state_section where node_id = ${node}`);
    expect(hashes.map(({ hash }) => hash).sort()).toEqual([...new Set(named)].sort());
    await run(
      sql`update node_state set created_at = now() - interval '30 years' where node_id = ${node}`,
    );
    await sweepStates(pools());
    expect((await statesOf(node)).map(({ serial }) => serial)).toEqual(kept.slice(1));
  });
});
