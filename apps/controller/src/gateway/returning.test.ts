/** Devices that come back at the same moment: how much that costs the database, and that no device pays for another. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { eventually, type LoopWorld, loopWorld } from "../../test/loop-world.ts";
import { ManualClock } from "../../test/manual-clock.ts";
import { databaseStore } from "./database-store.ts";
import { connectFactor, defaultGather } from "./gatherer.ts";
import { Refused } from "./refusal.ts";
import type { GatewayStore } from "./store.ts";

const count = 50;

interface Site {
  readonly node: number;
  readonly enterpriseId: number;
  readonly sn: string;
  readonly publicKey: string;
  /** The link that it probes; its other end is the next site. */
  readonly link: number;
}

let world: LoopWorld;
let sites: readonly [Site, Site, ...Site[]];
beforeAll(async () => {
  world = await loopWorld();
  const { rows } = await sql<Site>`
    with site as (
      insert into weft.node (enterprise_id, kind, name, sn)
      select 1, 'cpe', 'R-' || n, 'R-' || n from generate_series(1, ${count}) n returning id, sn
    ), known as (
      insert into weft.node_identity (enterprise_id, node_id, public_key, sn, address, state)
      select 1, id, 'key of ' || sn, sn, '192.0.2.1', 'approved' from site
    ), space as (
      insert into weft.net_space (enterprise_id, name, topology) values (1, 'returning', 0) returning id
    ), pair as (
      select s.id as a, coalesce(lead(s.id) over (order by s.id), (select min(id) from site)) as b,
        row_number() over (order by s.id) as place from site s
    ), link as (
      insert into weft.link (enterprise_id, space_id, index_in_space, a_node_id, a_slot, a_port, a_key,
        b_node_id, b_slot, b_port, b_key)
      select 1, space.id, p.place, p.a, 1, 40000 + p.place, 'x', p.b, 1, 50000 + p.place, 'y'
      from pair p, space returning id, a_node_id
    )
    select s.id as node, 1 as "enterpriseId", s.sn, 'key of ' || s.sn as "publicKey", l.id as link
    from site s join link l on l.a_node_id = s.id order by s.id`.execute(owner());
  sites = rows as unknown as typeof sites;
}, 120_000);
afterAll(() => world.close());

const owner = () => world.pools.owner.db;
const reportOf = (site: Site, version = "1.0.0") => ({
  type: "report" as const,
  version,
  serialNumber: site.sn,
  capabilities: [{ name: "probe", can: true, reason: null }],
  tunnelKeys: [{ id: "k1", publicKey: `tunnel of ${site.sn}` }],
  running: null,
  lines: [{ interfaceName: "wan1", addressing: "dhcp" as const, address: null, up: true }],
});

/** A store that writes together what is asked until it goes on. */
function manualStore() {
  const clock = new ManualClock();
  const store = databaseStore(world.pools, () => undefined, { clock });
  const together = async <T>(asked: readonly Promise<T>[]): Promise<PromiseSettledResult<T>[]> => {
    let isOver = false;
    const all = Promise.allSettled(asked).finally(() => {
      isOver = true;
    });
    // A report that has news goes on by itself, and so does what others held.
    await eventually(async () => {
      clock.advance(defaultGather.gatherMs * connectFactor);
      return isOver;
    }, "all is answered");
    return all;
  };
  return { store, together };
}
const valuesOf = <T>(settled: readonly PromiseSettledResult<T>[]): T[] =>
  settled.map((one) => {
    if (one.status === "rejected") throw one.reason;
    return one.value;
  });

/** What a device says when it connects. @returns the epochs of the sockets */
async function connectAll(
  { store, together }: ReturnType<typeof manualStore>,
  of: readonly Site[] = sites,
): Promise<readonly number[]> {
  const identities = await together(of.map((one) => store.deviceIdentity(one.node, one.publicKey)));
  expect(valuesOf(identities).map((identity) => identity?.state)).toEqual(of.map(() => "approved"));
  const epochs = valuesOf(
    await together(of.map((site) => store.openPresence(site, "here", "192.0.2.1"))),
  );
  await together(of.map(() => store.installationEpoch()));
  const up = ({ link }: Site) => ({ type: "transition" as const, links: [{ id: link, up: true }] });
  valuesOf(await together(of.map((site) => store.keepTransition(site, up(site)))));
  const reports = of.map((site, at) => store.keepReport(site, epochs[at] ?? 0, reportOf(site)));
  valuesOf(await together(reports));
  const path = ({ link }: Site) => ({
    type: "paths" as const,
    items: [
      {
        link,
        state: "ok" as const,
        used: true,
        left: false,
        lossPercent: 0,
        rttMs: 5,
        jitterMs: 1,
      },
    ],
  });
  valuesOf(await together(of.map((site) => store.keepPaths(site, path(site)))));
  valuesOf(await together(of.map((site) => store.keepPin(site, "the key of the controller"))));
  valuesOf(await together(of.map((site) => store.ownMetrics(site.node, [site.link], []))));
  return epochs;
}

