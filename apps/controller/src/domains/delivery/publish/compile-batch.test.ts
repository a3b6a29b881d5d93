/** Many nodes are compiled on one snapshot: at what cost, to the same states as one by one, and no node pays for another. */
import { sql } from "kysely";
import type pg from "pg";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { withClient } from "#db/embedded/login.ts";
import { nodeLock, withTriedLock } from "#db/locks.ts";
import { ownWork } from "#db/one-connection.ts";
import { waitingSessions } from "#db/testing.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { eventually } from "../../../../test/loop-world.ts";
import { type MixedFleet, mixedFleet } from "../../../../test/mixed-fleet.ts";
import { compileNode } from "../../../../test/one-node.ts";
import { createCompiler } from "./compile-marked.ts";
import { compileNodes, type Outcome } from "./compile-node.ts";

const logger = pino({ level: "silent" });
let api: TestApi;
let fleet: MixedFleet;
/** Sites of no space and without any row beside their own. */
let plain: readonly number[];
beforeAll(async () => {
  api = await testApi();
  fleet = await mixedFleet(api, await api.logIn("admin"), 7);
  const rows = await fleet.run(sql<{ id: number }>`
    insert into weft.node (enterprise_id, kind, name, sn)
    select 1, 'cpe', 'plain-' || n, 'plain-' || n from generate_series(1, 200) n returning id`);
  plain = rows.map(({ id }) => id);
  await fleet.mark([...fleet.all, ...plain]);
  await compile();
}, 120_000);
afterAll(() => api.close());
beforeEach(async () => {
  await compile();
  expect(await marks()).toEqual([]);
});

const pools = () => api.database.pools;
/** What a worker would do now, in batches of this many nodes; gives the nodes with a new state. */
async function compile(nodes = 200, rows = 1_000_000): Promise<number[]> {
  const published: number[] = [];
  const limits = { nodes, rows };
  const compiler = createCompiler(
    pools(),
    logger,
    (node) => published.push(node),
    undefined,
    limits,
  );
  while ((await compiler.run()) === 0);
  return published.sort(byId);
}
const byId = (one: number, other: number): number => one - other;
const marks = async (): Promise<number[]> =>
  (
    await fleet.run(sql<{ id: number }>`
      select node_id as id from weft.compile_mark order by 1`)
  ).map(({ id }) => id);
const renamed = async (nodes: readonly number[]): Promise<void> => {
  await fleet.run(
    sql`update weft.node set name = name || '+' where id = any(${[...nodes]}::bigint[])`,
  );
  await fleet.mark(nodes);
};
/** Each of these nodes has a change of its own, and no other. */
const marked = async (nodes: readonly number[]): Promise<void> => {
  await fleet.run(
    sql`update weft.node set name = name || '+' where id = any(${[...nodes]}::bigint[])`,
  );
  await fleet.run(sql`insert into weft.compile_mark (node_id, enterprise_id, cause, created_by, causes)
    select id, enterprise_id, 'test', 1, '[]' from weft.node where id = any(${[...nodes]}::bigint[])`);
};
interface NewestState {
  readonly serial: number;
  readonly outcome: string;
}
const newestOf = async (nodes: readonly number[]): Promise<ReadonlyMap<number, NewestState>> => {
  const rows = await fleet.run(sql<NewestState & { readonly node: number }>`
    select distinct on (node_id) node_id as node, serial, outcome from weft.node_state
    where node_id = any(${[...nodes]}::bigint[]) order by node_id, epoch desc, serial desc`);
  return new Map(rows.map(({ node, ...state }) => [node, state]));
};
const allOf = (nodes: readonly number[], outcome: Outcome): ReadonlyMap<number, Outcome> =>
  new Map(nodes.map((node) => [node, outcome]));

/** Statements and transactions of a worker meanwhile. */
async function counted(work: () => Promise<unknown>) {
  const seen = { transactions: 0, statements: 0 };
  const stop = pools().onQuery(({ role, kind }) => {
    if (role !== "worker") return;
    if (kind === "begin") seen.transactions += 1;
    if (kind === "query") seen.statements += 1;
  });
  await work();
  stop();
  return seen;
}

