/** Networks of a space change by a revision of the states that devices run (docs/adr/0047-state-revisions.md). */
import {
  networkPartsCapability,
  partsOf,
  type SpaceSection,
} from "@weft/contract/device/v1/space.ts";
import {
  compareStates,
  revisedHead,
  revisionsCapability,
  type StateHead,
  type StateRevision,
} from "@weft/contract/device/v1/state.ts";
import { nodeState } from "@weft/contract/domains/delivery/node-state.ts";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { pop } from "@weft/contract/domains/devices/pop.ts";
import { netSpace } from "@weft/contract/domains/overlay/net-space.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readNamed } from "#domains/delivery/contents/public.ts";
import { databaseStore } from "#gateway/database-store.ts";
import { defaultTimes } from "#gateway/hub.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";
import { sweepStates } from "../../../jobs/housekeeping.ts";
import { createCompiler } from "./compile-marked.ts";
import { createChangeReader } from "./read-changes.ts";
import { sha256 } from "./state-content.ts";

const logger = pino({ level: "silent" });
let api: TestApi;
let admin: string;
let groupid = 1;
let popId: number;
let spaceId: number;
let stranger: number;
const cpes: number[] = [];

const pools = () => api.database.pools;
const store = () => databaseStore(pools());
const rows = async <Row>(query: ReturnType<typeof sql<Row>>): Promise<Row[]> =>
  (await query.execute(pools().owner.db)).rows;
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
const marked = async () =>
  (await rows(sql<{ id: number }>`select node_id as id from compile_mark order by 1`)).map(
    ({ id }) => id,
  );
/** Gives the site so many more networks: 10.<of>.<n>.0/24. */
const addNetworks = async (node: number, of: number, count: number) => {
  await run(sql`insert into lan_section (enterprise_id, node_id, interface_name, network)
    select ${groupid}::bigint, ${node}, 'lan' || ${of}::int || n, '10.' || ${of}::int || '.' || n || '.1/24'
    from generate_series(1, ${count}::int) n`);
  await change([node]);
};
const removeNetworks = async (node: number, of: number) => {
  await run(sql`delete from lan_section where node_id = ${node} and network like ${`10.${of}.%`}`);
  await change([node]);
};
const nameOf = () => `space.${spaceId}`;
const others = () => cpes.slice(1);

interface State extends StateHead {
  readonly outcome: string;
  readonly digest: string;
}
const newestOf = async (node: number): Promise<State> => {
  const [state] = await rows(sql<State>`select epoch, serial, outcome, sections, digest
    from node_state where node_id = ${node} order by epoch desc, serial desc limit 1`);
  if (!state) throw new Error(`node ${node} has no state`);
  return state;
};
const listOf = async (hash: string | undefined): Promise<readonly string[]> => {
  const sections = await readNamed(pools().owner.db, 0, { [nameOf()]: hash ?? "" });
  return (sections.get(nameOf()) as SpaceSection | undefined)?.networks ?? [];
};
const revisions = () =>
  rows(sql<{ revision: number; hash: string; follows: boolean; cause: string }>`
    select revision, hash, follows, cause from space_revision where space_id = ${spaceId} order by revision`);
const newestList = async () => listOf((await revisions()).at(-1)?.hash);
const sent = (node: number) =>
  rows(sql<{ serial: number; revision: number; outcome: string }>`
    select serial, revision, outcome from node_revision where node_id = ${node} order by serial, revision`);

/** What a device runs, as it reports it. */
const running = ({ epoch, serial, ...more }: StateHead) => ({
  epoch,
  serial,
  digest: sha256({ epoch, serial, ...more }),
});
const headOf = ({ epoch, serial, sections }: State): StateHead => ({ epoch, serial, sections });
const next = (node: number, runs: StateHead, more: object = {}) =>
  store().takeNext(
    node,
    { running: running(runs), sent: null, isSettled: true, ...more },
    defaultTimes,
  );
/** The revision that a device is given that runs this. */
const nextRevision = async (node: number, runs: StateHead): Promise<StateRevision> => {
  const { revision, ...given } = (await next(node, runs)) ?? { revision: undefined };
  if (revision === undefined || !("sections" in given)) throw new Error("no revision came");
  return { ...given, revision };
};
const confirm = async (node: number, head: StateHead, digest = running(head).digest) => {
  const { sections: _, ...id } = head;
  await store().keepConfirmed({ node, ...id, digest, nonce: "n", signature: "s" });
};
/** Devices of all members take their newest states and confirm them. */
const confirmAll = () =>
  run(
    sql`update node_state set outcome = 'confirmed', delivered_at = now() where outcome = 'waiting'`,
  );
