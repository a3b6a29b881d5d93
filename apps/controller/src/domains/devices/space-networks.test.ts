/** Which networks of two sites of a space collide: the rule of the database that saves, triggers and findings share. */
import { addressOf, isWithin, networkOf } from "@weft/contract/rules/address.ts";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withClient } from "#db/embedded/login.ts";
import { type TestDatabase, testDatabase } from "#db/testing.ts";

type Kind = "lan" | "pool" | "announced" | "shared" | "route";
interface Network {
  readonly node_id?: number;
  readonly service_id?: number;
  readonly network: string;
  readonly kind: Kind;
}

/** Sites of the space; the POP of its mobile clients; the site that gets networks; the enterprise. */
const [sh1, sh2, sh3, sh4, sh5, pop, own, enterprise] = [1, 2, 3, 4, 5, 20, 30, 1];
const space = 1;
const names: Readonly<Record<number, string>> = {
  [sh1]: "SH-01",
  [sh2]: "SH-02",
  [sh3]: "SH-03",
  [sh4]: "SH-04",
  [sh5]: "SH-05",
  [pop]: "clients",
  [own]: "own",
};

let database: TestDatabase<unknown>;
beforeAll(async () => {
  database = await testDatabase();
  await withClient(database.url, async (client) => {
    await client.query("set search_path = weft, public; set session_replication_role = replica");
    await client.query(
      "insert into enterprise (id, name, created_by) overriding system value values (1, 'e', 1)",
    );
    for (const [id, name] of Object.entries(names)) {
      const kind = name === "clients" ? "pop" : "cpe";
      await client.query(
        `insert into node (id, enterprise_id, kind, name, sn, created_by) overriding system value
         values ($1, 1, $2, $3, $3, 1)`,
        [id, kind, name],
      );
      await client.query("insert into space_member values (1, 1, 1, $1, $2)", [id, kind]);
    }
    await client.query(`insert into net_space (id, enterprise_id, name, topology, created_by)
      overriding system value values (1, 1, 's', 0, 1)`);
    await client.query(
      `insert into lan_section (enterprise_id, node_id, interface_name, network, network6) values
       (1, ${sh1}, 'lan1', '10.1.1.1/24', 'fd00:1::1/64')`,
    );
    await client.query(
      `insert into static_route (enterprise_id, node_id, destination, next_hop, metric, announce) values
       (1, ${sh2}, '10.9.0.0/16', '10.250.0.1', 1, true), (1, ${sh3}, '10.20.4.0/24', '10.250.0.1', 1, false),
       (1, ${sh4}, '0.0.0.0/0', '10.250.0.1', 1, true)`,
    );
    await client.query(
      `insert into route_notice (enterprise_id, node_id, network, enabled, preference) values
       (1, ${sh5}, '10.50.0.0/16', true, 1)`,
    );
    await client.query(
      `insert into client_service (enterprise_id, enabled, space_id, pop_id, pool, routes, terminal_types)
       values (1, true, 1, ${pop}, '10.30.0.0/24', '{}', '{}')`,
    );
  });
}, 60_000);
afterAll(() => database.drop());

interface Row {
  readonly node_id: number | null;
  readonly network: string;
  readonly other_node_id: number | null;
  readonly other_network: string;
}
const inDatabase = <Result>(run: (client: pg.Client) => Promise<Result>): Promise<Result> =>
  withClient(database.url, async (client) => {
    await client.query("set search_path = weft, public");
    return run(client);
  });

/** "drafted network / name of the other site, its network", in the order of refusals. */
const collisions = (drafted: readonly Network[], members: number[] | null = null) =>
  inDatabase(async (client) => {
    const { rows } = await client.query<Row>(
      "select * from network_collisions($1, $2, $3) order by place",
      [space, members, JSON.stringify(drafted)],
    );
    return rows.map(
      (row) => `${row.network} / ${names[Number(row.other_node_id)]} ${row.other_network}`,
    );
  });

test.each<[string, Kind, string | null]>([
  ["10.2.0.0/16", "announced", null],
  // Inside another site's section, or all of it.
  ["10.1.1.128/25", "announced", "SH-01"],
  ["10.1.1.128/25", "route", "SH-01"],
  ["10.1.1.0/24", "announced", "SH-01"],
  ["fd00:1::/64", "announced", "SH-01"],
  ["10.30.0.7/32", "route", "clients"],
  // A summary over sections: theirs are longer.
  ["10.1.0.0/16", "announced", null],
  // The network that another announces; a part of it is a longer prefix of its own.
  ["10.9.0.0/16", "announced", "SH-02"],
  ["10.9.0.0/16", "route", "SH-02"],
  ["10.9.3.0/24", "announced", null],
  ["fd00::/8", "announced", null],
  // A network of its own that another one's section shares, announces in part, or has a way to.
  ["10.1.0.1/16", "lan", "SH-01"],
  ["10.9.3.1/24", "lan", null],
  ["10.9.0.1/16", "lan", "SH-02"],
  ["10.8.0.1/14", "lan", "SH-02"],
  ["10.20.0.1/16", "lan", "SH-03"],
  ["10.30.0.0/16", "pool", "clients"],
  // What another announces to all, one has a way of its own to; ways of two sites are their own.
  ["10.20.4.0/24", "announced", "SH-03"],
  ["10.20.4.0/24", "route", null],
  // What both say that they share, and what only one of them says.
  ["10.50.0.0/16", "shared", null],
  ["10.50.0.0/16", "announced", "SH-05"],
  ["10.50.0.0/16", "route", "SH-05"],
  // A second site through which the others leave; one that leaves by itself.
  ["0.0.0.0/0", "announced", "SH-04"],
  ["0.0.0.0/0", "route", null],
])("%s (%s) beside what other sites bring in", async (network, kind, other) => {
  const found = await collisions([{ node_id: own, network, kind }]);
  expect(found[0]?.split(" ")[2] ?? null).toBe(other);
});

