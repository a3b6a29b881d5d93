/** How mobile accounts of an enterprise get into its network (/sdwan-system/mobileTerminal/config). */
import { z } from "zod";
import * as codec from "#kernel/codec.ts";
import { endpoint, nothing } from "#kernel/endpoint.ts";
import { expectedVersion, rowVersion, versionedSettings } from "#kernel/row-version.ts";
import { failsWith } from "#kernel/rule.ts";
import { ipCidr, ipHost, ofSites, parsePrefix } from "#rules/address.ts";
import { isHost } from "#rules/host.ts";
import { bitsPerSecond, terminalTypes } from "./mobile-account.ts";

/** Room for ten thousand clients at most, and for the POP and one client at least. */
const poolLengths = { min: 16, max: 29 } as const;

/** IPv4 network with its host bits clear, such as 10.250.0.0/22. */
const pool = z.string().refine(
  (value) => {
    const prefix = parsePrefix(value);
    if (prefix?.family !== 4) return false;
    const isWhole = prefix.address % 2n ** BigInt(32 - prefix.length) === 0n;
    return isWhole && prefix.length >= poolLengths.min && prefix.length <= poolLengths.max;
  },
  failsWith("clientPool", poolLengths),
);

const values = {
  enable: codec.flag,
  /** The space that clients enter; one of the enterprise itself. */
  netSpaceId: codec.orNull(codec.id),
  /** The POP of that space that they call. */
  popId: codec.orNull(codec.id),
  ipPool: codec.orNull(ofSites(pool)),
  /** What clients call; null: the address of the POP's first line. */
  serverHost: codec.orNull(codec.text(253).refine(isHost, failsWith("host"))),
  dns: codec.orNull(ipHost),
  /** Networks that clients send into the tunnel; empty: those of the space. */
  routes: codec.keyList.refine(
    (all) => all.length <= 200 && all.every((text) => ipCidr.safeParse(text).success),
    failsWith("cidr"),
  ),
  /** bit/s to a client and from it, where the account says nothing; null: no limit. */
  defaultTxbps: codec.orNull(bitsPerSecond),
  defaultRxbps: codec.orNull(bitsPerSecond),
  /** Kinds of terminals that are admitted; empty: all. */
  allowTerminalTypes: codec.idList.refine(
    (all) => all.every((type) => (terminalTypes as readonly number[]).includes(type)),
    failsWith("oneOf", { values: terminalTypes.join(", ") }),
  ),
};

type Values = { readonly enable: boolean } & Record<"netSpaceId" | "popId" | "ipPool", unknown>;
const needed = (field: "netSpaceId" | "popId" | "ipPool") =>
  [
    (draft: Values) => !draft.enable || draft[field] !== null,
    failsWith("required", {}, [field]),
  ] as const;

/** What runs needs a place: space, POP and pool. */
export const clientConfigDraft = z
  .object(values)
  .refine(...needed("netSpaceId"))
  .refine(...needed("popId"))
  .refine(...needed("ipPool"));

/** Unless set otherwise. */
export const noClientConfig: z.output<typeof clientConfigDraft> = {
  enable: false,
  netSpaceId: null,
  popId: null,
  ipPool: null,
  serverHost: null,
  dns: null,
  routes: [],
  defaultTxbps: null,
  defaultRxbps: null,
  allowTerminalTypes: [],
};

export const clientConfigGet = endpoint({
  id: "clientConfig.get",
  method: "GET",
  path: "/customer/clientConfig/get",
  input: z.object({ groupid: codec.id }),
  output: z.object({
    groupid: z.number(),
    enable: codec.flag,
    netSpaceId: z.number().nullable(),
    popId: z.number().nullable(),
    ipPool: z.string().nullable(),
    serverHost: z.string().nullable(),
    dns: z.string().nullable(),
    routes: codec.keyList,
    defaultTxbps: z.number().nullable(),
    defaultRxbps: z.number().nullable(),
    allowTerminalTypes: codec.idList,
    /** UDP port on the POP; null: there is none yet. */
    port: z.number().nullable(),
    /** Accounts that have a key, and so an address of the pool. */
    clients: z.number(),
    rowVersion,
  }),
  may: "clientConfig",
});

export const clientConfigEdit = endpoint({
  id: "clientConfig.edit",
  method: "POST",
  path: "/customer/clientConfig/edit",
  input: clientConfigDraft.safeExtend({ groupid: codec.id, rowVersion: expectedVersion }),
  output: nothing,
  may: "clientConfig",
});
export const clientConfigVersions = versionedSettings(
  "clientConfig",
  clientConfigGet.output,
  clientConfigEdit.input,
);
