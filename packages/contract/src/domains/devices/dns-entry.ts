import { z } from "zod";
import type { Samples } from "#contract/samples/sample.ts";
import * as codec from "#kernel/codec.ts";
import { endpoint } from "#kernel/endpoint.ts";
import { defineResource } from "#kernel/resource.ts";
import * as address from "#rules/address.ts";
import * as host from "#rules/host.ts";
import * as text from "#rules/text.ts";
import { dnsEntryTypes } from "./settings-enums.ts";

/** What a CPE's resolver says of a domain (section 3): an address, or the server to ask. */
const draft = z.object({
  nCpeID: codec.id,
  nEnable: codec.flag,
  nType: codec.code(dnsEntryTypes),
  /** The name and all below it. */
  domain: host.domain,
  /** IPv4 or IPv6: what the name stands for, or the server that knows it. */
  address: address.ipAddress,
  remark: text.remark,
});

const row = z.object({
  nID: z.number(),
  nCpeID: z.number(),
  nEnable: codec.flag,
  nType: z.number(),
  domain: z.string(),
  address: z.string(),
  remark: z.string(),
});

export const dnsEntry = defineResource({
  name: "dnsmasq",
  title: ["DNS 条目", "DNS entry"],
  path: "/customer/dnsmasq",
  id: "nID",
  row,
  draft,
  query: z.object({ nCpeID: codec.id }),
  verbs: ["list", "add", "edit", "remove"],
  sort: ["nID", "domain"],
  sheet: { key: ["domain", "address"] },
  owner: "nCpeID",
  may: {
    list: "configDns",
    add: "configDns",
    edit: "configDns",
    remove: "configDns",
    combo: null,
  },
});

/** Lines of one file at most. */
export const maxDnsLines = 5_000;

/**
 * Adds the entries of a file: a line `address domain...` as in hosts(5), or
 * `domain,address[,type[,remark]]`; `#` begins a comment. What is there already is left alone.
 */
export const dnsEntryImport = endpoint({
  id: "dnsmasq.importData",
  method: "POST",
  path: "/customer/dnsmasq/importData",
  input: z.object({ nCpeID: codec.id, file: codec.file() }),
  output: z.object({ added: z.number(), known: z.number() }),
  may: "configDns",
});

export const dnsEntrySamples: Samples<typeof dnsEntry> = {
  valid: ({ cpeId }) => ({
    nCpeID: cpeId,
    nEnable: true,
    nType: 0,
    domain: "erp.example.com",
    address: "10.1.1.20",
    remark: "",
  }),
  edited: (ids) => ({ ...dnsEntrySamples.valid(ids), nEnable: false, address: "fd00::20" }),
  distinct: ({ latin }) => ({ domain: `${latin}.example.com` }),
  invalid: [
    { field: "domain", value: "a b", rule: "host" },
    { field: "domain", value: "10.1.1.1", rule: "host" },
    { field: "address", value: "erp", rule: "ip" },
    { field: "nType", value: 2, rule: "oneOf" },
  ],
};
