/**
 * An edge of an older release with a controller of this one. The schemas of its state are strict: a section or a field that it does not know
 * makes it refuse the whole state, and every later one. So whatever is configured, it is sent nothing that came after the
 * first release, unless it reports that it can; what is not sent has its finding where devices carry it out (policies).
 */

import {
  acceptsCapability,
  byteRecordsCapability,
  lanTranslationCapability,
  nextKeyCapability,
  rankedSitesCapability,
} from "@weft/contract/device/v1/additions.ts";
import { dnsCapabilities, dnsRouteCapability } from "@weft/contract/device/v1/dns.ts";
import { joinLans } from "@weft/contract/device/v1/earlier-lans.ts";
import { routeCapabilities } from "@weft/contract/device/v1/policy.ts";
import {
  declarationOf,
  formatCapabilities,
  sectionFormatFor,
  sectionKind,
  sectionKinds,
} from "@weft/contract/device/v1/sections.ts";
import { toSections } from "@weft/contract/device/v1/state.ts";
import { lanPrefixCapability, wanIpv6Capability } from "@weft/contract/device/v1/underlay.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { z } from "zod";
import { scopedSnapshot } from "#db/pool.ts";
import { accelerationFindings } from "#domains/policies/acceleration/public.ts";
import { type TestApi, testApi } from "../../../../test/api.ts";
import { type MixedFleet, mixedFleet } from "../../../../test/mixed-fleet.ts";
import { acceleratedSites, compile } from "./compile.ts";
import { type ReadView, readViews } from "./view.ts";

/** What every edge reports, since the first release. */
const oldest = [{ name: "wireguard.kernel", can: true, reason: null }];
/** What one of today reports. */
const newest = [
  ...oldest.map(({ name }) => name),
  ...formatCapabilities,
  ...sectionKinds.flatMap((kind) => declarationOf(kind).needs?.capability ?? []),
  acceptsCapability,
  nextKeyCapability,
  lanTranslationCapability,
  byteRecordsCapability,
  ...Object.values<string>(dnsCapabilities),
  ...routeCapabilities,
  dnsRouteCapability,
  wanIpv6Capability,
  lanPrefixCapability,
  rankedSitesCapability,
  "policy.routerConnlimit",
].map((name) => ({ name, can: true, reason: null }));

/** Optional fields that keep something out, which are sent to every edge (docs/protocol.md, additions), and the list of the first release. */
const always = new Set(["firewall acl", "underlay lans[].central", "underlay lans[].networks"]);

let api: TestApi;
let fleet: MixedFleet;
let views: readonly ReadView[];
beforeAll(async () => {
  api = await testApi();
  fleet = await mixedFleet(api, await api.logIn("admin"), 7);
  await configureAll(fleet.run);
  // Their links are placed by that.
  await fleet.mark(fleet.all);
  const scope = { kind: "enterprises", ids: [], userId: null, ownOnly: false } as const;
  const found = await scopedSnapshot(api.database.pools.worker, scope, (trx) =>
    readViews(trx, fleet.all),
  );
  views = [...found.values()].map((view) => {
    if (view instanceof Error) throw view;
    return view;
  });
}, 120_000);
afterAll(() => api.close());

/** What came later and the fleet has nothing of by itself. */
async function configureAll(run: MixedFleet["run"]): Promise<void> {
  await run(sql`update weft.line set ipv6_mode = 'delegated', prefix_length = 56 where slot = 1
    and addressing = 'dhcp'`);
  await run(sql`update weft.line set ipv6_mode = 'static', ip6 = '2001:db8:77::2/64', gateway6 = 'fe80::1'
    where slot = 2`);
  await run(sql`update weft.lan_section set ipv6_slot = 1, ipv6_subnet = 3,
    dhcp_start = regexp_replace(network, '\\.1/24$', '.100'), dhcp_end = regexp_replace(network, '\\.1/24$', '.120')
    where interface_name = 'lan1'`);
  await run(sql`update weft.lan_section set enable_central = true where interface_name = 'lan3'`);
  await run(sql`insert into weft.dhcp_reservation (enterprise_id, node_id, mac, address)
    select enterprise_id, node_id, '00:11:22:33:44:' || lpad(to_hex(node_id % 256), 2, '0'), regexp_replace(network, '\\.1/24$', '.30')
    from weft.lan_section where interface_name = 'lan1'`);
  await run(sql`insert into weft.route_notice (enterprise_id, node_id, network, enabled, preference)
    select enterprise_id, id, '10.240.' || id || '.0/24', true, 2 from weft.node where kind = 'cpe'`);
  for (const [kind, member] of [
    ["ip", "203.0.113.0/24"],
    ["domain", "example.com"],
  ] as const) {
    await run(sql`insert into weft.saas_group (enterprise_id, kind, name, members, enabled)
      select distinct enterprise_id, ${kind}, ${kind}, ${[member]}::text[], true from weft.node`);
  }
  await run(
    sql`update weft.node_config set items = items || '{"byteLog": "0", "nDynamicdhcp": "1"}'`,
  );
}

