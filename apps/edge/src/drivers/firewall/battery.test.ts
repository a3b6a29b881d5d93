/** The battery of five for families of policy objects (apps/edge/test/netns/battery.ts). */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { afterAll, beforeAll, describe } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import { type BatteryRow, battery } from "../../../test/netns/battery.ts";
import type { NetnsMachine } from "../../../test/netns/host.ts";
import { seenFrom, serveSources } from "../../../test/netns/seen-source.ts";
import { arrivingTtl, watchTtls } from "../../../test/netns/seen-ttl.ts";
import {
  createWorld,
  makeSites,
  staticLines,
  staticState,
  type World,
} from "../../../test/netns/world.ts";

const sites = makeSites();
const [, site] = sites;
const [first, second] = staticLines(site);
/** Without daemons, which a power cut of a namespace would leave running. */
const plain = staticState(site);
const internet = "192.0.2.1";
/** Another server of the internet. */
const besides = "192.0.2.2";
const outside = "198.51.100.1";
const grouped = "10.0.0.100";
const other = "10.0.0.101";
const sets = [{ id: 8, members: [grouped] }];

let world: World;
let cpe: NetnsMachine;
let host: NetnsMachine;

const policy = (state: DesiredState, given: Partial<DesiredState["policy"]>): DesiredState => ({
  ...state,
  policy: { sets, limits: [], ...given },
});
const fromGrouped = () => seenFrom(host, grouped, internet);
const fromOther = () => seenFrom(host, other, internet);

const routes: readonly (readonly [string, object, string])[] = [
  ["by a WAN link", { slots: [2] }, second],
  ["to a next hop", { slots: [], hop: { address: "203.0.113.1", interfaceName: "wan2" } }, second],
  ["to another destination", { slots: [], destination: grouped }, "10.0.0.1"],
];
const [grouped6, other6] = ["fd57:1:2::100", "fd57:1:2::101"];
/** Behind which hosts leave for the internet by IPv6. */
const device6 = "2001:db8:1::2";
/** What a server of the internet sees of a new connection by IPv6, for which the provider has a route. */
const seenFrom6 = async (from: string): Promise<string> => {
  // A power cut takes the address.
  await cpe.run(["ip", "addr", "replace", `${device6}/64`, "dev", "wan1", "nodad"]);
  // The kernel looks for doubles of an address that the LAN was just given.
  const isChecked = async () =>
    (await cpe.run(["ip", "-6", "addr", "show", "dev", "lan0", "tentative"])).trim() === "";
  await waitUntil("addresses without a double", isChecked, 10_000, 50);
  return seenFrom(host, from, "2001:db8:1::1");
};

const ttlFrom = async (from: string): Promise<string> =>
  `${await arrivingTtl(world.inet, host, [from, internet])}`;

/** Opens three connections of an address at the same time. @returns how many were open together */
const threeFrom = async (from: string): Promise<string> => {
  const script = `
    let open = 0, ended = 0;
    const end = () => (ended += 1) === 3 && (console.log(open + " open"), process.exit(0));
    for (let n = 0; n < 3; n++)
      require("net").connect({ host: "${internet}", port: 7000, localAddress: "${from}" })
        .once("connect", () => { open += 1; end(); }).once("error", end);
    setTimeout(() => { console.log("silence"); process.exit(0); }, 5000);`;
  // Flows that ended a moment ago count as well.
  await cpe.run(["conntrack", "-F"]);
  return (await host.run([process.execPath, "-e", script])).trim();
};

const bulk = 1_000_000;
/** A server of the internet that sends each connection a megabyte. */
const serveBulk = async (): Promise<void> => {
  const script = `require("net").createServer((s) => s.on("error", () => {})
    .end(Buffer.alloc(${bulk}))).listen(7001, "${internet}")`;
  void world.inet.run([process.execPath, "-e", script], { timeoutMs: 300_000 }).catch(() => "");
  const listens = async () => (await world.inet.run(["ss", "-Hltn", "sport = :7001"])) !== "";
  await waitUntil("the megabyte", listens, 10_000, 100);
};
/** Whether a host gets the megabyte in 3 s, for which 1 Mbit/s is too little. */
const megabyteTo = async (from: string): Promise<string> => {
  const script = `
    let got = 0;
    const end = () => { console.log(got === ${bulk} ? "all" : got > 0 ? "a part" : "nothing"); process.exit(0); };
    require("net").connect({ host: "${internet}", port: 7001, localAddress: "${from}" })
      .on("data", (data) => { got += data.length; if (got === ${bulk}) end(); })
      .on("connect", () => setTimeout(end, 3000)).on("error", end);`;
  return (await host.run([process.execPath, "-e", script])).trim();
};

