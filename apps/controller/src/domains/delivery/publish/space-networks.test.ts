/** The networks of a space: stored once, and another list of them is a new state without a compile. */
import { neighborBucketsCapability } from "@weft/contract/device/v1/routing.ts";
import {
  networkPartsCapability,
  partsOf,
  type SpaceSection,
} from "@weft/contract/device/v1/space.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { nodeLock, withTriedLock } from "#db/locks.ts";
import { ownWork } from "#db/one-connection.ts";
import { scopedRead } from "#db/pool.ts";
import { readNamed } from "#domains/delivery/contents/public.ts";
import { readSections, SharedTexts } from "#domains/delivery/deliver/public.ts";
import { differences } from "#domains/delivery/history/public.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";
import { sweepStates } from "../../../jobs/housekeeping.ts";
import { createCompiler } from "./compile-marked.ts";
import { publishNetworks } from "./publish-networks.ts";
import { createChangeReader } from "./read-changes.ts";

const logger = pino({ level: "silent" });
let api: TestApi;
let admin: string;
let groupid = 1;
let popId: number;
let spaceId: number;
let stranger: number;
const cpes: number[] = [];

const pools = () => api.database.pools;
const rows = async <Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  (await query.execute(pools().owner.db)).rows;
/** Of one gateway. */
const sharedTexts = new SharedTexts();
/** What the device of a node is given for these hashes. */
const sectionsFor = async (node: number, hashes: readonly string[]) =>
  (await readSections(pools(), [{ node, hashes }], sharedTexts))[0];
const run = async (query: ReturnType<typeof sql>): Promise<void> => {
  await rows(query);
};

async function add(path: string, name: Parameters<typeof wireDraft>[0], fields: object) {
  const answer = await api.post(
    path,
    wireDraft(name, "valid", { groupid, cpeId: 1, popId: 1 }, fields),
    admin,
  );
  expect(answer, JSON.stringify(answer)).toMatchObject({ code: 0 });
  return newIdOf(answer);
}
const addLine = (nodeId: number, more: object) =>
  add(line.ops.add.path, "line", { nodeId, isp: "telecom", reachable: 0, ...more });
const addCpe = async (alias: string) => {
  const id = await add(cpe.ops.add.path, "cpe", { alias, sn: `site-${alias}`, groupid });
  await addLine(id, {});
  return id;
};

const change = (nodes: number[], spaces: number[] = []) =>
  run(sql`insert into change (enterprise_id, node_ids, space_ids, cause, created_by)
    values (${groupid}, ${nodes}::bigint[], ${spaces}::bigint[], 'test', 1)`);
const read = async () => {
  const reader = createChangeReader(pools(), logger);
  while ((await reader.run()) > 0);
};
const compile = async (): Promise<number[]> => {
  const made: number[] = [];
  const compiler = createCompiler(pools(), logger, (node) => made.push(node));
  while ((await compiler.run()) === 0);
  return made.sort((a, b) => a - b);
};
const work = async () => {
  await read();
  return compile();
};

/** Gives the site so many more networks: 10.<of>.<n>.0/24. */
const addNetworks = async (node: number, of: number, count: number) => {
  await run(sql`insert into lan_section (enterprise_id, node_id, interface_name, network)
    select ${groupid}::bigint, ${node}, 'lan' || ${of}::int || n, '10.' || ${of}::int || '.' || n || '.1/24'
    from generate_series(1, ${count}::int) n`);
  await change([node]);
};

interface State {
  readonly serial: number;
  readonly outcome: string;
  readonly sections: Record<string, string>;
  readonly digest: string;
  readonly cause: string;
}
const newestOf = async (node: number): Promise<State> => {
  const [state] = await rows(sql<State>`select serial, outcome, sections, digest, cause
    from node_state where node_id = ${node} order by epoch desc, serial desc limit 1`);
  if (!state) throw new Error(`node ${node} has no state`);
  return state;
};
const contentsOf = async (node: number) =>
  readNamed(pools().owner.db, node, (await newestOf(node)).sections);
const keptBy = async (node: number): Promise<readonly string[]> => {
  const section = (await contentsOf(node)).get(`space.${spaceId}`);
  return (section as SpaceSection | undefined)?.networks ?? [];
};
const marked = async () =>
  Object.fromEntries(
    (
      await rows(sql<{ node_id: number; networks_only: boolean }>`
        select node_id, networks_only from compile_mark`)
    ).map((mark) => [mark.node_id, mark.networks_only]),
  );