/** What operators see: of the newest state on the page of the node, and in the list of CPEs. */
const shown = async (node: number) => {
  const page = await api.get(nodeState.path, { id: node }, admin);
  const list = await api.get(cpe.ops.list.path, { page: 1, limit: 100 }, admin);
  const row = (list.data as { id: number; awaitsNetworks: boolean }[]).find(
    ({ id }) => id === node,
  );
  return [(page.data as OutputOf<typeof nodeState>).desired?.outcome, row?.awaitsNetworks];
};
const report = async (nodes: readonly number[], capabilities: readonly string[]) => {
  const found = JSON.stringify(capabilities.map((name) => ({ name, can: true, reason: null })));
  await run(
    sql`update node_status set capabilities = ${found} where node_id = any(${[...nodes]}::bigint[])`,
  );
  await change([...nodes]);
};

beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  groupid = await add("/customer/enterprise/add", "enterprise", { name: "net" });
  popId = await add(pop.ops.add.path, "pop", { name: "hub", sn: "HUB-1", groupid: 1 });
  await addLine(popId, { reachable: 1, ip: "203.0.113.9/24", gateway: "203.0.113.1" });
  for (const alias of ["a", "b", "c", "d"]) cpes.push(await addCpe(alias));
  stranger = await addCpe("x");
  await run(sql`insert into node_status (node_id, enterprise_id, tunnel_key)
    select id, enterprise_id, encode(sha256(id::text::bytea), 'base64') from node
    on conflict (node_id) do update set tunnel_key = excluded.tunnel_key`);
  await report([...cpes, popId, stranger], [networkPartsCapability, revisionsCapability]);
  const members = { groupid, topology: 0, popIds: String(popId), cpeIds: cpes.join(",") };
  spaceId = await add(netSpace.ops.add.path, "netSpace", { name: "net", ...members });
  await work();
}, 60_000);
afterAll(() => api.close());
beforeEach(async () => {
  await work();
  await confirmAll();
});

test("a network of one site is one row for all members, and a state of its site and POP only", async () => {
  const [site = 0] = cpes;
  const before = await Promise.all(others().map(newestOf));
  const known = await revisions();
  await addNetworks(site, 41, 1);
  await read();
  expect(await marked()).toEqual([popId, site].sort((a, b) => a - b));
  expect(await compile()).toEqual([popId, site].sort((a, b) => a - b));
  expect(await Promise.all(others().map(newestOf))).toEqual(before);
  const now = await revisions();
  expect(now).toHaveLength(known.length + 1);
  expect(now.at(-1)).toMatchObject({ follows: true, cause: "test" });
  expect(await newestList()).toContain("10.41.1.0/24");
  // The site's own state has the same list.
  expect((await newestOf(site)).sections[nameOf()]).toBe(now.at(-1)?.hash);
});

test("a member is sent the list for the state that it runs, confirms it, and is sent nothing more", async () => {
  const [site = 0, member = 0] = cpes;
  const state = headOf(await newestOf(member));
  await addNetworks(site, 42, 1);
  await work();
  expect(await shown(member)).toEqual(["waiting", true]);
  const given = await nextRevision(member, state);
  expect(compareStates(given, { ...state, revision: given.revision })).toBe(0);
  expect(Object.keys(given.sections)).toEqual([nameOf()]);
  expect(await listOf(given.sections[nameOf()])).toContain("10.42.1.0/24");
  const head = revisedHead(state, given);
  expect(await shown(member)).toEqual(["delivered", true]);
  expect((await sent(member)).at(-1)).toMatchObject({
    revision: given.revision,
    outcome: "delivered",
  });
  // While it works on it, and after it has confirmed it.
  expect(await next(member, state, { sent: given })).toBeNull();
  await expect(confirm(member, head, sha256("another"))).rejects.toThrow("another digest");
  await confirm(member, head);
  expect((await sent(member)).at(-1)).toMatchObject({ outcome: "confirmed" });
  expect(await shown(member)).toEqual(["confirmed", false]);
  expect(await next(member, head)).toBeNull();
  const [status] = await rows(
    sql<{
      digest: string;
    }>`select running_digest as digest from node_status where node_id = ${member}`,
  );
  expect(status?.digest).toBe(running(head).digest);
  expect(await newestOf(member)).toMatchObject({ serial: state.serial, outcome: "confirmed" });
});

