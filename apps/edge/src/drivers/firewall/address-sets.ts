/** Groups of addresses that rules of policy objects match by. Pure. */
import type { AddressSet } from "@weft/contract/device/v1/policy.ts";
import { familyOf } from "#drivers/address.ts";
import { families, type NamedSet, namedSet } from "./sources.ts";

export const keyword = (family: 4 | 6): "ip" | "ip6" => (family === 4 ? "ip" : "ip6");
export const setName = (id: number, family: 4 | 6): string => `s_ip${family}_${id}`;

/** First address of a member: members have been validated by the contract. */
const isOf = (family: 4 | 6) => (member: string) =>
  familyOf(member.split("-")[0] ?? member) === family;

/** One for each family. */
export const addressSets = (sets: readonly AddressSet[]): NamedSet[] =>
  sets.flatMap(({ id, members }) =>
    families.map((family) =>
      namedSet(
        setName(id, family),
        `type ipv${family}_addr; flags interval; auto-merge;`,
        members.filter(isOf(family)),
      ),
    ),
  );
