/** The short run of what `npm run hostile` does for longer, and proof that it finds what is there. */
import { everySession } from "@weft/contract/access.ts";
import * as codec from "@weft/contract/kernel/codec.ts";
import { endpoint, nothing } from "@weft/contract/kernel/endpoint.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { withClient } from "#db/embedded/login.ts";
import { mount } from "#kernel/mount.ts";
import { refuse } from "#kernel/refuse.ts";
import { type TestApi, testApi } from "./api.ts";
import { runEdge } from "./hostile-edge.ts";
import { runHttp } from "./hostile-http.ts";

const amount = { cases: 700, seed: 20_261_121 };
const patience = 240_000;

const planted = (name: string) =>
  endpoint({
    id: `t.${name}`,
    method: "POST",
    path: `/customer/t/${name}`,
    input: z.object({ name: codec.text(64) }),
    output: nothing,
    may: everySession("a test"),
  });
const throwing = planted("throwing");
const leaking = planted("leaking");

let api: TestApi;
beforeAll(async () => {
  api = await testApi((app) => {
    mount(app, throwing, ({ name }) => {
      if (name.includes("'")) throw new Error("a statement put together by hand");
      return refuse("conflict");
    });
    mount(app, leaking, async () => {
      // Not rolled back with the call: its pools lend no second connection to it.
      await withClient(api.database.url, (client) =>
        client.query("update weft.enterprise set remark = remark || 'x' where id = 1"),
      );
      return refuse("conflict");
    });
  });
}, 60_000);
afterAll(() => api.close());

const isPlanted = ({ id }: { id: string }): boolean => id.startsWith("t.");

test(
  "hostile calls are refused in time, with intended codes, and write nothing",
  async () => {
    const { findings, codes } = await runHttp(api, amount, (one) => !isPlanted(one));
    expect(findings).toEqual([]);
    // Not all stop at the entry: one in twenty at least reaches a handler that succeeds, or looks for a row.
    expect(codes.get(0)).toBeGreaterThan(amount.cases / 20);
    expect(codes.get(404)).toBeGreaterThan(amount.cases / 20);
  },
  patience,
);

test(
  "hostile messages of devices are refused in time, by a reason of the protocol, and write nothing",
  async () => {
    const { findings, outcomes } = await runEdge(amount);
    expect(findings).toEqual([]);
    expect(outcomes.get("proven taken")).toBeGreaterThan(20);
  },
  patience,
);

describe("the generator finds", () => {
  test(
    "a call that fails in an unintended way",
    async () => {
      const { findings } = await runHttp(api, { cases: 200, seed: 1 }, (one) => one === throwing);
      expect(findings.map(({ problem }) => problem).join()).toContain("put together by hand");
    },
    patience,
  );

  test(
    "a refused call that wrote",
    async () => {
      const { findings } = await runHttp(api, { cases: 20, seed: 1 }, (one) => one === leaking);
      expect(findings[0]?.problem).toBe("answered 412 and wrote to enterprise");
    },
    patience,
  );
});