test("a list that is taken back is a revision as well, and several that came meanwhile are one", async () => {
  const [site = 0, member = 0] = cpes;
  const state = headOf(await newestOf(member));
  await addNetworks(site, 43, 1);
  await work();
  const first = await nextRevision(member, state);
  await removeNetworks(site, 43);
  await work();
  // It has not ended the first one yet: the second one takes its place.
  const second = await nextRevision(member, state);
  expect(second.revision).toBeGreaterThan(first.revision);
  expect((await sent(member)).slice(-2).map(({ outcome }) => outcome)).toEqual([
    "superseded",
    "delivered",
  ]);
  await confirm(member, revisedHead(state, first));
  const back = await nextRevision(member, revisedHead(state, first));
  expect(back).toEqual(second);
  await confirm(member, revisedHead(state, second));
  expect(await next(member, revisedHead(state, second))).toBeNull();
  expect(await listOf(second.sections[nameOf()])).not.toContain("10.43.1.0/24");
});

test("a socket that is lost sends it again, and one of another gateway at the same time sends the same", async () => {
  const [site = 0, member = 0] = cpes;
  const state = headOf(await newestOf(member));
  await addNetworks(site, 44, 1);
  await work();
  const both = await Promise.all([next(member, state), next(member, state)]);
  const [given] = both;
  expect(both).toEqual([given, given]);
  expect(given?.revision).toBeGreaterThan(0);
  expect(await next(member, state, { isSettled: false })).toBeNull();
  expect(await next(member, state)).toEqual(given);
  expect((await sent(member)).filter(({ revision }) => revision === given?.revision)).toHaveLength(
    1,
  );
});

test("a full compile of all members finds nothing to publish, and a state that is made has the newest list", async () => {
  const [site = 0, member = 0] = cpes;
  await addNetworks(site, 45, 1);
  await work();
  await confirmAll();
  const known = await revisions();
  await change([], [spaceId]);
  await read();
  expect(await marked()).toHaveLength(cpes.length + 1);
  expect(await compile()).toEqual([]);
  expect(await revisions()).toEqual(known);
  await addNetworks(member, 46, 1);
  await work();
  expect(await listOf((await newestOf(member)).sections[nameOf()])).toEqual(
    expect.arrayContaining(["10.45.1.0/24", "10.46.1.0/24"]),
  );
});

test("one that a device does not take becomes its next state, once, and the state takes revisions again", async () => {
  const [site = 0, member = 0, other = 0] = cpes;
  const state = headOf(await newestOf(member));
  const otherState = await newestOf(other);
  await addNetworks(site, 47, 1);
  await work();
  const given = await nextRevision(member, state);
  const { sections: _, ...id } = given;
  const failed = { type: "outcome", ...id, outcome: "reverted", reason: "why" } as const;
  await store().keepOutcome(member, failed);
  await store().keepOutcome(member, failed);
  expect((await sent(member)).at(-1)).toMatchObject({ outcome: "reverted" });
  expect(await next(member, state)).toBeNull();
  expect(await marked()).toEqual([member]);
  await addNetworks(site, 48, 1);
  await read();
  expect(await marked()).toEqual([popId, site, member].sort((a, b) => a - b));
  await compile();
  const newer = await newestOf(member);
  expect(newer).toMatchObject({ serial: state.serial + 1, outcome: "waiting" });
  expect(await listOf(newer.sections[nameOf()])).toEqual(
    expect.arrayContaining(["10.47.1.0/24", "10.48.1.0/24"]),
  );
  expect(await newestOf(other)).toEqual(otherState);
  expect(await next(member, state)).toEqual(headOf(newer));
  await confirm(member, headOf(newer));
  await addNetworks(site, 49, 1);
  await work();
  expect((await nextRevision(member, headOf(newer))).serial).toBe(newer.serial);
});

test("more than ten networks that go are states, which are weighed, and the lists after them are revisions again", async () => {
  const [site = 0, member = 0] = cpes;
  await addNetworks(site, 50, 40);
  await work();
  await confirmAll();
  const state = headOf(await newestOf(member));
  await confirm(member, revisedHead(state, await nextRevision(member, state)));
  await removeNetworks(site, 50);
  await read();
  expect(await marked()).toEqual([popId, ...cpes].sort((a, b) => a - b));
  expect((await revisions()).at(-1)).toMatchObject({ follows: false });
  await compile();
  // No call says that they go.
  expect(await newestOf(member)).toMatchObject({ outcome: "held" });
  const good = await rows(sql<State>`select epoch, serial, sections, outcome, digest from node_state
    where node_id = ${member} and not held order by serial desc limit 1`);
  expect(await next(member, headOf(good[0] as State))).toBeNull();
  await run(sql`update node_state set outcome = 'waiting', held = false where outcome = 'held'`);
  await confirmAll();
  await addNetworks(site, 51, 1);
  await read();
  expect(await marked()).toEqual([popId, site].sort((a, b) => a - b));
  expect((await nextRevision(member, headOf(await newestOf(member)))).revision).toBeGreaterThan(0);
});

