import { execFile } from "node:child_process";
import { randomBytes, type X509Certificate } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { promisify } from "node:util";
import { decodeClaim, encodeClaim } from "@weft/contract/device/v1/claim.ts";
import { confirmPath, enrolPath, socketPath } from "@weft/contract/device/v1/messages.ts";
import { cpeEmailSend } from "@weft/contract/domains/devices/cpe-actions.ts";
import {
  claimAdd,
  enrolmentApprove,
  enrolmentList,
  enrolmentReject,
} from "@weft/contract/domains/devices/enrolment.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { createVault, vaultKeyBytes } from "#kernel/vault.ts";
import { FakeEdge, Line, nonce, post } from "../../test/fake-edge.ts";
import { eventually, type LoopWorld, loopWorld } from "../../test/loop-world.ts";
import { ManualClock } from "../../test/manual-clock.ts";
import { openIdentity } from "./identity.ts";

const run = promisify(execFile);
const strange = createVault(randomBytes(vaultKeyBytes));
let world: LoopWorld;
/** The plain port, as the console's proxy would reach it. */
let plain: string;
beforeAll(async () => {
  world = await loopWorld();
  plain = await world.api.app.listen({ host: "127.0.0.1", port: 0 });
}, 60_000);
afterAll(() => world.close());

const refusedAs = (reason: string) => ({ status: 403, body: { type: "refused", reason } });
const query = <Row>(text: ReturnType<typeof sql<Row>>) =>
  inScope(world.pools.apiAll, { kind: "all" }, async (trx) => (await text.execute(trx)).rows);