/** Statements of gateways for these sites meanwhile, and the transactions that wrote. */
async function counted(work: () => Promise<unknown>) {
  const seen = { statements: 0, writing: 0 };
  // Gateways of the world have no socket: these are theirs nevertheless.
  const isOther = /watch_edges|note_gateway|controller_key/;
  const stop = world.pools.onQuery(({ role, kind, sql: text }) => {
    if (role !== "gateway" || isOther.test(text)) return;
    if (kind === "query") seen.statements += 1;
    if (kind === "begin" && text.startsWith("begin read write")) seen.writing += 1;
  });
  await work();
  stop();
  return seen;
}

test("fifty devices that come back as they were are eight statements, and three transactions that write", async () => {
  await connectAll(manualStore());
  expect(await counted(() => connectAll(manualStore()))).toEqual({ statements: 8, writing: 3 });
});

test("each socket has an epoch of its own, greater than that of the one before", async () => {
  const before = await connectAll(manualStore());
  const after = await connectAll(manualStore());
  expect(after).toEqual(before.map((epoch) => epoch + 1));
});

test("a report that says something else is kept, and leaves its change, among others that are known", async () => {
  const manual = manualStore();
  const epochs = await connectAll(manual);
  const [one, other] = sites;
  const addressed = { interfaceName: "wan1", addressing: "dhcp" as const, up: true };
  const news = {
    ...reportOf(one),
    lines: [{ ...addressed, address: "198.51.100.9/24" }],
  };
  const asked = sites.map((site, at) => {
    if (site === one) return manual.store.keepReport(site, epochs[at] ?? 0, news);
    return manual.store.keepReport(
      site,
      epochs[at] ?? 0,
      reportOf(site, site === other ? "1.0.1" : "1.0.0"),
    );
  });
  const left = valuesOf(await manual.together(asked));
  expect(left).toEqual(sites.map((site) => site === one));
  const { rows } = await sql<{ version: string; lines: readonly unknown[] }>`
    select version, lines from weft.node_status
    where node_id in (${one.node}, ${other.node}) order by node_id`.execute(owner());
  expect(rows).toEqual([
    { version: "1.0.0", lines: news.lines },
    { version: "1.0.1", lines: reportOf(other).lines },
  ]);
});

test("a report of a socket that was replaced is refused, also where it says what is known", async () => {
  const manual = manualStore();
  const [one] = sites;
  const [epoch = 0] = await connectAll(manual, [one]);
  await connectAll(manual, [one]);
  const [late] = await manual.together([manual.store.keepReport(one, epoch, reportOf(one))]);
  expect(late).toMatchObject({ status: "rejected", reason: { reason: "replaced" } });
});

test("a device that names a link of others is refused alone, with nothing of its message written", async () => {
  const manual = manualStore();
  await connectAll(manual);
  const upOf = async () => {
    const { rows } = await sql<{ up: boolean }>`
      select up from weft.link_status where link_id = any(${sites.map(({ link }) => link)}::bigint[])
      order by link_id`.execute(owner());
    return rows.map(({ up }) => up);
  };
  expect(await upOf()).toEqual(sites.map(() => true));
  const fell = (...links: number[]) => ({
    type: "transition" as const,
    links: links.map((id) => ({ id, up: false })),
  });
  const [one, other] = sites;
  const foreign = sites[20]?.link ?? 0;
  const asked = sites.map((site) => {
    if (site === one) return manual.store.keepTransition(site, fell(site.link, foreign));
    return manual.store.keepTransition(
      site,
      site === other ? fell(site.link, site.link) : fell(site.link),
    );
  });
  const settled = await manual.together(asked);
  const refused = settled.flatMap((result, at) => (result.status === "rejected" ? [at] : []));
  expect(refused).toEqual([0, 1]);
  for (const result of settled.slice(0, 2)) {
    expect(result).toMatchObject({ reason: expect.any(Refused) });
  }
  expect(await upOf()).toEqual(sites.map((site) => site === one || site === other));
});

test("of a device's metrics only what is its own is known, whoever asks beside it", async () => {
  const { store, together } = manualStore();
  const [one, other] = sites;
  const foreign = sites[20]?.link ?? 0;
  const [own, others] = valuesOf(
    await together([
      store.ownMetrics(one.node, [one.link, foreign], []),
      store.ownMetrics(other.node, [one.link, foreign], []),
    ]),
  );
  expect(own).toMatchObject({ links: new Set([one.link]), foreign: new Set([foreign]) });
  // The link of the first ends at the second, who does not probe it.
  expect(others).toMatchObject({ links: new Set([other.link]), foreign: new Set([foreign]) });
});

