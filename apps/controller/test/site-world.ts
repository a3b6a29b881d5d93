/** Two tenants with a loop, and short names for calls as one of them. */

import { cpe } from "@weft/contract/domains/devices/cpe.ts";
import type { Endpoint } from "@weft/contract/kernel/endpoint.ts";
import type { Answer } from "./api.ts";
import { type LoopWorld, loopWorld } from "./loop-world.ts";
import { makeTenant, newIdOf, type Tenant, wireDraft } from "./tenants.ts";

export type Row = Record<string, unknown>;
export const done = { code: 0 };

export class SiteWorld {
  readonly loop: LoopWorld;
  readonly home: Tenant;
  readonly other: Tenant;
  made = 0;

  constructor(loop: LoopWorld, home: Tenant, other: Tenant) {
    this.loop = loop;
    this.home = home;
    this.other = other;
  }

  /** The operator, whose sites `loop.addSite` makes. */
  get admin(): Tenant {
    return { ...this.home, token: this.loop.admin };
  }

  get({ path }: Endpoint, query: object, who = this.home): Promise<Answer> {
    return this.loop.api.get(path, query, who.token);
  }

  post({ path }: Endpoint, fields: object, who = this.home): Promise<Answer> {
    return this.loop.api.post(path, fields, who.token);
  }

  async rows(endpoint: Endpoint, query: object, who = this.home): Promise<Row[]> {
    const answer = await this.get(endpoint, query, who);
    if (answer.code !== 0) throw new Error(JSON.stringify(answer));
    return answer.data as Row[];
  }

  async addCpe(replaced: object = {}): Promise<number> {
    this.made += 1;
    const own = { alias: `c${this.made}`, sn: `SITE-${this.made}` };
    const draft = wireDraft("cpe", "valid", this.home.ids, own);
    return newIdOf(await this.post(cpe.ops.add, { ...draft, ...replaced }));
  }
}

export async function siteWorld(): Promise<SiteWorld> {
  const mails = {
    title: () => "Weft",
    loginSms: false,
    sendsMail: true,
    sendsSms: false,
    identityNetworks: [],
  };
  const loop = await loopWorld({}, undefined, undefined, mails);
  const home = await makeTenant(loop.api, loop.admin, "home");
  const other = await makeTenant(loop.api, loop.admin, "other");
  return new SiteWorld(loop, home, other);
}