test("removals by revisions are not counted again when a state is made", async () => {
  const [site = 0, member = 0] = cpes;
  for (const of of [52, 53, 54]) await addNetworks(site, of, 8);
  // A state of the member that has all of them.
  await addNetworks(member, 55, 1);
  await work();
  await confirmAll();
  for (const of of [52, 53, 54]) {
    await removeNetworks(site, of);
    await work();
  }
  await confirmAll();
  await addNetworks(member, 56, 1);
  await work();
  expect(await newestOf(member)).toMatchObject({ outcome: "waiting" });
});

test("members whose newest state did not act, or whose device takes no revisions, get states", async () => {
  const [site = 0, one = 0, two = 0, three = 0] = cpes;
  const before = await newestOf(one);
  await run(sql`update node_state set outcome = 'failed'
    where node_id = ${one} and serial = ${before.serial}`);
  await report([two], [networkPartsCapability]);
  await work();
  await confirmAll();
  await addNetworks(site, 57, 1);
  await read();
  expect(await marked()).toEqual([popId, site, one, two].sort((a, b) => a - b));
  await compile();
  expect((await newestOf(one)).serial).toBe(before.serial + 1);
  expect(await listOf((await newestOf(two)).sections[nameOf()])).toContain("10.57.1.0/24");
  expect((await nextRevision(three, headOf(await newestOf(three)))).revision).toBeGreaterThan(0);
  await report([two], [networkPartsCapability, revisionsCapability]);
});

test("who holds more of other sites' networks is compiled in full", async () => {
  const [site = 0, one = 0] = cpes;
  await run(sql`insert into circuit (enterprise_id, name, source_enterprise_id, source_id,
      target_enterprise_id, target_id, bandwidth_kbps, line_quality, enabled)
    values (${groupid}, 'c', ${groupid}, ${one}, 1, ${popId}, 1000, 1, true)`);
  await addNetworks(site, 58, 1);
  await read();
  expect(await marked()).toEqual([popId, site, one].sort((a, b) => a - b));
  await run(sql`delete from circuit`);
});

test("members read the lists of their space, and nobody else does; gateways find them among their sockets", async () => {
  const [site = 0, member = 0] = cpes;
  const { last } = await store().revisedNodes([], null);
  await addNetworks(site, 59, 1);
  await work();
  const all = [...cpes, popId, stranger];
  const found = await store().revisedNodes(all, last);
  expect([...found.nodes].sort((a, b) => a - b)).toEqual([...cpes].sort((a, b) => a - b));
  expect(await store().revisedNodes(all, found.last)).toEqual({ last: found.last, nodes: [] });
  // A gateway that has just started asks for the last minute.
  expect((await store().revisedNodes(all, null)).nodes).toHaveLength(cpes.length);
  const given = await nextRevision(member, headOf(await newestOf(member)));
  const hash = given.sections[nameOf()] ?? "";
  const [text] = await store().readSections(member, [hash]);
  const parts = partsOf(nameOf(), JSON.parse(text?.text ?? "null"));
  expect(parts.length).toBeGreaterThan(0);
  expect(await store().readSections(member, [...parts])).toHaveLength(parts.length);
  expect(await store().readSections(stranger, [hash, ...parts])).toEqual([]);
  expect(await next(stranger, headOf(await newestOf(stranger)))).toBeNull();
});

test("a node of another epoch or enterprise takes no revision, nor is one sent to a device that runs another state", async () => {
  const [site = 0, member = 0] = cpes;
  const state = await newestOf(member);
  await addNetworks(site, 60, 1);
  await work();
  const elsewhere = { ...headOf(state), serial: state.serial - 1 };
  expect(await next(member, elsewhere)).toMatchObject({ serial: state.serial });
  expect((await next(member, elsewhere, { sent: state }))?.revision).toBeUndefined();
  await run(sql`update installation set epoch = epoch + 1`);
  expect(await next(member, headOf(state))).toBeNull();
  await run(sql`update installation set epoch = epoch - 1`);
  expect((await nextRevision(member, headOf(state))).serial).toBe(state.serial);
});