describe("states of many nodes", () => {
  test.each([1, 20, 200])("of %i nodes cost the statements of one", async (count) => {
    const nodes = plain.slice(0, count);
    await marked(nodes);
    const seen = await counted(async () => {
      expect(await compileNodes(pools(), nodes)).toEqual(allOf(nodes, "published"));
    });
    expect(seen.transactions).toBe(1);
    expect(seen.statements).toBeLessThanOrEqual(36);
    expect(await marks()).toEqual([]);
  });

  test("with another list of networks are made in one transaction, also of more than a batch of compiles", async () => {
    const [space] = await fleet.run(sql<{ id: number }>`
      insert into weft.net_space (enterprise_id, name, topology, created_by) values (1, 'wide', 0, 1) returning id`);
    const spaceId = space?.id ?? 0;
    const made = await fleet.run(sql<{ id: number }>`
      insert into weft.node (enterprise_id, kind, name, sn)
      select 1, 'cpe', 'member-' || n, 'member-' || n from generate_series(1, 450) n returning id`);
    const [site = 0, ...others] = made.map(({ id }) => id);
    await fleet.run(sql`insert into weft.space_member (enterprise_id, space_id, node_enterprise_id, node_id, kind)
      select 1, ${spaceId}, 1, id, 'cpe' from unnest(${[site, ...others]}::bigint[]) id`);
    await fleet.mark([site, ...others]);
    await compile();
    await fleet.run(sql`insert into weft.lan_section (enterprise_id, node_id, interface_name, network)
      values (1, ${site}, 'lan7', '10.77.1.1/24')`);
    await fleet.run(sql`insert into weft.compile_mark (node_id, enterprise_id, cause, created_by, causes, networks_only)
      select id, 1, 'test', 1, '[]', true from unnest(${others}::bigint[]) id`);
    const published: number[] = [];
    const compiler = createCompiler(pools(), logger, (node) => published.push(node));
    const seen = await counted(() => compiler.run());
    expect(published.sort(byId)).toEqual(others);
    expect(seen.transactions).toBe(1);
    const lists = await fleet.run(sql<{ list: unknown }>`
      select distinct c.content::jsonb -> 'networks' as list
      from unnest(${others}::bigint[]) id
      cross join lateral (select sections from weft.node_state s where s.node_id = id order by serial desc limit 1) n
      join weft.space_section c on c.space_id = ${spaceId} and c.hash = n.sections ->> ${`space.${spaceId}`}`);
    expect(lists).toEqual([{ list: ["10.77.1.0/24"] }]);
  }, 120_000);

  test("are the states that each node has by itself", async () => {
    const [pinned = 0, held = 0] = fleet.sites;
    await fleet.run(sql`insert into weft.node_pin (node_id, enterprise_id, epoch, serial, announced, login_name, created_by)
      select node_id, enterprise_id, epoch, serial, '{}', 'admin', 1 from weft.node_state
      where node_id = ${pinned} and serial = 1`);
    await fleet.run(sql`insert into weft.acl_rule (enterprise_id, node_id, section, name, action, protocol, src_ip)
      select enterprise_id, id, 0, 'lost-' || n, 0, 'any', '172.31.' || n || '.0/24'
      from weft.node, generate_series(1, 30) n where id = ${held}`);
    await fleet.run(
      sql`update weft.node_config set items = items || '{"nXACLEnabled": "1"}' where node_id = ${held}`,
    );
    await fleet.mark([held]);
    await compile();
    // No call says that they go.
    await fleet.run(sql`delete from weft.acl_rule where node_id = ${held} and name like 'lost-%'`);
    await renamed(fleet.all);
    expect(await compileNodes(pools(), fleet.all)).toEqual(
      new Map(fleet.all.map((node) => [node, node === held ? "held" : "published"])),
    );
    const together = await newestOf(fleet.all);
    // One by one there is nothing to publish: the sections are the same.
    await fleet.mark(fleet.all);
    for (const node of fleet.all) expect(await compileNode(pools(), node)).toBe("unchanged");
    expect(await newestOf(fleet.all)).toEqual(together);
    // And the other way round.
    await renamed(fleet.all);
    const alone: [number, Outcome][] = [];
    for (const node of fleet.all) alone.push([node, await compileNode(pools(), node)]);
    expect(alone.filter(([, outcome]) => outcome !== "published")).toEqual([[held, "held"]]);
    const states = await newestOf(fleet.all);
    await fleet.mark(fleet.all);
    expect(await compileNodes(pools(), fleet.all)).toEqual(allOf(fleet.all, "unchanged"));
    expect(await newestOf(fleet.all)).toEqual(states);
  }, 120_000);

  test("are made one by one of nodes that have too many rows", async () => {
    const nodes = plain.slice(0, 8);
    await marked(nodes);
    const seen = await counted(async () => expect(await compile(200, -1)).toEqual([...nodes]));
    expect(seen.transactions).toBe(nodes.length);
  });
});