const list = async (state = "") => {
  const answer = await world.api.get(enrolmentList.path, { state, limit: 100 }, world.admin);
  return answer.data as { id: number; nodeId: number; state: string; fingerprint: string }[];
};
const decide = async (path: string, nodeId: number, state: string) => {
  const one = (await list(state)).find((row) => row.nodeId === nodeId);
  return world.api.post(path, { ids: String(one?.id) }, world.admin);
};
describe("a claim", () => {
  test("is not mailed where no mail leaves: refused with the reason, the one before stays", async () => {
    const site = await world.addSite();
    const claim = await world.claim(site.id, false);
    const fields = { id: site.id, title: "claim", email: "site@example.com" };
    const answer = await world.api.post(cpeEmailSend.path, fields, world.admin);
    expect(answer).toMatchObject({ code: 422, msg: expect.stringContaining("WEFT_SMTP_URL") });
    expect(await query(sql`select id from claim where node_id = ${site.id}`)).toHaveLength(1);
    expect(await query(sql`select id from outbox where recipient = ${fields.email}`)).toEqual([]);
    // Pending, as the claim asks: the mailed one would be approved beforehand.
    expect(await world.edge(site.sn).enrol(claim)).toMatchObject({ body: { state: "pending" } });
  });

  test("of a node that has to be approved: pending, approved, and the same answer again", async () => {
    const site = await world.addSite();
    const claim = await world.claim(site.id, false);
    const edge = world.edge(site.sn);
    expect(await edge.enrol(claim)).toMatchObject({
      status: 200,
      body: { state: "pending", node: null },
    });
    expect(await edge.enrol(claim)).toMatchObject({ body: { state: "pending", node: null } });
    const line = edge.open();
    const { nonce: challenge } = await line.next("challenge");
    edge.node = site.id;
    line.send(edge.hello(challenge, nonce()));
    expect(await line.next("refused")).toMatchObject({ reason: "notApproved" });
    expect(await decide(enrolmentApprove.path, site.id, "pending")).toMatchObject({ code: 0 });
    expect(await edge.enrol(claim)).toMatchObject({ body: { state: "approved", node: site.id } });
    (await edge.connect()).socket.close();
    const audit = await query(sql<{ action: string }>`
      select action from audit where resource in ('claim', 'enrolment') order by id desc limit 3`);
    expect(audit.map(({ action }) => action)).toEqual([
      "enrolment.approve",
      "edge.enrol",
      "claim.add",
    ]);
  });

  test("holds the controller's addresses and the hash of its key, and is kept as a hash", async () => {
    const site = await world.addSite();
    const claim = decodeClaim(await world.claim(site.id));
    expect(claim?.addresses).toEqual([`wss://127.0.0.1:${world.gateway.port}`]);
    const dump = JSON.stringify(await query(sql`select * from claim`));
    expect(dump).not.toContain(claim?.token);
    const audit = JSON.stringify(await query(sql`select * from audit where resource = 'claim'`));
    expect(audit).not.toContain(claim?.token);
  });

  test("is refused as long as no address of the controller is set", async () => {
    const site = await world.addSite();
    const { db } = world.pools.owner;
    const { rows } = await sql<{ addresses: string[] }>`
      select edge_addresses as addresses from installation`.execute(db);
    await sql`update installation set edge_addresses = '{}'`.execute(db);
    const fields = { nodeId: site.id, preApproved: 1 };
    const answer = await world.api.post(claimAdd.path, fields, world.admin);
    await sql`update installation set edge_addresses = ${rows[0]?.addresses}`.execute(db);
    expect(answer).toMatchObject({
      code: 422,
      msg: expect.stringContaining("WEFT_EDGE_ADDRESSES"),
    });
    expect(await query(sql`select 1 from claim where node_id = ${site.id}`)).toEqual([]);
  });

  test("belongs to the first key that used it", async () => {
    const site = await world.addSite();
    const claim = await world.claim(site.id);
    expect(await world.edge(site.sn).enrol(claim)).toMatchObject({ body: { state: "approved" } });
    expect(await world.edge(site.sn).enrol(claim)).toMatchObject(refusedAs("claimUsed"));
    const [identity] = await query(sql<{ n: number }>`
      select count(*)::int as n from node_identity where node_id = ${site.id}`);
    expect(identity?.n).toBe(1);
  });

  test("is refused when it is unknown, over, replaced, or of another serial number", async () => {
    const [site, other] = [await world.addSite(), await world.addSite()];
    const first = await world.claim(site.id);
    const second = await world.claim(site.id);
    expect(await world.edge(site.sn).enrol(first)).toMatchObject(refusedAs("claimExpired"));
    expect(await world.edge(other.sn).enrol(second)).toMatchObject(refusedAs("claimOtherSerial"));
    await query(sql`update claim set expires_at = now() where node_id = ${site.id}`);
    expect(await world.edge(site.sn).enrol(second)).toMatchObject(refusedAs("claimExpired"));
    const { addresses = [], controllerKeyHash = "" } = decodeClaim(second) ?? {};
    const token = Buffer.alloc(32, 7).toString("base64url");
    const guessed = encodeClaim({ token, addresses, controllerKeyHash });
    expect(await world.edge(site.sn).enrol(guessed)).toMatchObject(refusedAs("claimUnknown"));
    expect(await list()).not.toContainEqual(expect.objectContaining({ nodeId: site.id }));
    const [refused] = await query(sql<{ n: number }>`
      select count(*)::int as n from audit where action = 'edge.enrolRefused'`);
    expect(refused?.n).toBeGreaterThanOrEqual(3);
  });

  test("that another key signed is refused, and so is what is no request", async () => {
    const site = await world.addSite();
    const claim = await world.claim(site.id);
    const edge = world.edge(site.sn);
    const stranger = world.edge(site.sn);
    expect(await edge.enrol(claim, { publicKey: stranger.publicKey })).toMatchObject(
      refusedAs("badSignature"),
    );
    expect(await edge.enrol(claim, { more: 1 })).toMatchObject(refusedAs("badMessage"));
    for (const body of ["", "{", "[]", "null", '{"token":1}', "\0\0\0"]) {
      expect(await post(`${world.url}${enrolPath}`, body)).toMatchObject(refusedAs("badMessage"));
    }
    expect(await post(`${world.url}${enrolPath}`, "x".repeat(20_000))).toMatchObject({
      status: 413,
    });
    expect(await edge.enrol(claim)).toMatchObject({ status: 200 });
  });
});