test("what collides already is not named, and a site never collides with itself", async () => {
  const network = "10.1.1.0/24";
  expect(await collisions([{ node_id: sh1, network, kind: "announced" }])).toEqual([]);
  expect(
    await collisions([{ service_id: enterprise, network: "10.30.0.0/25", kind: "pool" }]),
  ).toEqual([]);
});

test("a route to a network that its site shares is no network beside that", async () => {
  const network = "10.50.0.0/16";
  const route: Network = { node_id: own, network, kind: "route" };
  expect(await collisions([route])).toEqual([`${network} / SH-05 ${network}`]);
  expect(await collisions([route, { ...route, kind: "shared" }])).toEqual([]);
});

test("drafted networks of two sites are named on both, beside no member but the given ones", async () => {
  const drafted: Network[] = [
    { node_id: own, network: "10.1.1.9/24", kind: "lan" },
    { node_id: sh2, network: "10.1.1.128/25", kind: "announced" },
  ];
  expect(await collisions(drafted, [])).toEqual([
    "10.1.1.9/24 / SH-02 10.1.1.128/25",
    "10.1.1.128/25 / own 10.1.1.9/24",
  ]);
  expect(await collisions(drafted)).toEqual([
    "10.1.1.9/24 / SH-01 10.1.1.1/24",
    "10.1.1.9/24 / SH-02 10.1.1.128/25",
    "10.1.1.128/25 / SH-01 10.1.1.1/24",
    "10.1.1.128/25 / own 10.1.1.9/24",
  ]);
});

test("few networks are looked up by an index, many are compared with all of the space alike", async () => {
  const one: Network = { node_id: own, network: "10.1.1.128/25", kind: "announced" };
  const rest = Array.from(
    { length: 30 },
    (_, at): Network => ({ ...one, network: `10.60.${at}.0/24` }),
  );
  expect(await collisions([one, ...rest])).toEqual(await collisions([one]));
  expect(await collisions([one])).toEqual(["10.1.1.128/25 / SH-01 10.1.1.1/24"]);
});

test("networks that overlap with a drafted one are looked up by enterprise and prefix in every table", () =>
  inDatabase(async (client) => {
    await client.query("set enable_seqscan = off; set enable_bitmapscan = off");
    const { rows } = await client.query<{ "QUERY PLAN": string }>(
      `explain select * from configured_network
       where enterprise_id = 1::bigint and prefix && '10.1.1.0/24'::inet`,
    );
    const lines = rows.map((row) => row["QUERY PLAN"]);
    const used = lines.flatMap((line) => /Index Scan using (\w+)/.exec(line)?.[1] ?? []);
    expect(used).toEqual([
      "lan_section_prefix",
      "lan_section_prefix6",
      "static_route_prefix",
      "route_notice_prefix",
    ]);
    const conditions = lines.filter((line) => line.includes("Index Cond: "));
    for (const condition of conditions) expect(condition).toMatch(/enterprise_id = .* && /);
  }));