interface Def {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly options?: readonly z.ZodType[];
}

/** Optional fields of a schema that a value has, by their path. */
function optionalIn(schema: z.ZodType, value: unknown, path: string): string[] {
  const def = schema._zod.def as unknown as Def;
  if (value === undefined || value === null) return [];
  if (def.shape) {
    return Object.entries(def.shape).flatMap(([name, field]) => {
      const own = (value as Readonly<Record<string, unknown>>)[name];
      const here = path === "" ? name : `${path}.${name}`;
      const { type } = field._zod.def as unknown as Def;
      const isLater = own !== undefined && type === "optional";
      return [...(isLater ? [here] : []), ...optionalIn(field, own, here)];
    });
  }
  if (def.element)
    return (value as unknown[]).flatMap((one) =>
      optionalIn(def.element as never, one, `${path}[]`),
    );
  if (def.valueType)
    return Object.values(value).flatMap((one) =>
      optionalIn(def.valueType as never, one, `${path}{}`),
    );
  if (def.options) {
    const fitting = def.options.find((option) => option.safeParse(value).success);
    return fitting ? optionalIn(fitting, value, path) : [];
  }
  const inner = def.innerType ?? def.in;
  return inner ? optionalIn(inner, value, path) : [];
}

type Capabilities = ReadView["capabilities"];

/** What a state of the node has that came after the first release: sections, parts of them and fields. */
const laterIn = (view: ReadView, capabilities: Capabilities): string[] => {
  const sent = toSections(compile({ ...view, capabilities }), sectionFormatFor(capabilities));
  const isWhole = !("lan" in (sent.get("firewall") as object));
  return [...(isWhole ? ["underlay lans[] whole"] : []), ...fieldsLaterIn(joinLans(sent))];
};

const fieldsLaterIn = (sections: ReadonlyMap<string, unknown>): string[] =>
  [...sections].flatMap(([name, content]) => {
    const kind = sectionKind(name);
    if (kind === null) return [`unknown ${name}`];
    const { needs, schema, parts, occurs } = declarationOf(kind);
    const places = name.split(".").length - (occurs === "perSpace" ? 1 : 0);
    const isDivided = parts !== undefined && parts !== "always" && places > 1;
    return [
      ...(needs && needs.isSentUnreported !== true ? [kind] : []),
      ...(isDivided ? [`part of ${kind}`] : []),
      ...optionalIn(schema as z.ZodType, content, "").map((field) => `${kind} ${field}`),
    ];
  });

const laterOf = (capabilities: Capabilities): string[] =>
  [...new Set(views.flatMap((view) => laterIn(view, capabilities)))].sort();

test("an edge that reports only what the first release could is sent nothing that came later", () => {
  expect(views.length).toBeGreaterThan(20);
  expect(laterOf(oldest).filter((one) => !always.has(one))).toEqual([]);
});

test("nor is one that has reported nothing yet", () => {
  expect(laterOf(null).filter((one) => !always.has(one))).toEqual([]);
});

test("the same nodes have all of it as soon as they report that they can", () => {
  expect(laterOf(newest)).toEqual(
    expect.arrayContaining([
      "acceleration",
      "dns reservations",
      "paths",
      "shaping",
      "system byteRecords",
      "underlay lans[] whole",
      "underlay lans[].ipv6",
      "underlay lines[].ipv6",
    ]),
  );
});

test("groups of acceleration that an edge is not sent are reported on each group", () => {
  const reasons = views.flatMap((view) =>
    acceleratedSites(view).flatMap((site) =>
      accelerationFindings(site, { capabilities: oldest }).map(({ reason }) => reason),
    ),
  );
  expect(reasons.length).toBeGreaterThan(0);
  expect(new Set(reasons)).toEqual(new Set(["notCarriedOut"]));
});
