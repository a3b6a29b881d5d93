/** People of the demonstration who are on the road, and how their enterprises let them in. */
import { clientConfigEdit } from "@weft/contract/domains/mobile/client-config.ts";
import {
  accountEditEnable,
  accountEditKey,
  mobileAccount,
} from "@weft/contract/domains/mobile/mobile-account.ts";
import type { Caller } from "@weft/contract/kernel/client.ts";
import { makeKeyPair } from "@weft/contract/rules/wireguard.ts";
import { fraction } from "./noise.ts";

const dayMs = 86_400_000;

interface Service {
  readonly enterprise: string;
  readonly space: string;
  readonly pop: string;
  readonly pool: string;
  /** Login names and what the accounts are called. */
  readonly people: readonly (readonly [loginName: string, alias: string, terminal: number])[];
}

const services: readonly Service[] = [
  {
    enterprise: "蓝海零售",
    space: "零售生产网",
    pop: "上海-01",
    pool: "10.250.0.0/24",
    people: [
      ["wangfang", "王芳-笔记本", 1],
      ["wangfang@phone", "王芳-手机", 6],
      ["chenjie", "陈杰-手机", 5],
      ["zhaolei", "赵磊-巡店平板", 6],
      ["sunli", "孙丽-笔记本", 2],
      ["posbackup", "门店备用收银", 4],
    ],
  },
  {
    enterprise: "椰林酒店",
    space: "酒店网",
    pop: "广州-01",
    pool: "10.250.4.0/24",
    people: [
      ["linhai", "林海-手机", 5],
      ["frontdesk", "前台平板", 6],
      ["huangyan", "黄燕-笔记本", 1],
    ],
  },
];

/** Days from the start to the end of an account, by its place; null: without an end. */
const ends = [null, 320, 200, null, 120, 400] as const;
/** Has no key yet: the client has still to be set up. */
const keyless = new Set(["sunli"]);
const disabled = new Set(["posbackup"]);

export interface DemoAccount {
  readonly id: number;
  readonly alias: string;
  readonly groupid: number;
  readonly popId: number;
  /** Its address in the space, as its flows have it. */
  readonly address: string;
}

interface Where {
  readonly groups: (name: string) => number;
  readonly nodes: (name: string) => number;
  readonly spaces: (name: string) => number;
}

const defaults = { enable: true, txbps: null, rxbps: null, phone: null, email: null, remark: "" };

/** @returns the accounts that have connected before. */
export async function addAccounts(call: Caller, where: Where): Promise<DemoAccount[]> {
  const made: DemoAccount[] = [];
  for (const { enterprise, space, pop, pool, people } of services) {
    const groupid = where.groups(enterprise);
    const popId = where.nodes(pop);
    await call(clientConfigEdit, {
      groupid,
      enable: true,
      netSpaceId: where.spaces(space),
      popId,
      ipPool: pool,
      serverHost: null,
      dns: null,
      routes: [],
      allowTerminalTypes: [],
      defaultTxbps: 20_000_000,
      defaultRxbps: 10_000_000,
    });
    for (const [place, [loginName, alias, terminal]] of people.entries()) {
      const days = ends[place] ?? null;
      const expire = days === null ? null : new Date(Date.now() + days * dayMs);
      const terminalType = terminal as 1;
      const draft = { ...defaults, groupid, popId: null, loginName, alias, terminalType, expire };
      const { id } = (await call(mobileAccount.ops.add, draft)).data;
      if (disabled.has(loginName)) await call(accountEditEnable, { ids: [id], enable: false });
      if (keyless.has(loginName)) continue;
      const { publicKey } = await makeKeyPair();
      await call(accountEditKey, { id, publicKey });
      const host = 2 + Math.floor(fraction(loginName) * 200);
      made.push({ id, alias, groupid, popId, address: pool.replace("0/24", String(host)) });
    }
  }
  return made;
}
