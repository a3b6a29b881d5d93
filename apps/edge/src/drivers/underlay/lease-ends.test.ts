/**
 * Providers that give what tunnels travel by: the address of their other end, a prefix around it, or the device itself as router.
 * One line of two is theirs, and tunnels of both families leave by the other one.
 */
import type { DesiredState } from "@weft/contract/device/v1/state.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { waitUntil } from "#drivers/daemon.ts";
import type { Dhcp6Settings } from "../../../test/netns/dhcp6-server.ts";
import { type NetnsEdge, type NetnsMachine, pings } from "../../../test/netns/host.ts";
import { Dhcp6Server, Ipv6Provider } from "../../../test/netns/ipv6-provider.ts";
import { endOwnServer, Provider } from "../../../test/netns/provider.ts";
import {
  cpeState,
  createWorld,
  makeSites,
  newKey,
  popState,
  type World,
} from "../../../test/netns/world.ts";

const sites = makeSites();
const [one, site] = sites;
const popKey = newKey();
const pop4 = "192.0.2.10";
const pop6 = "2001:db8:2::10";

/** Links 21 and 23 leave by the first line, one in each family; 22 by the second, which the provider in question leads. */
const state = ((): DesiredState => {
  const base = cpeState(site, popKey, [1, 2, 3]);
  return {
    ...base,
    underlay: {
      ...base.underlay,
      lines: base.underlay.lines.flatMap((line) => {
        if (line.slot === 3) return [];
        const ipv6 =
          line.slot === 1
            ? { mode: "static" as const, ip: "2001:db8:1::20/64", gateway: "2001:db8:1::1" }
            : { mode: "delegated" as const, length: null };
        return [{ ...line, ipv6 }];
      }),
    },
    firewall: { ...base.firewall, wan: ["wan1", "wan2"] },
    tunnels: base.tunnels.map((tunnel) => ({
      ...tunnel,
      links: tunnel.links.map((link) =>
        link.slot === 3
          ? { ...link, slot: 1, endpoint: link.endpoint?.replace(pop4, `[${pop6}]`) ?? null }
          : link,
      ),
    })),
  };
})();
const hub = popState(
  [
    { site: one, slots: [1] },
    { site, slots: [1, 2, 3] },
  ],
  popKey,
);

let world: World;
let cpe: NetnsMachine;
let edge: NetnsEdge;
let provider: Provider;
let routers: readonly [Ipv6Provider, Ipv6Provider];
let server: Dhcp6Server;

const answers = (holds: () => Promise<boolean>, what: string): Promise<void> =>
  waitUntil(what, holds, 60_000, 200);
const findings = async (): Promise<string[]> =>
  (await edge.findings(state)).map(({ kind, object, reason, params }) =>
    `${kind} ${object} ${reason} ${params.address ?? params.gateway ?? ""}`.trim(),
  );
const isFound = (finding: string): Promise<void> =>
  answers(async () => (await findings()).includes(finding), finding);
const isUp = (...ids: readonly number[]): Promise<void> =>
  answers(async () => {
    const there = (await edge.measures()).filter(({ up }) => up).map(({ id }) => id);
    return ids.every((id) => there.includes(id));
  }, `links ${ids}`);

/** Sessions are made anew: a handshake finds its way, not only what follows it. */
const callAnew = async (): Promise<void> => {
  for (const { interfaceName, peerKey } of state.tunnels.flatMap(({ links }) => links))
    await cpe.run(["wg", "set", interfaceName, "peer", peerKey, "remove"]);
  await edge.deliver(state);
};

/** The cable is out and in, and the provider gives this from then on. @param at what the line's address begins with */
const gives = async (
  offer: { readonly prefix: string; readonly host: string; readonly more?: readonly string[] },
  at: string,
): Promise<void> => {
  const shown = await cpe.run(["ip", "-o", "link", "show", "dev", "wan2"]);
  const host = `--dhcp-host=${/ether (\S+)/.exec(shown)?.[1]},${offer.prefix}.${offer.host}`;
  await provider.cable("down", cpe, "wan2");
  await provider.serve({ prefix: offer.prefix, more: [host, ...(offer.more ?? [])] });
  await provider.cable("up", cpe, "wan2");
  const isThere = async () =>
    (await cpe.run(["cat", "/run/weft/dhcp/wan2.json"]).catch(() => "")).includes(`"${at}`);
  await answers(isThere, `a lease of ${at}`);
};
const ordinary = () => gives({ prefix: "203.0.113", host: "110" }, "203.0.113.110");