describe("an operator", () => {
  test("rejects a device that waits: the device gets the reason, and its key stays rejected", async () => {
    const site = await world.addSite();
    const claim = await world.claim(site.id, false);
    const edge = world.edge(site.sn);
    await edge.enrol(claim);
    expect(await decide(enrolmentReject.path, site.id, "pending")).toMatchObject({ code: 0 });
    expect(await edge.enrol(claim)).toMatchObject(refusedAs("rejected"));
    expect(await decide(enrolmentApprove.path, site.id, "rejected")).toMatchObject({ code: 422 });
  });

  test("rejects a device that is connected: its socket ends immediately and its links go", async () => {
    const site = await world.addSite();
    const edge = await world.enrolled(site);
    const line = await edge.connect();
    line.send(edge.report());
    await eventually(async () => (await world.stateOf(site.id)).version !== null, "the report");
    expect(await decide(enrolmentReject.path, site.id, "approved")).toMatchObject({ code: 0 });
    expect(await line.next("refused")).toMatchObject({ reason: "rejected" });
    await line.closed;
    const [status] = await query(sql<{ tunnel_key: string | null }>`
      select tunnel_key from node_status where node_id = ${site.id}`);
    expect(status?.tunnel_key).toBeNull();
  });

  test("replaces a broken device: the node keeps its states, the other device is disconnected", async () => {
    const site = await world.addSite();
    const broken = await world.enrolled(site);
    const line = await broken.connect();
    const fresh = world.edge(site.sn);
    expect(await fresh.enrol(await world.claim(site.id, false))).toMatchObject({
      body: { state: "pending" },
    });
    expect(await decide(enrolmentApprove.path, site.id, "pending")).toMatchObject({ code: 0 });
    expect(await line.next("refused")).toMatchObject({ reason: "rejected" });
    fresh.node = site.id;
    (await fresh.connect()).socket.close();
    // The same by a claim that approves beforehand.
    const third = await world.enrolled(site);
    const again = fresh.open();
    const { nonce: challenge } = await again.next("challenge");
    again.send(fresh.hello(challenge, nonce()));
    expect(await again.next("refused")).toMatchObject({ reason: "rejected" });
    (await third.connect()).socket.close();
  });

  test("of one enterprise neither sees nor decides nor claims another's devices", async () => {
    const site = await world.addSite();
    await world.edge(site.sn).enrol(await world.claim(site.id, false));
    const { data } = await world.post("/customer/enterprise/add", {
      name: "邻居",
      parentId: 1,
      enterpriseType: 0,
      isAgent: 0,
      provice: "",
      city: "",
      region: "",
      contact: "",
      phone: "",
      email: "",
      remark: "",
    });
    const token = await world.api.userToken({
      enterpriseId: (data as { id: number }).id,
      dataScope: 3,
    });
    const seen = await world.api.get(enrolmentList.path, {}, token);
    expect(seen).toMatchObject({ code: 0, count: 0 });
    const one = (await list("pending")).find((row) => row.nodeId === site.id);
    expect(one?.fingerprint).toMatch(/^[0-9a-f]{16}$/);
    for (const path of [enrolmentApprove.path, enrolmentReject.path]) {
      expect(await world.api.post(path, { ids: String(one?.id) }, token)).toMatchObject({
        code: 404,
      });
    }
    const claim = await world.api.post(
      "/customer/claim/add",
      { nodeId: site.id, preApproved: 1 },
      token,
    );
    expect(claim).toMatchObject({ code: 404 });
    expect((await list("pending")).some((row) => row.nodeId === site.id)).toBe(true);
  });
});