const stored = async (table: "state_section" | "space_section") => {
  const [found] = await rows(
    sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)}`,
  );
  return found?.n ?? 0;
};

beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  groupid = await add("/customer/enterprise/add", "enterprise", { name: "net" });
  popId = await add(pop.ops.add.path, "pop", { name: "hub", sn: "HUB-1", groupid: 1 });
  await addLine(popId, { reachable: 1, ip: "203.0.113.9/24", gateway: "203.0.113.1" });
  for (const alias of ["a", "b", "c", "d", "e"]) cpes.push(await addCpe(alias));
  stranger = await addCpe("x");
  const members = { groupid, topology: 0, popIds: String(popId), cpeIds: cpes.join(",") };
  spaceId = await add(netSpace.ops.add.path, "netSpace", { name: "net", ...members });
  await run(sql`insert into node_status (node_id, enterprise_id, tunnel_key)
    select id, enterprise_id, encode(sha256(id::text::bytea), 'base64') from node
    on conflict (node_id) do update set tunnel_key = excluded.tunnel_key`);
  await change([popId, stranger, ...cpes]);
  await work();
}, 60_000);
afterAll(() => api.close());
beforeEach(async () => {
  await work();
});

test("a network of one site is a new list for all, stored twice however many they are, and compiles its site and POP only", async () => {
  const [one = 0, ...others] = cpes;
  const before = new Map(
    await Promise.all(others.map(async (node) => [node, await newestOf(node)] as const)),
  );
  const [own, shared] = [await stored("state_section"), await stored("space_section")];
  await addNetworks(one, 41, 1);
  await read();
  expect(await marked()).toEqual(
    Object.fromEntries([popId, ...cpes].map((node) => [node, others.includes(node)])),
  );
  expect(await compile()).toEqual([popId, ...cpes].sort((a, b) => a - b));
  for (const node of [popId, ...cpes]) expect(await keptBy(node)).toContain("10.41.1.0/24");
  // One list of the CPEs, and one of the POPs.
  expect((await stored("space_section")) - shared).toBe(2);
  // The site has its LAN, its firewall, and what it announces, and the POP what it takes from the site.
  expect((await stored("state_section")) - own).toBe(4);
  for (const node of others) {
    const [was, is] = [before.get(node), await newestOf(node)];
    expect(is).toMatchObject({ serial: (was?.serial ?? 0) + 1, outcome: "waiting", cause: "test" });
    const changed = Object.keys(is.sections).filter(
      (name) => is.sections[name] !== was?.sections[name],
    );
    expect(changed).toEqual([`space.${spaceId}`]);
    const [task] = await rows(sql<{ status: number }>`
      select status from task where node_id = ${node} and serial = ${is.serial}`);
    expect(task).toEqual({ status: 0 });
  }
});

test("a full compile after it finds the same states", async () => {
  await addNetworks(cpes[1] as number, 42, 3);
  expect(await work()).toHaveLength(cpes.length + 1);
  await change([], [spaceId]);
  await read();
  expect(Object.values(await marked())).toEqual(Array(cpes.length + 1).fill(false));
  expect(await compile()).toEqual([]);
});

test("what waited ends for it, and the history shows the network", async () => {
  const [one = 0, two = 0] = cpes;
  const before = await newestOf(two);
  const was = await contentsOf(two);
  await addNetworks(one, 43, 1);
  await work();
  const [old] = await rows(sql<{ outcome: string; status: number }>`
    select s.outcome, t.status from node_state s
    join task t on t.node_id = s.node_id and t.serial = s.serial
    where s.node_id = ${two} and s.serial = ${before.serial}`);
  expect(old).toEqual({ outcome: "superseded", status: 3 });
  expect(differences(was, await contentsOf(two))).toMatchObject([
    { section: "space", spaceId, kind: "spaceNetwork", key: "10.43.1.0/24", change: "added" },
  ]);
});

test("more than ten networks that go are weighed by a full compile", async () => {
  const [one = 0, two = 0] = cpes;
  await addNetworks(one, 44, 50);
  await work();
  await run(sql`update node_state set outcome = 'confirmed' where outcome = 'waiting'`);
  // No call says that they go: the rows are lost.
  await run(sql`delete from lan_section where node_id = ${one} and network like '10.44.%'`);
  await change([one]);
  await read();
  expect(await publishNetworks(pools(), [two])).toEqual({
    published: [],
    unchanged: [],
    left: [two],
  });
  await compile();
  expect(await newestOf(two)).toMatchObject({ outcome: "held" });
  expect(await keptBy(two)).not.toContain("10.44.1.0/24");
  // What is held is not passed over by the next list.
  await addNetworks(one, 45, 1);
  await work();
  expect(await newestOf(two)).toMatchObject({ outcome: "held" });
  await addNetworks(one, 44, 50);
  await work();
  expect(await newestOf(two)).toMatchObject({ outcome: "waiting" });
});

test("who has more of other sites' networks in its state is compiled in full", async () => {
  const [one = 0, two = 0, three = 0, four = 0, five = 0] = cpes;
  await run(sql`insert into circuit (enterprise_id, name, source_enterprise_id, source_id,
      target_enterprise_id, target_id, bandwidth_kbps, line_quality, enabled)
    values (${groupid}, 'c', ${groupid}, ${two}, 1, ${popId}, 1000, 1, true)`);
  await run(sql`with made as (
      insert into cug (enterprise_id, name, bandwidth_bps, enabled) values (${groupid}, 'g', 64000, true) returning id)
    insert into cug_node (owner_id, enterprise_id, node_enterprise_id, node_id)
    select id, ${groupid}::bigint, ${groupid}::bigint, ${three} from made`);
  await addNetworks(one, 46, 1);
  await read();
  const found = await publishNetworks(pools(), [two, three, four, five]);
  expect(found).toEqual({ published: [four, five], unchanged: [], left: [two, three] });
  expect(await compile()).toEqual([popId, one, two, three].sort((a, b) => a - b));
  for (const node of [popId, ...cpes]) expect(await keptBy(node)).toContain("10.46.1.0/24");
});

test("networks that go are counted for each member from the list that it has", async () => {
  const [, two = 0, , four = 0, five = 0] = cpes;
  const remove = async (from: number, to: number) => {
    await run(sql`delete from lan_section where node_id = ${two}
      and network in (select '10.49.' || n || '.1/24' from generate_series(${from}::int, ${to}::int) n)`);
    await change([two]);
    await read();
  };
  await addNetworks(two, 49, 20);
  await work();
  await remove(1, 10);
  expect(await publishNetworks(pools(), [four])).toMatchObject({ published: [four] });
  await remove(11, 15);
  // Fifteen for the last one, which has the first list still.
  expect(await publishNetworks(pools(), [four, five])).toEqual({
    published: [four],
    unchanged: [],
    left: [five],
  });
  await compile();
  for (const node of [four, five]) {
    const kept = (await keptBy(node)).filter((network) => network.startsWith("10.49."));
    expect(kept).toHaveLength(5);
  }
});

test("a node that another process compiles stays marked, and a later change is not lost", async () => {
  const [one = 0, , , three = 0, other = 0] = cpes;
  await addNetworks(one, 47, 1);
  await read();
  await pools()
    .worker.db.connection()
    .execute((db) =>
      withTriedLock(db, nodeLock(three), async () => {
        const others = cpes.filter((node) => node !== one);
        const { published } = await ownWork(() => publishNetworks(pools(), others));
        expect(published).not.toContain(three);
        expect(published).toContain(other);
        const left = await ownWork(marked);
        expect(Object.keys(left).map(Number)).toContain(three);
      }),
    );
  await addNetworks(one, 48, 1);
  await work();
  for (const node of [popId, ...cpes]) {
    expect(await keptBy(node)).toEqual(expect.arrayContaining(["10.47.1.0/24", "10.48.1.0/24"]));
  }
});

test("a device reads the lists of its own spaces, and of no other", async () => {
  const hash = (await newestOf(cpes[0] as number)).sections[`space.${spaceId}`] ?? "";
  for (const node of cpes) expect(await sectionsFor(node, [hash])).toHaveLength(1);
  expect(await sectionsFor(stranger, [hash])).toEqual([]);
  // Nor when its gateway reads for a member beside it, or knows the list already.
  const requests = [...cpes, stranger].map((node) => ({ node, hashes: [hash] }));
  for (const shared of [new SharedTexts(), sharedTexts]) {
    const found = await readSections(pools(), requests, shared);
    expect(found.map((sections) => sections.length)).toEqual([...cpes.map(() => 1), 0]);
  }
  // Neither does a role read the table by itself.
  const scope = { kind: "node", nodeId: cpes[0] as number } as const;
  await expect(
    scopedRead(pools().gateway, scope, (trx) =>
      trx.selectFrom("space_section").selectAll().execute(),
    ),
  ).rejects.toThrow("permission denied");
});

test("a list that many devices need is read once", async () => {
  const hash = (await newestOf(cpes[1] as number)).sections[`space.${spaceId}`] ?? "";
  const shared = new SharedTexts();
  const seen: string[] = [];
  const stop = pools().onQuery(({ role, kind, sql: text }) => {
    if (role === "gateway" && kind === "query" && text.includes("space_contents")) seen.push(text);
  });
  const read = (nodes: readonly number[]) =>
    readSections(
      pools(),
      nodes.map((node) => ({ node, hashes: [hash] })),
      shared,
    );
  const [first, second] = [await read(cpes.slice(0, 3)), await read(cpes)];
  stop();
  expect(seen).toHaveLength(1);
  expect(new Set([...first, ...second].map((sections) => sections[0]?.text)).size).toBe(1);
});

test("lists that no head names go after a day, and those that one names stay", async () => {
  await addNetworks(cpes[0] as number, 49, 1);
  await work();
  await run(sql`insert into space_section (space_id, hash, content) values
    (${spaceId}, 'old', '{}'), (${spaceId}, 'new', '{}')`);
  await run(sql`update space_section set used_at = now() - interval '2 days' where hash <> 'new'`);
  const named = new Set(
    (
      await rows(sql<{ hash: string }>`
        select sections ->> ${`space.${spaceId}`} as hash from node_state where sections ? ${`space.${spaceId}`}`)
    ).map(({ hash }) => hash),
  );
  await sweepStates(pools());
  const left = await rows(sql<{ hash: string }>`select hash from space_section`);
  expect(left.map(({ hash }) => hash).sort()).toEqual([...named, "new"].sort());
});

/** Has all members report what they can do. */
const report = async (capabilities: readonly string[]) => {
  const found = JSON.stringify(capabilities.map((name) => ({ name, can: true, reason: null })));
  await run(sql`update node_status set capabilities = ${found}`);
  await change([popId, ...cpes]);
  await work();
};
const indexAt = async (node: number): Promise<readonly string[]> => {
  const name = `space.${spaceId}`;
  const hash = (await newestOf(node)).sections[name];
  const [found] = await rows(sql<{ content: unknown }>`
    select content from space_section where space_id = ${spaceId} and hash = ${hash}`);
  return partsOf(name, found?.content);
};

test("devices that read parts are sent an index and the part that is new, and all lists share their parts", async () => {
  const [one = 0, , three = 0, four = 0, five = 0] = cpes;
  for (const [at, node] of [three, four, five].entries())
    await run(sql`insert into lan_section (enterprise_id, node_id, interface_name, network)
      select ${groupid}::bigint, ${node}, 'p' || n % 30, '10.' || ${60 + at}::int || '.' || n || '.1/24'
      from generate_series(1, 240) n`);
  // A group is withheld from a device that reports what it can and does not name it.
  await run(sql`delete from cug`);
  await change([three, four, five]);
  await work();
  const inOne = new Map(
    await Promise.all(
      [popId, ...cpes].map(async (node) => [node, await contentsOf(node)] as const),
    ),
  );
  expect(await indexAt(four)).toEqual([]);
  await report([networkPartsCapability]);
  const parts = await indexAt(four);
  expect(parts.length).toBeGreaterThan(2);
  expect(await indexAt(popId)).toEqual(parts);
  // The same states: comparison and rollback see no difference.
  for (const [node, contents] of inOne)
    expect(differences(contents, await contentsOf(node))).toEqual([]);

  const before = await stored("space_section");
  await addNetworks(one, 51, 1);
  await work();
  const after = await indexAt(four);
  const news = after.filter((hash) => !parts.includes(hash));
  expect(news.length).toBeLessThanOrEqual(2);
  // The index of the CPEs, and that of the POPs.
  expect((await stored("space_section")) - before).toBe(news.length + 2);
  for (const node of [popId, ...cpes]) {
    expect(await keptBy(node)).toContain("10.51.1.0/24");
    expect(await sectionsFor(node, after)).toHaveLength(after.length);
  }
  expect(await sectionsFor(stranger, after)).toEqual([]);
  await change([], [spaceId]);
  expect(await work()).toEqual([]);

  // Housekeeping leaves parts of an index that a head names.
  await run(sql`update space_section set used_at = now() - interval '2 days'`);
  await sweepStates(pools());
  expect(await keptBy(four)).toContain("10.51.1.0/24");
  // What is used again is there, however long ago it was written.
  await addNetworks(one, 52, 1);
  await work();
  for (const node of [popId, ...cpes]) expect(await keptBy(node)).toContain("10.52.1.0/24");

  // An earlier version of the edge is put on the devices again.
  const last = await contentsOf(four);
  await report([]);
  expect(await indexAt(four)).toEqual([]);
  expect(differences(last, await contentsOf(four))).toEqual([]);
}, 120_000);

test("a network of one site changes one bucket of the neighbours of its POP", async () => {
  const before = await contentsOf(popId);
  await report([neighborBucketsCapability]);
  const divided = await newestOf(popId);
  const named = (sections: Record<string, string>) =>
    Object.keys(sections).filter((name) => name.startsWith(`routing.${spaceId}.`));
  expect(named(divided.sections)).toHaveLength(cpes.length);
  // The same state, for a device that reads it in either form.
  expect(differences(before, await contentsOf(popId))).toEqual([]);
  await addNetworks(cpes[4] as number, 53, 1);
  await work();
  const edited = await newestOf(popId);
  const changed = Object.keys(edited.sections).filter(
    (name) => edited.sections[name] !== divided.sections[name],
  );
  expect(changed.filter((name) => !name.startsWith("space."))).toEqual([
    expect.stringMatching(new RegExp(`^routing\\.${spaceId}\\.\\d+$`)),
  ]);
});