describe("two workers at once", () => {
  /** Both work until nothing is left that they can do; gives what each published. */
  const both = async (): Promise<number[][]> => {
    const published: number[][] = [[], []];
    const compilers = published.map((made) =>
      createCompiler(pools(), logger, (node) => made.push(node)),
    );
    const done = async (): Promise<boolean> => (await marks()).length <= 1;
    await eventually(
      async () => {
        await Promise.all(compilers.map((compiler) => compiler.run()));
        return done();
      },
      "all is compiled",
      60_000,
    );
    return published;
  };
  const serials = async () =>
    new Map([...(await newestOf(plain))].map(([id, s]) => [id, s.serial]));

  test("make one state for each of 200 marked nodes, each of them one of the two", async () => {
    const before = await serials();
    await marked(plain);
    expect((await both()).flat().sort(byId)).toEqual([...plain]);
    expect(await marks()).toEqual([]);
    expect(await serials()).toEqual(new Map([...before].map(([id, serial]) => [id, serial + 1])));
  }, 120_000);

  test("leave the one of 200 whose rows cannot be read at its mark, and make states for all others", async () => {
    const odd = plain[123] as number;
    const others = plain.filter((node) => node !== odd);
    await fleet.run(sql`insert into weft.dns_entry (enterprise_id, node_id, type, domain, address)
      values (1, ${odd}, 0, 'hidden.example.com', '10.0.0.1')`);
    const before = await serials();
    await marked(plain);
    await pools().owner.pg.query(`create policy hidden on weft.dns_entry as restrictive
      for select to ${pools().worker.name} using (node_id <> ${odd})`);
    try {
      expect((await both()).flat().sort(byId)).toEqual(others);
      expect(await marks()).toEqual([odd]);
    } finally {
      await pools().owner.pg.query("drop policy hidden on weft.dns_entry");
    }
    const after = await serials();
    expect(others.filter((node) => after.get(node) !== (before.get(node) ?? 0) + 1)).toEqual([]);
    await fleet.mark([odd]);
    expect(await compile()).toEqual([odd]);
  }, 120_000);
});

test("an undecryptable secret among 200 marks fails only its own object, with a finding", async () => {
  const names = ["policy.routerBgp", "tcp.md5"].map((name) => ({ name, can: true, reason: null }));
  const [at] = await fleet.run(sql<{ node: number; lan: string }>`
    select s.node_id as node, host(s.network::inet) as lan from weft.lan_section s
    where s.enable_forward and coalesce(s.vlan, 0) = 0
      and s.node_id in (select a_node_id from weft.link union select b_node_id from weft.link)
      and s.node_id not in (select node_id from weft.node_pin)
    order by s.id limit 1`);
  const { node, lan } = at ?? { node: 0, lan: "" };
  await fleet.run(sql`update weft.node_status set capabilities = ${JSON.stringify(names)}::jsonb
    where node_id = ${node}`);
  const { vault } = api.app.weft;
  await fleet.run(sql`insert into weft.router_bgp (enterprise_id, node_id, asn, neighbor_ip, neighbor_asn, networks,
      password, enabled)
    select enterprise_id, id, 64900, host(${lan}::inet + 8), 64901, '', ${`sealed:${vault.keyId}:AAAA`}, true
    from weft.node where id = ${node}`);
  const nodes = [...plain.slice(0, 199), node].sort(byId);
  await marked(nodes);
  const published: number[] = [];
  const compiler = createCompiler(pools(), logger, (one) => published.push(one), vault);
  while ((await compiler.run()) === 0);
  expect(published.sort(byId)).toEqual(nodes);
  expect(await marks()).toEqual([]);
  expect(
    await fleet.run(sql`select family, reason, params from weft.policy_finding
      where node_id = ${node} and family = 'routerBgp'`),
  ).toEqual([{ family: "routerBgp", reason: "secretUnusable", params: { field: "password" } }]);
});

