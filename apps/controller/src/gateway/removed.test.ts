/** A device whose node is removed is notified, whether it is connected at that moment or later. */
import { once } from "node:events";
import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LoopWorld, loopWorld } from "../../test/loop-world.ts";

let world: LoopWorld;
beforeAll(async () => {
  world = await loopWorld();
}, 60_000);
afterAll(() => world.close());

const nonce = () => Buffer.alloc(24, 7).toString("base64url");
const remove = (id: number) => world.post(cpe.ops.remove.path, { ids: `${id}` });

/** The response to a hello of the device with its key, for the node. */
const refusal = async (edge: ReturnType<LoopWorld["edge"]>) => {
  const line = edge.open();
  const { nonce: challenge } = await line.next("challenge");
  line.send(edge.hello(challenge, nonce()));
  const { reason } = await line.next("refused");
  line.socket.terminate();
  return reason;
};

/** Like `refusal`, for a device that accepts it, from a controller that has proved its identity on this socket. */
const removal = async (edge: ReturnType<LoopWorld["edge"]>) => {
  const line = await edge.connect();
  const { reason } = await line.next("refused");
  line.socket.terminate();
  return reason;
};

describe("a device whose node was removed", () => {
  test("is notified on its open socket, and when it connects again", async () => {
    const site = await world.addSite();
    const edge = await world.enrolled(site);
    const line = await edge.connect();
    line.send(edge.report());
    line.socket.ping();
    // The gateway has processed it: a message that is still in transit at a removal is refused as on an old socket.
    await once(line.socket, "pong", { signal: AbortSignal.timeout(60_000) });
    await remove(site.id);
    expect((await line.next("refused")).reason).toBe("removed");
    expect(await removal(edge)).toBe("removed");
  });

  test("is notified if it was offline at that moment; an unknown key is not", async () => {
    const site = await world.addSite();
    const edge = await world.enrolled(site);
    await remove(site.id);
    const stranger = world.edge(site.sn);
    stranger.node = edge.node;
    expect(await refusal(stranger)).toBe("unknownNode");
    expect(await removal(edge)).toBe("removed");
  });

  test("belongs to the next node that it is enrolled for", async () => {
    const [site, next] = [await world.addSite(), await world.addSite()];
    const edge = await world.enrolled(site);
    await remove(site.id);
    const { body } = await edge.enrol(await world.claim(next.id, true, edge.serialNumber));
    expect(body).toMatchObject({ state: "approved", node: next.id });
    const line = await edge.connect();
    line.socket.terminate();
    edge.node = site.id;
    expect(await refusal(edge)).toBe("unknownNode");
  });

  test("whose previous socket is still open stays once its key belongs to another node", async () => {
    const [site, next] = [await world.addSite(), await world.addSite()];
    const edge = await world.enrolled(site);
    const { db } = world.pools.owner;
    const verdict = async () => {
      const { rows } = await sql<{ verdict: string }>`
        select w.verdict from weft.node_identity i cross join weft.removed_device r
          cross join lateral weft.watch_edges(array[r.node_id], array[r.public_key], array[0]::bigint[],
            '1 second', '1 second') w
        where r.node_id = ${site.id} limit 1`.execute(db);
      return rows.map((row) => row.verdict);
    };
    await remove(site.id);
    expect(await verdict()).toEqual(["removed"]);
    await edge.enrol(await world.claim(next.id, true, edge.serialNumber));
    expect(await verdict()).toEqual(["rejected"]);
  });
});
