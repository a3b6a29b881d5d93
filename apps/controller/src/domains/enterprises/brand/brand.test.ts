import { Transformer } from "@napi-rs/image";
import { enterprise } from "@weft/contract/domains/enterprises/enterprise.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inScope } from "#db/pool.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";

let api: TestApi;
let admin: string;
/** An agent, an enterprise of it, and an enterprise beside it. */
let agent: number;
let below: number;
let beside: number;
let agentToken: string;

const addEnterprise = async (name: string, more: object): Promise<number> => {
  const ids = { groupid: 1, cpeId: 0, popId: 0 };
  const draft = wireDraft("enterprise", "valid", ids, { name, ...more });
  return newIdOf(await api.post(enterprise.ops.add.path, draft, admin));
};
beforeAll(async () => {
  api = await testApi();
  admin = await api.logIn("admin");
  agent = await addEnterprise("agent", { isAgent: 1, parentId: 1 });
  below = await addEnterprise("below", { isAgent: 0, parentId: agent });
  beside = await addEnterprise("beside", { isAgent: 0, parentId: 1 });
  agentToken = await api.userToken({ enterpriseId: agent, dataScope: 3, roleType: 1 });
}, 60_000);
afterAll(() => api.close());

const png = (shade: number) =>
  Transformer.fromRgbaPixels(new Uint8Array(60 * 20 * 4).fill(shade), 60, 20).png();

/** A form with a file of any bytes, as a browser sends it. */
const upload = async (groupid: number, kind: string, bytes: Uint8Array, token = agentToken) => {
  const form = new FormData();
  form.set("groupid", String(groupid));
  form.set("kind", kind);
  form.set("file", new Blob([new Uint8Array(bytes)]), "logo.png");
  const sent = new Request("http://localhost/", { method: "POST", body: form });
  return api.send({
    method: "POST",
    url: "/customer/brand/editImage",
    payload: Buffer.from(await sent.arrayBuffer()),
    headers: { "content-type": sent.headers.get("content-type") ?? "", authorization: token },
  });
};
const edit = (groupid: number, fields: object, token = agentToken) =>
  api.post("/customer/brand/edit", { groupid, name: "", color: "", host: "", ...fields }, token);
const sessionOf = async (enterpriseId: number) => {
  const token = await api.userToken({ enterpriseId, dataScope: 1 });
  return (await api.get("/customer/session", {}, token)).data as Record<string, unknown>;
};
const fetched = (path: string) => api.app.inject({ method: "GET", url: path });