describe("the edge port", () => {
  test("serves its three paths and nothing else", async () => {
    expect(await post(`${world.url}/api/v1/customer/login`, "{}")).toMatchObject({ status: 404 });
    expect(await post(`${world.url}${socketPath}`, "{}")).toMatchObject({ status: 404 });
    const line = new Line(`${world.url.replace("http", "ws")}/edge/v2`);
    expect(await line.closed).toBe(1006);
  });

  test("shows the identity key in a certificate that TLS libraries accept unchanged", async () => {
    const cert = await new Promise<X509Certificate | undefined>((resolve) => {
      const socket = connect({ port: world.gateway.port, rejectUnauthorized: false }, () => {
        expect(socket.getProtocol()).toBe("TLSv1.3");
        resolve(socket.getPeerX509Certificate());
        socket.destroy();
      });
    });
    const pem = await readFile(join(world.dataDir, "identity.pem"), "utf8");
    expect((await stat(join(world.dataDir, "identity.pem"))).mode & 0o777).toBe(0o600);
    const { publicKey } = await openIdentity(world.dataDir, world.pools, strange);
    expect(cert?.publicKey.export({ format: "jwk" }).x).toBe(publicKey);
    expect(cert?.verify(cert.publicKey)).toBe(true);
    expect(
      new Date(cert?.validTo ?? "").getFullYear() - new Date().getFullYear(),
    ).toBeGreaterThanOrEqual(9);
    expect(pem).toContain("PRIVATE KEY");
    const folder = await mkdtemp(join(tmpdir(), "weft-cert-"));
    await writeFile(join(folder, "cert.pem"), cert?.toString() ?? "");
    const { stdout } = await run("openssl", [
      "x509",
      "-in",
      join(folder, "cert.pem"),
      "-noout",
      "-text",
    ]);
    await rm(folder, { recursive: true });
    expect(stdout).toMatch(/Version: 3[\s\S]*Issuer: CN ?= ?weft-controller[\s\S]*ED25519/);
  });

  test("a controller with another key is refused where devices know one", async () => {
    const folder = await mkdtemp(join(tmpdir(), "weft-other-"));
    const other = createVault(randomBytes(vaultKeyBytes));
    await expect(openIdentity(folder, world.pools, other)).rejects.toThrow("is missing");
    await rm(folder, { recursive: true });
  });
});

describe("the plain port", () => {
  test("takes devices from loopback, and no caller that came through a proxy", async () => {
    const site = await world.addSite();
    const claim = await world.claim(site.id);
    const edge = new FakeEdge(plain, site.sn);
    for (const path of [enrolPath, confirmPath]) {
      expect(await post(`${plain}${path}`, "{}", { "x-forwarded-for": "127.0.0.1" })).toMatchObject(
        { status: 404 },
      );
    }
    expect(await edge.enrol(claim)).toMatchObject({ status: 200, body: { node: site.id } });
    const line = await edge.connect();
    line.socket.close();
    const proxied = edge.open({ "x-forwarded-for": "127.0.0.1" });
    expect(await proxied.closed).toBe(1006);
  });
});

describe("a caller that guesses claims", () => {
  test("has ten tries, then waits a quarter of an hour", async () => {
    const own = await loopWorld();
    // It stands still: nothing of the quarter of an hour passes meanwhile.
    const { url } = await own.gatewayBeside({ clock: new ManualClock() });
    const site = await own.addSite();
    const { addresses = [], controllerKeyHash = "" } = decodeClaim(await own.claim(site.id)) ?? {};
    const token = Buffer.alloc(32, 9).toString("base64url");
    const guess = encodeClaim({ token, addresses, controllerKeyHash });
    for (let turn = 0; turn < 10; turn += 1) {
      expect(await own.edge(site.sn).at(url).enrol(guess)).toMatchObject(refusedAs("claimUnknown"));
    }
    const closed = await own
      .edge(site.sn)
      .at(url)
      .enrol(await own.claim(site.id));
    expect(closed).toMatchObject(refusedAs("tooMany"));
    expect(closed.body.retryAfterMs).toBe(900_000);
    await own.close();
  });
});
