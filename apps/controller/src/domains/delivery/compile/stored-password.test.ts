/** The password of a neighbour's row, on its way to the device that it is for. */
import { sealedSample } from "@weft/contract/device/v1/sealed-sample.ts";
import { sealedSecret } from "@weft/contract/device/v1/sealed-secret.ts";
import { policyFamily } from "@weft/contract/domains/policies/policy-families.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inScope, scopedSnapshot } from "#db/pool.ts";
import type { Vault } from "#kernel/vault.ts";
import { type People, people } from "../../../../test/people.ts";
import { newIdOf, wireDraft } from "../../../../test/tenants.ts";
import { readView } from "./view.ts";

let all: People;
let cpe = 0;

/** What the device gets for the password of its only neighbour. */
const sent = async (vault?: Vault): Promise<string | null | undefined> => {
  const scope = { kind: "enterprises", ids: [], userId: null, ownOnly: false } as const;
  const { worker } = all.api.database.pools;
  const view = await scopedSnapshot(worker, scope, (trx) => readView(trx, cpe, vault));
  const [row] = view?.policy?.routerBgp ?? [];
  return view?.sealPassword?.(String(row?.password), { template_id: null, node_id: cpe });
};
const giveKey = (key: string) =>
  inScope(all.api.database.pools.owner, { kind: "all" }, (trx) =>
    sql`insert into weft.node_status (node_id, enterprise_id, tunnel_key)
      select id, enterprise_id, ${key} from weft.node where id = ${cpe}
      on conflict (node_id) do update set tunnel_key = ${key}`.execute(trx),
  );

beforeAll(async () => {
  all = await people();
  const draft = {
    ...wireDraft("cpe", "valid", { groupid: all.agent, cpeId: 1, popId: 1 }),
    sn: "password-1",
    alias: "password",
  };
  cpe = newIdOf(await all.api.post("/customer/cpe/insertNew", draft, all.admin));
  const path = policyFamily("routerBgp").manage.resource.ops.add?.path ?? "";
  const neighbor = {
    cpeId: cpe,
    asn: 64_900,
    neighborIp: "10.1.1.2",
    neighborAsn: 64_901,
    networks: "",
    holdTime: "",
    password: sealedSample.secret,
    enable: 1,
    remark: "",
  };
  newIdOf(await all.api.post(path, neighbor, all.admin));
}, 60_000);
afterAll(() => all.api.close());

test("is sealed to the device's key as soon as there is one, and to no other", async () => {
  const { vault } = all.api.app.weft;
  expect(await sent(vault)).toBeNull();
  await giveKey(sealedSample.tunnelKey);
  const first = (await sent(vault)) ?? "";
  expect(sealedSecret.parse(first)).toBe(first);
  expect(await sent(vault)).toBe(first);
  expect(await sent()).not.toBe(first);
  await giveKey(Buffer.alloc(32, 3).toString("base64"));
  expect(await sent(vault)).not.toBe(first);
});