describe("a brand", () => {
  test("endpoints:brand.edit endpoints:brand.editImage holds for the agent and all below, and for no other", async () => {
    expect(await edit(agent, { name: "Blue Net", color: "cyan" })).toMatchObject({ code: 0 });
    const logo = await upload(agent, "logo", await png(10));
    expect(logo).toMatchObject({ code: 0 });
    const { path } = logo.data as { path: string };
    const appearance = { logoName: "Blue Net", color: "cyan", logo: path };
    expect(await sessionOf(agent)).toMatchObject(appearance);
    expect(await sessionOf(below)).toMatchObject(appearance);
    const other = await sessionOf(beside);
    expect([other.logo, other.color, other.logoName]).toEqual(["", "", undefined]);
  });

  test("endpoints:brand.getByGroupId marks own and inherited values", async () => {
    const nearer = await addEnterprise("nearer", { isAgent: 1, parentId: agent });
    await edit(nearer, { name: "Nearer" });
    const { data } = await api.get("/customer/brand/getByGroupId", { groupid: nearer }, agentToken);
    expect(data).toMatchObject({
      name: "Nearer",
      color: null,
      logo: null,
      icon: null,
      host: null,
      above: { name: "Blue Net", color: "cyan", icon: null },
    });
    expect(await sessionOf(nearer)).toMatchObject({ logoName: "Nearer", color: "cyan" });
  });

  test("belongs to agents, within the scope, and leaves a trace", async () => {
    expect(await edit(below, { name: "X" })).toMatchObject({ code: 422 });
    expect(await edit(beside, { name: "X" })).toMatchObject({ code: 400 });
    expect(await edit(1, { name: "X" })).toMatchObject({ code: 400 });
    const { rows } = await inScope(api.database.pools.apiAll, { kind: "all" }, (trx) =>
      sql<{ n: number }>`select count(*)::int as n from audit
        where action = 'brand.edit' and row_id = ${agent}`.execute(trx),
    );
    expect(rows[0]?.n).toBeGreaterThan(0);
  });

  test("takes a host name from an operator only, and each once", async () => {
    const host = "console.blue.example";
    const refused = await edit(agent, { name: "Blue Net", color: "cyan", host });
    expect(refused).toMatchObject({ code: 400, issues: [{ path: "host", rule: "notAllowed" }] });
    const given = await edit(agent, { name: "Blue Net", color: "cyan", host }, admin);
    expect(given).toMatchObject({ code: 0 });
    // The agent may go on editing the rest.
    expect(await edit(agent, { name: "Blue Net", color: "cyan", host })).toMatchObject({ code: 0 });
    expect(await edit(1, { name: "Root", host }, admin)).toMatchObject({
      code: 400,
      issues: [{ path: "host", rule: "taken" }],
    });
  });

  test("is on the login page of its host name, or of the one that the address names", async () => {
    const appearance = { sysName: "Blue Net", color: "cyan" };
    const named = await api.get("/api/config", { site: "Console.Blue.example" });
    expect(named.data).toMatchObject(appearance);
    const asked = await api.get("/api/config", {}, undefined, {
      host: "console.blue.example:8443",
    });
    expect(asked.data).toMatchObject(appearance);
    const other = (await api.get("/api/config", { site: "x.example" })).data as { logo: string };
    expect(other).not.toMatchObject(appearance);
    expect(other.logo).toBe("");
  });
});

describe("a picture of a brand", () => {
  test("endpoints:auth.logo is served by the digest of its bytes, without expiry, and as nothing but a picture", async () => {
    const { logo } = await sessionOf(below);
    const reply = await fetched(String(logo));
    expect(reply.statusCode).toBe(200);
    expect(reply.headers).toMatchObject({
      "content-type": "image/png",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
    });
    expect(reply.headers["content-security-policy"]).toContain("default-src 'none'");
    expect(reply.rawPayload.subarray(1, 4).toString()).toBe("PNG");
  });

  test("has another address when it changes, and the old one is no more", async () => {
    const { data } = await upload(agent, "icon", await png(20));
    const { path: first } = data as { path: string };
    const next = ((await upload(agent, "icon", await png(30))).data as { path: string }).path;
    expect(next).not.toBe(first);
    const codes = await Promise.all(
      [first, next].map(async (one) => (await fetched(one)).statusCode),
    );
    expect(codes).toEqual([404, 200]);
    expect(await sessionOf(below)).toMatchObject({ icon: next });
  });

  test("endpoints:brand.removeImage is taken away, unless it is used in the other place too", async () => {
    const icon = ((await upload(agent, "icon", await png(10))).data as { path: string }).path;
    expect(icon).toBe((await sessionOf(agent)).logo);
    const gone = { groupid: agent, kind: "icon" };
    expect(await api.post("/customer/brand/removeImage", gone, agentToken)).toMatchObject({
      code: 0,
    });
    expect(await fetched(icon)).toMatchObject({ statusCode: 200 });
    expect(await sessionOf(agent)).toMatchObject({ icon: "" });
  });

  test("is refused at its field when it is none", async () => {
    const svg = new TextEncoder().encode("<svg/>");
    expect(await upload(agent, "logo", svg)).toMatchObject({
      code: 400,
      issues: [{ path: "file", rule: "picture" }],
    });
  });

  test.each(["/brand/x", "/brand/..%2fx", `/brand/${"0".repeat(64)}`])(
    "%s is none",
    async (path) => {
      expect(await fetched(path)).toMatchObject({ statusCode: 404 });
    },
  );
});