describe("among many nodes", () => {
  const nodes = () => plain.slice(0, 16);
  const odd = () => plain[5] as number;
  const others = () => nodes().filter((node) => node !== odd());

  test("one that cannot be compiled has its reason at its mark, and the others their states", async () => {
    await api.database.pools.owner.pg.query(
      "alter table weft.acl_rule disable trigger acl_room_insert",
    );
    await fleet.run(sql`insert into weft.acl_rule (enterprise_id, node_id, section, name, action, protocol, src_ip)
      select 1, ${odd()}, 0, 'r', 0, 'any', '10.1.0.0/24' from generate_series(1, 10001) n`);
    await api.database.pools.owner.pg.query(
      "alter table weft.acl_rule enable trigger acl_room_insert",
    );
    await marked(nodes());
    const seen = await counted(async () => expect(await compile()).toEqual(others()));
    expect(seen.transactions).toBe(1);
    expect(await marks()).toEqual([odd()]);
    const failures = await fleet.run(sql<{ code: string }>`
      select failure ->> 'code' as code from weft.compile_mark`);
    expect(failures).toEqual([{ code: "tooLarge" }]);
    await fleet.run(sql`delete from weft.acl_rule where node_id = ${odd()}`);
    await fleet.mark([odd()]);
    expect(await compile()).toEqual([odd()]);
  });

  test("one whose rows cannot be read is found in halves, and is by itself from then on", async () => {
    await fleet.run(sql`insert into weft.dns_entry (enterprise_id, node_id, type, domain, address)
      values (1, ${odd()}, 0, 'hidden.example.com', '10.0.0.1')`);
    await marked(nodes());
    await pools().owner.pg.query(`create policy hidden on weft.dns_entry as restrictive
      for select to ${pools().worker.name} using (node_id <> ${odd()})`);
    try {
      const published: number[] = [];
      const compiler = createCompiler(pools(), logger, (node) => published.push(node));
      const seen = await counted(() => compiler.run());
      expect(published.sort(byId)).toEqual(others());
      // 16, 8, 4, 2 and 1 with it, and the other half each time.
      expect(seen.transactions).toBe(9);
      expect(await marks()).toEqual([odd()]);
      await marked(others());
      await fleet.mark([odd()]);
      expect((await counted(() => compiler.run())).transactions).toBe(2);
    } finally {
      await pools().owner.pg.query("drop policy hidden on weft.dns_entry");
    }
    await fleet.mark([odd()]);
    expect(await compile()).toEqual([odd()]);
  });

  test("one that another process compiles keeps its mark", async () => {
    await marked(nodes());
    await pools()
      .worker.db.connection()
      .execute((db) =>
        withTriedLock(db, nodeLock(odd()), async () => {
          const outcomes = await ownWork(() => compileNodes(pools(), nodes()));
          expect(outcomes).toEqual(
            new Map(nodes().map((node) => [node, node === odd() ? "busy" : "published"])),
          );
          expect(await ownWork(marks)).toEqual([odd()]);
        }),
      );
    expect(await compile()).toEqual([odd()]);
  });

  /**
   * Runs something while a batch has read everything and waits for a table, which the given connection holds. The batch has
   * written its findings when it waits for `task`: what concerns their nodes would wait for the batch in turn.
   */
  async function meanwhile<T>(
    table: "task" | "policy_finding",
    batch: () => Promise<T>,
    work: (blocker: pg.PoolClient) => Promise<unknown>,
  ): Promise<PromiseSettledResult<T>> {
    const blocker = await pools().owner.pg.connect();
    const mode = table === "task" ? "exclusive" : "access exclusive";
    await blocker.query(`begin; lock table weft.${table} in ${mode} mode`);
    const [compiled] = [Promise.allSettled([batch()])];
    try {
      await eventually(async () => {
        const { rows } = await blocker.query(waitingSessions);
        return rows[0]?.n > 0;
      }, "the batch waits");
      await work(blocker);
    } finally {
      await blocker.query("commit");
      blocker.release();
    }
    return (await compiled)[0];
  }

  test("one that is edited meanwhile is compiled once more", async () => {
    await marked(nodes());
    const batch = () => compileNodes(pools(), nodes());
    const result = await meanwhile("task", batch, async () => {
      // A new name would wait for the batch, which refers to the node.
      await fleet.run(sql`insert into weft.line (enterprise_id, node_id, slot, name, interface_name, addressing, mtu)
        values (1, ${odd()}, 1, 'one', 'wan1', 'dhcp', 1400)`);
      await fleet.run(
        sql`update weft.compile_mark set generation = generation + 1 where node_id = ${odd()}`,
      );
    });
    expect(result).toEqual({ status: "fulfilled", value: allOf(nodes(), "published") });
    expect(await marks()).toEqual([odd()]);
    expect(await compile()).toEqual([odd()]);
  });

  test("one whose state is sent meanwhile has the batch done once more in halves", async () => {
    await renamed(nodes());
    await compile();
    const before = await newestOf(nodes());
    await marked(nodes());
    const seen = { transactions: 0 };
    const result = await meanwhile(
      "policy_finding",
      async () => {
        Object.assign(seen, await counted(async () => expect(await compile()).toEqual(nodes())));
      },
      () =>
        fleet.run(sql`update weft.node_state set outcome = 'delivered' where node_id = ${odd()}
          and outcome = 'waiting'`),
    );
    expect(result).toMatchObject({ status: "fulfilled" });
    expect(seen.transactions).toBe(3);
    const [sent] = await fleet.run(sql<{ outcome: string }>`
      select outcome from weft.node_state where node_id = ${odd()}
        and serial = ${before.get(odd())?.serial ?? 0}`);
    expect(sent).toEqual({ outcome: "delivered" });
  });

  test("one that is removed meanwhile ends with its mark, and the others have their states", async () => {
    const [gone] = await fleet.run(sql<{ id: number }>`
      insert into weft.node (enterprise_id, kind, name, sn) values (1, 'cpe', 'gone', 'gone') returning id`);
    await marked([...nodes(), gone?.id ?? 0]);
    const result = await meanwhile("policy_finding", compile, (blocker) =>
      blocker.query("delete from weft.node where id = $1", [gone?.id]),
    );
    expect(result).toEqual({ status: "fulfilled", value: [...nodes()] });
    expect(await marks()).toEqual([]);
  });

  test("one that moves to another enterprise meanwhile gets no state with what the former one had", async () => {
    const [sister] = await fleet.run(sql<{ id: number }>`
      insert into weft.enterprise (parent_id, name) values (1, 'sister') returning id`);
    const [moving] = await fleet.run(sql<{ id: number }>`
      insert into weft.node (enterprise_id, kind, name, sn) values (1, 'cpe', 'moving', 'moving') returning id`);
    await marked([...nodes(), moving?.id ?? 0]);
    const result = await meanwhile("policy_finding", compile, (blocker) =>
      blocker.query("update weft.node set enterprise_id = $1 where id = $2", [
        sister?.id,
        moving?.id,
      ]),
    );
    expect(result).toMatchObject({ status: "fulfilled" });
    await compile();
    expect(await marks()).toEqual([]);
    const states = await fleet.run(sql`
      select enterprise_id, outcome from weft.node_state where node_id = ${moving?.id}`);
    expect(states).toEqual([{ enterprise_id: sister?.id, outcome: "waiting" }]);
  });

  test("none has a state of a batch that breaks off, and all are compiled later", async () => {
    const before = await newestOf(nodes());
    await marked(nodes());
    const batch = () => compileNodes(pools(), nodes());
    const result = await meanwhile("task", batch, () =>
      withClient(api.database.url, (client) =>
        client.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`),
      ),
    );
    expect(result).toMatchObject({ status: "rejected" });
    expect(await newestOf(nodes())).toEqual(before);
    expect(await marks()).toEqual([...nodes()]);
    expect(await compile()).toEqual([...nodes()]);
  });
});