describe("beside a comparison of all pairs", () => {
  /** Two of them are a hot-standby pair, and half of them another enterprise's. */
  const sites = [101, 102, 103, 104, 105, 106];
  const siteOf = (node: number): number => (node === 103 ? 101 : node);
  const enterpriseOf = (node: number): number => (node % 2 === 0 ? 2 : 1);
  let seed = 7;
  /** The numbers of a linear congruential generator (Numerical Recipes), so that a failure is found again. */
  const below = (limit: number): number => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((seed / 2 ** 32) * limit);
  };
  const pick = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  /** Of a small part of each family, so that many overlap. */
  const randomNetwork = (): string =>
    below(4) === 0
      ? `fd00:0:0:${below(4)}::/${pick([60, 62, 63, 64])}`
      : `10.${below(2)}.${below(8) * 32}.0/${pick([8, 14, 16, 18, 19, 20])}`;
  const existing: (Network & { readonly node_id: number })[] = [];
  beforeAll(() =>
    inDatabase(async (client) => {
      await client.query("set session_replication_role = replica");
      await client.query(
        "insert into enterprise (id, name, created_by) overriding system value values (2, 'f', 1)",
      );
      await client.query(`insert into net_space (id, enterprise_id, name, topology, created_by)
        overriding system value values (2, 1, 't', 0, 1)`);
      for (const node of sites) {
        const role = new Map([
          [101, "active"],
          [103, "standby"],
        ]).get(node);
        await client.query(
          `insert into node (id, enterprise_id, kind, name, sn, created_by, hot_standby_group, hot_standby_role,
             hot_standby_priority)
           overriding system value values ($1, $2, 'cpe', $3, $3, 1, $4, $5, $4)`,
          [node, enterpriseOf(node), `site-${node}`, role === undefined ? null : 9, role ?? null],
        );
        await client.query("insert into space_member values (1, 2, $2, $1, 'cpe')", [
          node,
          enterpriseOf(node),
        ]);
        const own = new Set<string>();
        for (let at = 0; at < 12; at += 1) {
          const network = networkOf(randomNetwork());
          const kind = pick<Kind>(["lan", "announced", "shared", "route"]);
          if (own.has(network)) continue;
          own.add(network);
          existing.push({ node_id: node, network, kind });
          const values = [enterpriseOf(node), node, network];
          if (kind === "lan")
            await client.query(
              `insert into lan_section (enterprise_id, node_id, interface_name, network)
               values ($1, $2, 'lan${at}', $3)`,
              values,
            );
          else if (kind === "shared")
            await client.query(
              `insert into route_notice (enterprise_id, node_id, network, enabled, preference)
               values ($1, $2, $3, true, 1)`,
              values,
            );
          else
            await client.query(
              `insert into static_route (enterprise_id, node_id, destination, next_hop, metric, announce)
               values ($1, $2, $3, '10.250.0.1', 1, ${kind === "announced"})`,
              values,
            );
        }
      }
    }),
  );

  const isOwn = ({ kind }: Network): boolean => kind === "lan" || kind === "pool";
  const collide = (inner: Network, outer: Network): boolean =>
    isWithin(outer.network, addressOf(inner.network)) &&
    lengthOf(outer) <= lengthOf(inner) &&
    (isOwn(outer) ||
      (networkOf(outer.network) === networkOf(inner.network) &&
        !(outer.kind === inner.kind && ["route", "shared"].includes(inner.kind))));
  const lengthOf = ({ network }: Network): number => Number(network.split("/")[1]);
  const textOf = (one: Network, other: Network): string =>
    [one, other].map(({ node_id, network, kind }) => `${node_id} ${network} ${kind}`).join(" / ");

  type Claimed = readonly (Network & { readonly node_id: number })[];
  /** "node network kind / those of the other" of each drafted network and each one of all that it collides with. */
  const compared = (drafted: Claimed, all: Claimed = [...drafted, ...existing]): string[] => {
    const acting = all.filter(
      ({ node_id, network, kind }) =>
        kind !== "route" ||
        !all.some(
          (other) =>
            other.kind === "shared" &&
            siteOf(other.node_id) === siteOf(node_id) &&
            other.network === network,
        ),
    );
    return acting.flatMap((one) =>
      drafted.includes(one)
        ? acting
            .filter((other) => siteOf(other.node_id) !== siteOf(one.node_id))
            .filter((other) => collide(one, other) || collide(other, one))
            .map((other) => textOf(one, other))
        : [],
    );
  };

  test("findings of the whole space name the same networks, each by its node", async () => {
    const { rows } = await inDatabase((client) =>
      client.query<{ readonly node_id: string; readonly kind: string; readonly object: string }>(
        "select node_id, kind, object from network_findings(array[2::bigint])",
      ),
    );
    const named = rows.map(({ node_id, kind, object }) => `${node_id} ${object} ${kind}`);
    const colliding = compared(existing, existing).map((pair) =>
      pair.split(" / ")[0]?.replace(/announced|shared/, "announce"),
    );
    expect(colliding.length).toBeGreaterThan(20);
    expect(named.sort()).toEqual([...new Set(colliding)].sort());
  });

  test.each([1, 3, 16, 17, 40])("%i drafted networks collide with the same ones", async (count) => {
    let all = 0;
    for (let round = 0; round < 10; round += 1) {
      const drafted = Array.from({ length: count }, () => ({
        node_id: pick(sites),
        network: networkOf(randomNetwork()),
        kind: pick<Kind>(["lan", "announced", "shared", "route"]),
      }));
      const { rows } = await inDatabase((client) =>
        client.query<Row & { readonly kind: Kind; readonly other_kind: Kind }>(
          "select * from network_collisions(2, null, $1)",
          [JSON.stringify(drafted)],
        ),
      );
      const found = rows.map(
        ({ node_id, network, kind, other_node_id, other_network, other_kind }) =>
          textOf(
            { node_id: Number(node_id), network, kind },
            { node_id: Number(other_node_id), network: other_network, kind: other_kind },
          ),
      );
      expect([...new Set(found)].sort()).toEqual([...new Set(compared(drafted))].sort());
      all += found.length;
    }
    expect(all).toBeGreaterThan(count);
  });
});