/** What the resolver of the site says to a host. */
const resolved = async (name: string): Promise<string> => {
  const script = `
    const r = new (require("node:dns").promises.Resolver)({ timeout: 1500, tries: 1 });
    r.setServers(["10.0.0.1"]);
    r.resolve4("${name}").then((all) => console.log(all.join()), () => console.log("no answer"));`;
  return (await host.run([process.execPath, "-e", script])).trim();
};
const answers = (...names: string[]): Partial<DesiredState> => ({
  dns: {
    answers: names.map((domain) => ({ domain, address: "10.0.0.20" })),
    servers: [],
    denied: [],
    ranges: [],
  },
});

/** Asks the internet about a name, and leads connections to what it answers. */
const controlling = (name: string): Partial<DesiredState> => ({
  dns: {
    answers: [],
    servers: [],
    denied: [],
    ranges: [],
    ...answers("mail.example.com").dns,
    controls: [
      {
        id: 7,
        names: [name],
        servers: [internet],
        slot: 2,
        weekdays: [],
        routes: true,
      },
    ],
  },
});
/** Knows the one name of the internet. */
const serveName = () =>
  world.inet.run([
    ...(["dnsmasq", "--conf-file=/dev/null", "--no-resolv", "--no-hosts", "--user=root"] as const),
    "--bind-interfaces",
    `--listen-address=${internet}`,
    "--pid-file=/run/names.pid",
    `--host-record=crm.example.com,${internet}`,
  ]);

