/** Samples of what is set on a site. */
import type { siteResources } from "#contract/site-endpoints.ts";
import type { Samples } from "./sample.ts";

type Name = keyof typeof siteResources;

export const siteSamples: { readonly [Of in Name]: Samples<Of> } = {
  dnsmasq: {
    valid: ({ cpeId }) => ({
      nCpeID: cpeId,
      nEnable: true,
      nType: 0,
      domain: "erp.example.com",
      address: "10.1.1.20",
      remark: "",
    }),
    edited: (ids) => ({ ...siteSamples.dnsmasq.valid(ids), nEnable: false, address: "fd00::20" }),
    invalid: [
      { field: "domain", value: "a b", rule: "host" },
      { field: "domain", value: "10.1.1.1", rule: "host" },
      { field: "address", value: "erp", rule: "ip" },
      { field: "nType", value: 2, rule: "oneOf" },
    ],
  },
  xaclrules: {
    valid: ({ cpeId }) => ({
      nCpeID: cpeId,
      nEnable: true,
      nSection: 10,
      sort: 0,
      name: "禁访客进财务",
      action: 0,
      protocol: "tcp",
      srcIp: "10.1.9.0/24",
      dstIp: "10.1.1.0/24",
      srcPort: null,
      dstPort: "1-1024",
      remark: "",
    }),
    edited: (ids) => ({ ...siteSamples.xaclrules.valid(ids), nSection: 20, action: 1 }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "action", value: 2, rule: "oneOf" },
      { field: "protocol", value: "sctp", rule: "oneOf" },
      { field: "srcIp", value: "10.1.9.0", rule: "cidr" },
      { field: "dstIp", value: "fd00::/64", rule: "ip" },
      { field: "dstPort", value: "9-1", rule: "portRange" },
    ],
  },
  dialTask: {
    valid: ({ groupid, cpeId }) => ({
      name: "到总部",
      groupid,
      cpeIds: [cpeId],
      type: "ping",
      target: "192.0.2.10",
      interval: 60,
      enable: false,
      remark: "",
    }),
    edited: (ids) => ({
      ...siteSamples.dialTask.valid(ids),
      type: "http",
      target: "https://www.example.com/",
    }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "cpeIds", value: [], rule: "atLeastOne" },
      { field: "target", value: "a b", rule: "host" },
      { field: "interval", value: 29, rule: "outOfRange" },
      { field: "type", value: "smtp", rule: "oneOf" },
    ],
  },
  blacklist: {
    valid: ({ groupid, cpeId }) => ({
      groupid,
      type: "ip",
      value: "203.0.113.0/24",
      cpeIds: [cpeId],
      enable: true,
      remark: "",
    }),
    edited: (ids) => ({
      ...siteSamples.blacklist.valid(ids),
      type: "domain",
      value: "ads.example.com",
      cpeIds: [],
    }),
    invalid: [
      { field: "value", value: "", rule: "required" },
      { field: "value", value: "not an address", rule: "notAllowed" },
      { field: "type", value: "asn", rule: "oneOf" },
    ],
  },
  firmwareTask: {
    valid: ({ groupid, cpeId }) => ({
      groupid,
      name: "升级",
      version: "1.2.0",
      cpeIds: [cpeId],
      schedule: { enabled: true, hour: 2, minute: 30 },
    }),
    edited: (ids) => ({ ...siteSamples.firmwareTask.valid(ids), version: "1.2.1" }),
    invalid: [
      { field: "name", value: "", rule: "required" },
      { field: "cpeIds", value: [], rule: "atLeastOne" },
      { field: "schedule", value: { enabled: true, hour: 24, minute: 0 }, rule: "schedule" },
    ],
  },
};