/** What a plan did: rows that its parts gave on or threw away, in all their runs. */
interface PlanPart {
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Join Filter"?: number;
  readonly Plans?: readonly PlanPart[];
}

const rowsOf = (part: PlanPart): number =>
  part["Actual Loops"] *
    (part["Actual Rows"] +
      (part["Rows Removed by Filter"] ?? 0) +
      (part["Rows Removed by Join Filter"] ?? 0)) +
  (part.Plans ?? []).reduce((sum, inner) => sum + rowsOf(inner), 0);

test.each(["force_custom_plan", "force_generic_plan"])(
  "what devices may send metrics of takes each of them the same rows, however many ask (%s)",
  async (mode) => {
    // The body as PostgreSQL keeps it: a plan says nothing of what a function does inside.
    const body = await sql<{ text: string }>`
    select pg_get_function_sqlbody('weft.own_metrics(bigint[], bigint[], bigint[])'::regprocedure) as text`.execute(
      owner(),
    );
    const [, select = ""] =
      /BEGIN ATOMIC\s+(SELECT .*);\s+END/s.exec(body.rows[0]?.text ?? "") ?? [];
    const names = ["nodes", "asked_by", "asked"];
    const placed = select.replaceAll(
      /\bown_metrics\.(\w+)/g,
      (_, name) => `$${1 + names.indexOf(name)}`,
    );
    expect(placed).toContain("UNNEST($2, $3)");
    const rowsFor = (of: readonly Site[]): Promise<number> =>
      owner()
        .transaction()
        .execute(async (trx) => {
          await sql`set local plan_cache_mode = ${sql.raw(mode)}`.execute(trx);
          // Few rows would be read whole, whatever is asked for.
          await sql`set local enable_seqscan = off`.execute(trx);
          await sql`prepare own (bigint[], bigint[], bigint[]) as ${sql.raw(placed)}`.execute(trx);
          const array = (ids: readonly number[]) => sql.raw(`'{${ids.join()}}'`);
          const asked = of.flatMap((site) =>
            [0, 20, 30].map((at) => [site.node, sites[at]?.link ?? 0]),
          );
          const { rows } = await sql<{ "QUERY PLAN": readonly { readonly Plan: PlanPart }[] }>`
          explain (analyze, timing off, format json) execute own (${array(of.map(({ node }) => node))},
            ${array(asked.map(([node]) => node ?? 0))}, ${array(asked.map(([, link]) => link ?? 0))})`.execute(
            trx,
          );
          await sql`deallocate own`.execute(trx);
          return rowsOf(rows[0]?.["QUERY PLAN"][0]?.Plan as PlanPart);
        });
    const few = await rowsFor(sites.slice(0, 5));
    const all = await rowsFor(sites);
    expect(few).toBeGreaterThan(5);
    // Ten times as many devices; a tenth more for what a plan does once.
    expect(all / few).toBeLessThanOrEqual(11);
  },
);

test("a node that was removed meanwhile fails alone", async () => {
  const { store, together } = manualStore();
  const gone = { ...sites[0], node: 987_654 };
  const open = (site: Site): ReturnType<GatewayStore["openPresence"]> =>
    store.openPresence(site, "here", "192.0.2.1");
  const settled = await together([...sites, gone].map(open));
  expect(settled.map(({ status }) => status)).toEqual([
    ...sites.map(() => "fulfilled"),
    "rejected",
  ]);
});

test("a row that others hold delays its own device only", async () => {
  const { store, together } = manualStore();
  const [held, ...free] = sites;
  let late: Promise<number> | undefined;
  await owner()
    .transaction()
    .execute(async (trx) => {
      await sql`select from weft.node_status where node_id = ${held.node} for update`.execute(trx);
      late = store.openPresence(held, "here", "192.0.2.1");
      const others = free.map((site) => store.openPresence(site, "here", "192.0.2.1"));
      expect(valuesOf(await together(others)).length).toBe(free.length);
    });
  const [epoch] = valuesOf(await together([late as Promise<number>]));
  expect(epoch).toBeGreaterThan(0);
});

test("a key that a device reports waits for the row of its device only", async () => {
  const { store, together } = manualStore();
  const held = sites.slice(0, 20);
  const free = sites.slice(20);
  const pinsOf = (of: readonly Site[]) => of.map((site) => store.keepPin(site, "another key"));
  let late: readonly Promise<void>[] = [];
  await owner()
    .transaction()
    .execute(async (trx) => {
      await sql`select from weft.node_identity
        where node_id = any (${held.map(({ node }) => node)}::bigint[]) for update`.execute(trx);
      late = pinsOf(held);
      valuesOf(await together(pinsOf(free)));
    });
  valuesOf(await together(late));
  const { rows } = await sql<{ pinned: string; n: number }>`
    select pinned_key as pinned, count(*)::int as n from weft.node_identity group by 1`.execute(
    owner(),
  );
  expect(rows).toEqual([{ pinned: "another key", n: count }]);
});