const rows: readonly (BatteryRow & { readonly without?: Partial<DesiredState> })[] = [
  ...routes.map(
    ([name, given, acting]): BatteryRow => ({
      family: `a policy route ${name}`,
      given: (state) =>
        policy(state, {
          routes: [
            { id: 3, sources: 8, targets: null, time: null, slots: [], nat: true, ...given },
          ],
        }),
      about: fromGrouped,
      idle: first,
      acting,
      beside: fromOther,
      always: first,
    }),
  ),
  {
    family: "a TTL increment of a policy route",
    given: (state) =>
      policy(state, {
        routes: [
          {
            id: 3,
            sources: 8,
            targets: null,
            time: null,
            slots: [1],
            nat: true,
            ttlIncrement: 5,
          },
        ],
      }),
    about: () => ttlFrom(grouped),
    idle: "63",
    acting: "68",
    beside: () => ttlFrom(other),
    always: "63",
  },
  {
    family: "a policy route that denies",
    given: (state) =>
      policy(state, {
        routes: [
          {
            id: 9,
            sources: 8,
            targets: null,
            time: null,
            slots: [],
            nat: false,
            deny: true,
          },
        ],
      }),
    about: fromGrouped,
    idle: first,
    acting: "ECONNREFUSED",
    beside: fromOther,
    always: first,
  },
  {
    family: "a port mapping",
    given: (state) =>
      policy(state, {
        portMaps: [
          {
            id: 4,
            protocol: "tcp",
            outside: "7000",
            host: grouped,
            inside: "7000",
            slot: 1,
          },
        ],
      }),
    about: () => seenFrom(world.inet, outside, first),
    idle: "silence",
    acting: outside,
    beside: () => seenFrom(world.inet, outside, second),
    always: "silence",
  },
  {
    family: "an ACL rule",
    given: (state) => ({
      ...state,
      firewall: {
        ...state.firewall,
        acl: [
          {
            action: "drop",
            protocol: "tcp",
            source: `${grouped}/32`,
            target: null,
            sourcePort: null,
            targetPort: "7000",
            mac: null,
          },
        ],
      },
    }),
    about: fromGrouped,
    idle: first,
    acting: "silence",
    beside: fromOther,
    always: first,
  },
  {
    family: "an ACL rule of IPv6",
    given: (state) => ({
      ...state,
      firewall: {
        ...state.firewall,
        acl: [
          {
            action: "drop",
            protocol: "tcp",
            source: `${grouped6}/128`,
            target: null,
            sourcePort: null,
            targetPort: "7000",
            mac: null,
          },
        ],
      },
    }),
    about: () => seenFrom6(grouped6),
    idle: device6,
    acting: "silence",
    beside: () => seenFrom6(other6),
    always: device6,
  },
  {
    family: "a connection limit",
    given: (state) =>
      policy(state, { limits: [{ id: 6, set: 8, connections: 2, perSecond: null }] }),
    about: () => threeFrom(grouped),
    idle: "3 open",
    acting: "2 open",
    beside: () => threeFrom(other),
    always: "3 open",
  },
  {
    family: "a bandwidth policy",
    given: (state) =>
      policy(state, {
        tunnels: [{ id: 5, guaranteed: 64, most: 1_000, up: true, down: true, slot: null }],
        bandwidths: [{ id: 3, tunnel: 5, hosts: 8, app: null, time: null }],
      }),
    about: () => megabyteTo(grouped),
    idle: "all",
    acting: "a part",
    beside: () => megabyteTo(other),
    always: "all",
  },
  {
    family: "a DNS entry",
    // The resolver runs without it, too.
    without: answers("mail.example.com"),
    given: (state) => ({ ...state, ...answers("mail.example.com", "erp.example.com") }),
    about: () => resolved("erp.example.com"),
    idle: "no answer",
    acting: "10.0.0.20",
    beside: () => resolved("mail.example.com"),
    always: "10.0.0.20",
  },
  {
    family: "a DNS control",
    without: answers("mail.example.com"),
    given: (state) => ({ ...state, ...controlling("crm.example.com") }),
    about: async () => `${await resolved("crm.example.com")}, ${await fromGrouped()}`,
    idle: `no answer, ${first}`,
    acting: `${internet}, ${second}`,
    beside: async () =>
      `${await resolved("mail.example.com")}, ${await seenFrom(host, grouped, besides)}`,
    always: `10.0.0.20, ${first}`,
  },
  {
    family: "a URL rule",
    without: answers("mail.example.com", "erp.example.com"),
    given: (state) => ({
      ...policy(state, {
        nameRules: [{ id: 5, names: ["erp.example.com"], sources: 8, time: null, denies: true }],
      }),
      ...answers("mail.example.com", "erp.example.com"),
    }),
    about: () => resolved("erp.example.com"),
    idle: "10.0.0.20",
    acting: "no answer",
    beside: () => resolved("mail.example.com"),
    always: "10.0.0.20",
  },
];

/** Rules, routes with tables of their own, queues, a daemon. */
const typical = new Set([
  "an ACL rule",
  "a policy route by a WAN link",
  "a bandwidth policy",
  "a DNS entry",
  "a URL rule",
]);

beforeAll(async () => {
  world = await createWorld(sites);
  cpe = world.cpes[1];
  host = world.hosts[1];
  await host.run(["ip", "addr", "add", `${other}/24`, "dev", "eth0"]);
  await host.run(["ip", "addr", "add", `${other6}/64`, "dev", "eth0", "nodad"]);
  await world.inet.run(["ip", "addr", "add", "2001:db8:1::1/64", "dev", "isp1", "nodad"]);
  await world.inet.run(["ip", "route", "add", "fd57:1:2::/64", "via", device6]);
  await world.inet.run(["ip", "addr", "add", `${besides}/32`, "dev", "lo"]);
  await serveName();
  await serveSources(world.inet, internet);
  await serveSources(host, grouped);
  await serveBulk();
  await watchTtls(world.inet);
}, 60_000);

afterAll(async () => {
  await world?.remove();
}, 30_000);

describe.each(rows)("$family", { timeout: 60_000 }, (row) => {
  const without = { ...plain, ...row.without };
  battery(row, typical.has(row.family), () => ({
    plain: without,
    device: cpe,
    start: () => cpe.edge(site.key),
  }));
});