test("who left a space is sent none of its lists, although the state without them waits for an operator", async () => {
  const [site = 0, , , leaving = 0] = cpes;
  const state = headOf(await newestOf(leaving));
  await run(sql`delete from space_member where space_id = ${spaceId} and node_id = ${leaving}`);
  await addNetworks(site, 62, 1);
  await read();
  expect(await next(leaving, state)).toBeNull();
  await run(sql`insert into space_member (enterprise_id, space_id, node_enterprise_id, node_id, kind)
    values (${groupid}, ${spaceId}, ${groupid}, ${leaving}, 'cpe')`);
  await change([leaving], [spaceId]);
});

test("housekeeping leaves what revisions name, and takes the rest with its space", async () => {
  const [site = 0, member = 0] = cpes;
  await addNetworks(site, 61, 1);
  await work();
  await run(sql`update space_section set used_at = now() - interval '2 days'`);
  await sweepStates(pools());
  const given = await nextRevision(member, headOf(await newestOf(member)));
  expect(await listOf(given.sections[nameOf()])).toContain("10.61.1.0/24");
  // Of what a device was sent long ago what it has now stays.
  await confirm(member, revisedHead(headOf(await newestOf(member)), given));
  await run(sql`update node_revision set delivered_at = now() - interval '3 years'`);
  await sweepStates(pools());
  expect((await sent(member)).filter(({ serial }) => serial === given.serial)).toEqual([
    { serial: given.serial, revision: given.revision, outcome: "confirmed" },
  ]);
  await run(sql`insert into space_revision (space_id, hash, follows, cause, created_by)
    values (999999, 'gone', false, 'test', 1)`);
  const [first] = await revisions();
  await run(sql`update space_revision set created_at = now() - interval '91 days'
    where revision = ${first?.revision}`);
  await sweepStates(pools());
  const left = await rows(sql<{ space: number }>`select space_id as space from space_revision`);
  expect(left.map(({ space }) => space)).not.toContain(999999);
  expect(await revisions()).not.toContainEqual(first);
});

test("a device that missed any number of revisions since the one that it runs is sent the newest", async () => {
  const [site = 0, member = 0] = cpes;
  const state = headOf(await newestOf(member));
  await addNetworks(site, 63, 1);
  await work();
  const runs = revisedHead(state, await nextRevision(member, state));
  await confirm(member, runs);
  for (const of of [64, 65, 66, 67]) {
    await addNetworks(site, of, 1);
    await work();
    // Its connection is dead and nobody has noticed yet.
    const lost = await nextRevision(member, runs);
    expect(await next(member, runs, { sent: lost })).toBeNull();
  }
  const given = await nextRevision(member, runs);
  expect(await listOf(given.sections[nameOf()])).toContain("10.67.1.0/24");
});

test("the list that a state names stays, however old: a device that was away gets those after it", async () => {
  const [site = 0, member = 0] = cpes;
  await addNetworks(member, 68, 1);
  await work();
  await confirmAll();
  const state = headOf(await newestOf(member));
  await run(sql`update space_revision set created_at = now() - interval '91 days'`);
  await addNetworks(site, 69, 1);
  await work();
  await sweepStates(pools());
  const given = await nextRevision(member, state);
  expect(await listOf(given.sections[nameOf()])).toContain("10.69.1.0/24");
});

test("a member that is being compiled is marked again: its state may name a list that was never the newest", async () => {
  const [site = 0, member = 0] = cpes;
  await change([member]);
  await read();
  // Its compile reads the first network; the reader of changes finds both at once, before the state is there.
  await addNetworks(site, 70, 1);
  await addNetworks(site, 71, 1);
  const generationOf = async () =>
    (
      await rows(
        sql<{ generation: number }>`select generation from compile_mark where node_id = ${member}`,
      )
    ).map(({ generation }) => generation);
  const [before = 0] = await generationOf();
  await read();
  expect((await generationOf())[0]).toBeGreaterThan(before);
});

test("a list that comes back before the removal from it was compiled reaches a device that was away all the time", async () => {
  const [site = 0, member = 0] = cpes;
  const state = headOf(await newestOf(member));
  await addNetworks(site, 72, 20);
  await work();
  await removeNetworks(site, 72);
  await read();
  expect((await revisions()).at(-1)).toMatchObject({ follows: false });
  await addNetworks(site, 72, 20);
  await work();
  // As a revision, or as a state where the one that it runs has a list from before.
  const given = await next(member, state);
  expect(given?.serial).toBe((await newestOf(member)).serial);
  expect(await listOf(given?.sections[nameOf()])).toContain("10.72.20.0/24");
});

