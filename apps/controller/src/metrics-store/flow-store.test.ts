/** Records of flows on the real engine: what was put in is paged, ranked and summed there. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { storeOn, ways } from "../../test/metrics-engines.ts";
import type { FlowRow } from "./flow-schema.ts";
import type { MeasureStore } from "./store.ts";

const minute = 60_000;
const noon = Math.floor(Date.now() / 3_600_000) * 3_600_000 - 3_600_000;
const range = { from: noon, to: noon + 60 * minute };
const all = { nodeId: 1, enterpriseIds: null, range };
const first = { page: 1, limit: 10 };

const flow = (own: Partial<FlowRow>): FlowRow => ({
  node_id: 1,
  enterprise_id: 5,
  account_id: 0,
  at: noon,
  duration_ms: 2_000,
  source: "10.1.1.9",
  source_port: 50_000,
  destination: "203.0.113.7",
  destination_port: 443,
  protocol: 6,
  application: "tls",
  user: "",
  url: "",
  denied: false,
  in_bytes: 1_000,
  out_bytes: 10,
  rtt_ms: null,
  jitter_ms: null,
  loss_percent: null,
  ...own,
});

describe.each(ways)("%s:", (_, open) => {
  let world: Awaited<ReturnType<typeof storeOn>>;
  let store: MeasureStore;

  beforeAll(async () => {
    world = await storeOn(open);
    ({ store } = world);
    await store.flows.insert([
      flow({ at: noon + minute }),
      flow({ at: noon + 2 * minute, application: "video", in_bytes: 9_000, user: "li.na" }),
      flow({ at: noon + 3 * minute, url: "a.example/x", rtt_ms: 20, account_id: 3 }),
      flow({ at: noon + 4 * minute, url: "b.example/y", denied: true, in_bytes: 0, out_bytes: 60 }),
      flow({ at: noon + 5 * minute, url: "b.example/z", denied: true, in_bytes: 0, out_bytes: 60 }),
      flow({ at: noon + 6 * minute, enterprise_id: 6, source: "fd00::1", application: "" }),
      flow({ node_id: 2 }),
    ]);
  }, 60_000);
  afterAll(() => world.end());

  test("a page is the newest records, with the count of all that match", async () => {
    const { rows, count } = await store.flows.list(all, { page: 2, limit: 2 });
    expect(count).toBe(6);
    expect(rows.map(({ at }) => (at - noon) / minute)).toEqual([4, 3]);
    expect(rows[1]).toEqual(
      flow({ at: noon + 3 * minute, url: "a.example/x", rtt_ms: 20, account_id: 3 }),
    );
  });

  test("names are ranked by bytes, refused ones by tries", async () => {
    const apps = await store.flows.rank("application", all, first);
    expect(apps).toEqual({
      rows: [
        { name: "video", bytes: 9_010, count: 1 },
        { name: "tls", bytes: 2_140, count: 4 },
        { name: "other", bytes: 1_010, count: 1 },
      ],
      count: 3,
    });
    const users = await store.flows.rank("user", all, { page: 1, limit: 1 });
    expect(users).toEqual({ rows: [{ name: "li.na", bytes: 9_010, count: 1 }], count: 3 });
    const refused = await store.flows.rank("url", { ...all, denied: true }, first);
    expect(refused.rows).toEqual([{ name: "b.example", bytes: 120, count: 2 }]);
  });

  test("only records of the given owners are answered, and without owners none", async () => {
    const of = async (enterpriseIds: readonly number[]) =>
      (await store.flows.list({ ...all, enterpriseIds }, first)).count;
    expect([await of([5]), await of([6, 7]), await of([5, 6]), await of([])]).toEqual([5, 1, 6, 0]);
  });

  test("addresses filter, whatever they contain", async () => {
    const of = async (narrowed: object) =>
      (await store.flows.list({ ...all, ...narrowed }, first)).count;
    expect(await of({ visits: true, url: "EXAMPLE/Z" })).toBe(1);
    expect(await of({ url: "') or 1=1 --" })).toBe(0);
    expect(await of({ ip: "fd00::1" })).toBe(1);
    expect(await of({ ip: "203.0.113.7" })).toBe(6);
  });

  test("sources are listed with what they used", async () => {
    const { rows, count } = await store.flows.connections(all, first);
    expect(count).toBe(2);
    expect(rows.map(({ source, bytes, count: of }) => [source, bytes, of])).toEqual([
      ["fd00::1", 1_010, 1],
      ["10.1.1.9", 11_150, 5],
    ]);
  });

  test("sums and means of what an account moved", async () => {
    const found = await store.flows.over({ accountId: 3, enterpriseIds: null, range }, 600);
    expect(found).toEqual([
      {
        at: noon,
        in_bytes: 1_000,
        out_bytes: 10,
        rtt_ms: 20,
        jitter_ms: null,
        loss_percent: null,
      },
    ]);
  });

  test("bytes of pairs are the rates of their links, seen from the first node", async () => {
    const metric = (item: string, in_rate: number, out_rate: number) => ({
      kind: "link" as const,
      node_id: 1,
      item,
      at: noon + minute,
      boot: "b",
      sequence: 1,
      in_rate,
      out_rate,
    });
    await store.insert([metric("11", 800, 80), metric("12", 80, 1_600), metric("13", 8, 8)]);
    const step = store.stepOf(range);
    const links = [
      { id: 11, pair: "1-2", isReversed: false },
      { id: 12, pair: "1-2", isReversed: true },
      { id: 13, pair: "1-3", isReversed: false },
    ];
    const { rows, count } = await store.pairs(links, range, { page: 1, limit: 1 });
    expect(count).toBe(2);
    expect(rows).toEqual([{ pair: "1-2", inBytes: 300 * step, outBytes: 20 * step }]);
    expect(await store.pairs([], range, first)).toEqual({ rows: [], count: 0 });
  });

  test("records of an enterprise are deleted after as many days as it sets, those of others stay", async () => {
    const day = 86_400_000;
    const [now, enterprise_id] = [Date.now(), 77];
    const range = { from: now - 30 * day, to: now + day };
    await store.flows.insert([
      flow({ enterprise_id, at: now - 3 * day }),
      flow({ enterprise_id, at: now - 8 * day }),
      flow({ enterprise_id: 78, at: now - 8 * day }),
    ]);
    const countOf = async (id: number) =>
      (await store.flows.list({ enterpriseIds: [id], range }, { page: 1, limit: 10 })).count;
    await store.flows.keepDays(enterprise_id, 7);
    expect([await countOf(77), await countOf(78)]).toEqual([1, 1]);
  });
});
