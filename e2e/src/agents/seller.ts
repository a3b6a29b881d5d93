/** Resellers for tests: an agent's enterprise below the operator, and a person who works there. */

import { enterprise } from "@weft/contract/domains/enterprises/enterprise.ts";
import type { Caller } from "@weft/contract/kernel/client.ts";
import { callerOf } from "@weft/contract/kernel/client.ts";
import { samples } from "@weft/contract/samples/drafts.ts";
import type { Reached } from "#e2e/installation.ts";
import { addPerson, adminOf, tokenOf } from "#e2e/people.ts";

export interface Seller {
  /** Name of the enterprise. */
  readonly name: string;
  readonly loginName: string;
  readonly groupid: number;
  readonly token: string;
  /** Calls the API as this person. */
  readonly call: Caller;
}

/** What a row of the samples needs and these tests do not use. */
export const noIds = { groupid: 1, cpeId: 1, popId: 1 };

/** Makes the agent's enterprise and its person, with the permissions that an agent has by default. */
export async function addSeller(
  installation: Reached,
  name: string,
  loginName: string,
): Promise<Seller> {
  const call = await adminOf(installation);
  const draft = { ...samples.enterprise.valid(noIds), name, phone: null, email: null };
  const { data } = await call(enterprise.ops.add, { ...draft, isAgent: true });
  await addPerson(call, { name: loginName, groupid: data.id, roleType: 1 });
  const token = await tokenOf(installation.url, loginName);
  return {
    name,
    loginName,
    groupid: data.id,
    token,
    call: callerOf(installation.url, () => token),
  };
}