test("more than ten networks that came as a revision do not go as one, although the state names the list without them", async () => {
  const [site = 0, member = 0] = cpes;
  await addNetworks(member, 73, 1);
  await work();
  await confirmAll();
  const state = await newestOf(member);
  await addNetworks(site, 74, 20);
  await work();
  const runs = revisedHead(headOf(state), await nextRevision(member, headOf(state)));
  await confirm(member, runs);
  await removeNetworks(site, 74);
  await read();
  expect((await revisions()).at(-1)).toMatchObject({
    follows: false,
    hash: state.sections[nameOf()],
  });
  expect(await next(member, runs)).toBeNull();
  expect(await marked()).toContain(member);
  await compile();
  // A state, which is weighed.
  const newer = await newestOf(member);
  expect(newer.serial).toBe(state.serial + 1);
  expect(await next(member, runs)).toEqual(headOf(newer));
  await confirm(member, headOf(newer));
});

test("a device that went back to the revision before, and could not report it, is sent the newest again", async () => {
  const [site = 0, member = 0] = cpes;
  const state = headOf(await newestOf(member));
  await addNetworks(site, 75, 1);
  await work();
  const before = revisedHead(state, await nextRevision(member, state));
  await confirm(member, before);
  await addNetworks(site, 76, 1);
  await work();
  const given = await nextRevision(member, before);
  await confirm(member, revisedHead(state, given));
  expect(await next(member, before)).toEqual(given);
});

test("a list that was left to a state which then fails comes with the next one", async () => {
  const [site = 0, member = 0] = cpes;
  const before = headOf(await newestOf(member));
  await addNetworks(member, 77, 1);
  await work();
  const state = await next(member, before);
  expect(state).toMatchObject({ serial: before.serial + 1 });
  await addNetworks(site, 78, 1);
  await read();
  expect(await marked()).not.toContain(member);
  await compile();
  const { epoch, serial } = await newestOf(member);
  await store().keepOutcome(member, {
    type: "outcome",
    epoch,
    serial,
    outcome: "failed",
    reason: "why",
  });
  expect(await marked()).toEqual([member]);
  await compile();
  const newer = await newestOf(member);
  expect(newer).toMatchObject({ serial: serial + 1, outcome: "waiting" });
  expect(await listOf(newer.sections[nameOf()])).toContain("10.78.1.0/24");
});

test("a revision that a gateway commits after the next list was written, which it does not lead to, becomes a state once it is confirmed", async () => {
  const [, member = 0, , site = 0] = cpes;
  await addNetworks(member, 79, 1);
  await work();
  await confirmAll();
  const state = headOf(await newestOf(member));
  await addNetworks(site, 80, 20);
  await work();
  const given = await nextRevision(member, state);
  // Nobody else sees it yet.
  const [row] = await rows(sql<{ row: unknown }>`
    with gone as (delete from node_revision v
      where v.node_id = ${member} and v.revision = ${given.revision} returning v.*)
    select to_jsonb(gone) as row from gone`);
  await removeNetworks(site, 80);
  await work();
  expect(await newestOf(member)).toMatchObject({ serial: state.serial });
  await run(sql`insert into node_revision
    select * from jsonb_populate_record(null::node_revision, ${JSON.stringify(row?.row)}::jsonb)`);
  await confirm(member, revisedHead(state, given));
  expect(await marked()).toEqual([member]);
  await compile();
  // More goes than goes without an operator.
  expect(await newestOf(member)).toMatchObject({ serial: state.serial + 1, outcome: "held" });
  await run(sql`update node_state set outcome = 'waiting', held = false where outcome = 'held'`);
});

test("lists stay those of the present while no device of their space takes them", async () => {
  const [site = 0, member = 0] = cpes;
  const all = [...cpes];
  await addNetworks(site, 81, 1);
  await work();
  await report(all, [networkPartsCapability]);
  await work();
  await removeNetworks(site, 81);
  await work();
  await confirmAll();
  await report(all, [networkPartsCapability, revisionsCapability]);
  await work();
  await confirmAll();
  expect(await newestList()).not.toContain("10.81.1.0/24");
  expect(await next(member, headOf(await newestOf(member)))).toBeNull();
});
