/** A device that asks and does not read: what waits for it in the gateway, in bytes. */
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { deviceRefused } from "#telemetry/events.ts";
import { eventually, loopWorld } from "../../test/loop-world.ts";
import { ManualClock } from "../../test/manual-clock.ts";
import { memoryDevice } from "../../test/memory-device.ts";
import { maxUnread, unreadMs } from "./session.ts";

const hash = "f".repeat(64);

describe("in the gateway waits", () => {
  const asked = 40;
  const section = { filler: "x".repeat(300_000) };
  /** Bytes of a message with the section, rounded up. */
  const messageBytes = 301_000;

  /** A device that has asked for more than may wait, and has read nothing. */
  async function askedForMuch() {
    const device = await memoryDevice();
    device.rows.of(1).sections.set(hash, section);
    device.stopsReading();
    for (let at = 0; at < asked; at += 1) {
      device.send({ type: "need", epoch: 1, serial: 1, sections: [hash] });
    }
    const given = () => device.messages.filter(({ type }) => type === "sections").length;
    await expect.poll(device.unread).toBeGreaterThan(maxUnread);
    return { ...device, given };
  }
  /** All that waits for no timer has happened. */
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  test("no more than a megabyte and the message that exceeds it", async () => {
    const device = await askedForMuch();
    await settled();
    expect(device.unread()).toBeLessThan(maxUnread + messageBytes);
    device.clock.advance(unreadMs - 1);
    await settled();
    expect(device.messages.at(-1)?.type).toBe("sections");
    device.clock.advance(1);
    expect(device.messages.at(-1)).toMatchObject({ type: "refused", reason: "tooMany" });
    await settled();
    expect(device.given()).toBe(Math.ceil(maxUnread / messageBytes));
    await device.hub.close();
  });

  test("nor of what it asked for at once: a slow line has to carry no more than that in time", async () => {
    const device = await memoryDevice();
    const hashes = Array.from({ length: 40 }, (_, at) => String(at).padStart(64, "0"));
    for (const one of hashes) device.rows.of(1).sections.set(one, { filler: "x".repeat(100_000) });
    device.stopsReading();
    device.send({ type: "need", epoch: 1, serial: 1, sections: hashes });
    await expect.poll(device.unread).toBeGreaterThan(maxUnread);
    await settled();
    expect(device.unread()).toBeLessThan(maxUnread + 131_072);
    const contents = () =>
      device.messages.flatMap((message) =>
        message.type === "sections" ? Object.keys(message.contents) : [],
      );
    // As a line that carries 100 kbit/s does: a little at a time, and all of it in the end.
    while (contents().length < hashes.length) {
      device.clock.advance(unreadMs - 1);
      device.readsOne();
      await settled();
    }
    expect(contents().sort()).toEqual(hashes);
    expect(device.messages.at(-1)?.type).toBe("sections");
    await device.hub.close();
  });

  test("a section of megabytes for as long as a slow line takes to carry it", async () => {
    const device = await memoryDevice();
    device.rows.of(1).sections.set(hash, { filler: "x".repeat(4_000_000) });
    device.stopsReading();
    for (let at = 0; at < 2; at += 1)
      device.send({ type: "need", epoch: 1, serial: 1, sections: [hash] });
    await expect.poll(device.unread).toBeGreaterThan(4_000_000);
    const given = () => device.messages.filter(({ type }) => type === "sections").length;
    // 200 kbit/s.
    const carriedMs = 160_000;
    for (let ms = 0; ms < carriedMs; ms += unreadMs) {
      // It is there, and says so.
      device.ping();
      device.clock.advance(unreadMs);
      await settled();
    }
    expect(device.messages.at(-1)?.type).toBe("sections");
    expect(given()).toBe(1);
    device.readsOne();
    await expect.poll(given).toBe(2);
    // One that reads nothing is refused all the same.
    device.send({ type: "need", epoch: 1, serial: 1, sections: [hash] });
    for (let at = 0; at < 4; at += 1) device.ping();
    await settled();
    device.clock.advance(2 * carriedMs);
    await expect.poll(() => device.messages.at(-1)).toMatchObject({ reason: "tooMany" });
    expect(given()).toBe(2);
    await device.hub.close();
  });

  test("nothing of what a device reads in time", async () => {
    const device = await askedForMuch();
    device.clock.advance(unreadMs - 1);
    device.reads();
    await expect.poll(device.given).toBe(asked);
    device.clock.advance(unreadMs);
    await settled();
    expect(device.messages.at(-1)?.type).toBe("sections");
    await device.hub.close();
  });
});

test("on a real socket it is refused, and gets a part of what it asked for at most", async ({
  onTestFinished,
}) => {
  const world = await loopWorld({ pollMs: 100 });
  await world.startWorker();
  const site = await world.addSite();
  const clock = new ManualClock();
  // However far the clock is moved on, it has not missed a heartbeat.
  const { url } = await world.gatewayBeside({ clock, heartbeatSeconds: 1e6 });
  const edge = await world.enrolled(site);
  const line = await edge.at(url).connect();
  line.send(edge.report());
  const { epoch, serial } = (await line.next("head")).head;
  // A section as large as messages may be: a large POP's.
  const content = { filler: "x".repeat(1_000_000) };
  await sql`insert into weft.state_section (node_id, enterprise_id, hash, content)
    select id, enterprise_id, ${hash}, ${JSON.stringify(content)}::json
    from weft.node where id = ${site.id}`.execute(world.pools.owner.db);
  let sections = 0;
  line.socket.on("message", (data) => {
    if (String(data).includes('"type":"sections"')) sections += 1;
  });
  const raw = line.socket as unknown as { _socket: { pause(): void; resume(): void } };
  raw._socket.pause();
  const asked = 150;
  for (let at = 0; at < asked; at += 1) {
    line.send({ type: "need", epoch, serial, sections: [hash] });
  }
  const refusals: string[] = [];
  onTestFinished(deviceRefused.listen(({ reason }) => void refusals.push(reason)));
  // Until it waits for the device, there is nothing that the clock could end.
  await eventually(async () => {
    clock.advance(unreadMs);
    return refusals.length > 0;
  }, "the device is refused");
  raw._socket.resume();
  expect((await line.seek("refused")).reason).toBe("tooMany");
  // The buffers of the two sockets hold some of it; the rest was never read from the database.
  expect(sections).toBeLessThan(asked);
  await eventually(async () => !(await world.stateOf(site.id)).online, "the device is offline");
  await world.close();
});