const given = (more: Partial<Dhcp6Settings>): Dhcp6Settings => ({
  renew: 2,
  address: null,
  prefix: null,
  ...more,
});
const times = { preferred: 1_000, valid: 2_000 };

beforeAll(async () => {
  world = await createWorld(sites);
  cpe = world.cpes[1];
  const { inet, pop, cpes } = world;
  await inet.run(["sysctl", "-q", "-w", "net.ipv6.conf.all.forwarding=1"]);
  await inet.run(["ip", "addr", "add", "2001:db8:2::1/64", "dev", "p1", "nodad"]);
  await endOwnServer(inet);
  provider = new Provider(inet, "isp2");
  routers = [new Ipv6Provider(inet, "isp1"), new Ipv6Provider(inet, "isp2")];
  await routers[0].serve({ prefix: "2001:db8:1::" });
  await provider.serve({ prefix: "203.0.113" });
  // Its link-local address went with the others, and comes with the cable.
  await provider.cable("down", cpe, "wan2");
  await provider.cable("up", cpe, "wan2");
  server = new Dhcp6Server(inet, "isp2");
  await server.start(given({}));
  const hubEdge = await pop.edge(popKey);
  await hubEdge.apply(hub);
  // The document knows lines of one family: the other one's address is the machine's own.
  await pop.run(["ip", "-6", "addr", "replace", `${pop6}/64`, "dev", "wan1", "nodad"]);
  const route = ["default", "via", "2001:db8:2::1", "table", "101"];
  await pop.run(["ip", "-6", "route", "replace", ...route]);
  const other = await cpes[0].edge(one.key);
  await other.apply(cpeState(one, popKey, [1]));
  edge = await cpe.edge(site.key);
  await edge.boot(state);
  await edge.deliver(state);
  await isUp(21, 22, 23);
  await answers(() => pings(world.hosts[1], "10.1.1.100", 1), "the other site");
}, 480_000);

afterAll(async () => {
  await world?.remove();
}, 60_000);

/** What holds whatever the second line's provider gives. @param finding null: none is due */
const travels = async (finding: string | null): Promise<void> => {
  if (finding !== null) await isFound(finding);
  await edge.untilNothingToDo(state);
  await callAnew();
  await isUp(21, 23);
  await answers(() => pings(world.hosts[1], "10.1.1.100", 1), "the other site");
  if (finding !== null) expect(await findings()).toContain(finding);
  expect(await cpe.run(["ip", "-o", "addr"])).not.toMatch(`${pop4}/|${pop6}/`);
};

describe("tunnels keep to their lines", { timeout: 240_000 }, () => {
  it("and the line has a finding where a lease has the address of their other end", async () => {
    await gives({ prefix: "192.0.2", host: "10" }, pop4);
    await travels(`line wan2 endpointAddress ${pop4}`);
  });

  it("where a lease has their other end as router", async () => {
    await gives({ prefix: "192.0.2", host: "20", more: [`--dhcp-option=3,${pop4}`] }, "192.0.2.20");
    await travels("line wan2 lineSilent");
  });

  it("where a lease has the device as router: by its own address, the other line's or that of a LAN", async () => {
    for (const router of ["203.0.113.120", "198.51.100.20", "10.0.0.1"]) {
      const more = [`--dhcp-option=3,${router}`];
      if (router === "10.0.0.1") more.push("--dhcp-option=1,255.255.255.255");
      await gives({ prefix: "203.0.113", host: "120", more }, "203.0.113.120");
      await travels(`line wan2 leaseGateway ${router}`);
    }
    await ordinary();
    await isUp(21, 22, 23);
    await edge.untilNothingToDo(state);
  });

  it("where DHCPv6 gives the address of their other end, or a prefix around it", async () => {
    await routers[1].serve({ prefix: "2001:db8:3::" });
    await server.give(given({ address: { address: pop6, ...times } }));
    await travels(`line wan2 ipv6Overlap ${pop6}/128`);
    await server.give(given({ prefix: { prefix: "2001:db8:2::", length: 56, ...times } }));
    await travels("line wan2 ipv6Overlap 2001:db8:2::/56");
    await server.give(given({}));
  });

  it("where a router advertises their other end's network", async () => {
    await routers[1].serve({ prefix: "2001:db8:2::" });
    const isThere = async () =>
      (await cpe.run(["ip", "-6", "-o", "addr", "show", "dev", "wan2"])).includes("2001:db8:2:");
    await answers(isThere, "an address of that network");
    await travels(null);
  });
});
