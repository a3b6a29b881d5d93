import { cpeFindById } from "@weft/contract/domains/devices/cpe.ts";
import { cfgInit } from "@weft/contract/domains/devices/cpe-config.ts";
import { dhcpReservation } from "@weft/contract/domains/devices/dhcp-reservation.ts";
import { dnsEntry } from "@weft/contract/domains/devices/dns-entry.ts";
import { lanSection } from "@weft/contract/domains/devices/lan-section.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { staticRoute } from "@weft/contract/domains/devices/static-route.ts";
import { aclRule } from "@weft/contract/domains/policies/acl-rule.ts";
import type { Permission } from "@weft/contract/permissions.ts";
import type { ReactNode } from "react";
import { useNumberParam } from "#client/paths.ts";
import { useMay } from "#client/session.tsx";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { LineSection } from "#domains/devices/parts/node/line-section.tsx";
import { NodeActions } from "#domains/devices/parts/node/node-actions.tsx";
import { cardOfCpe, type NodeCard } from "#domains/devices/parts/node/node-card.ts";
import { NodeHead } from "#domains/devices/parts/node/node-head.tsx";
import { NodeScreen } from "#domains/devices/parts/node/node-screen.tsx";
import { NodeSettings } from "#domains/devices/parts/node/node-settings.tsx";
import { useCapabilities, useNodeState } from "#domains/devices/parts/node/use-node.ts";
import { TabsOfSite } from "#domains/devices/parts/site/tabs-of-site.tsx";
import {
  type SettingsSection,
  useNodePolicySections,
} from "#domains/policies/parts/policy/node-sections.tsx";
import { CapabilitiesProvider } from "#feedback/device-capabilities.tsx";
import { Failed, Loading } from "#feedback/empty-state.tsx";
import { later } from "#feedback/later.tsx";
import { useResourceList } from "#kernel/list/use-list.ts";
import { DnsEntries } from "./dns-entries.tsx";
import { GroupSettings } from "./group-settings.tsx";
import { useSiteTexts } from "./site-texts.ts";
import { StaticRoutes } from "./static-routes.tsx";
import { type Initial, LanSettings, SystemSettings, WifiSettings } from "./system-settings.tsx";

// Opened now and then: what is open first does not wait for them.
const LanSections = later(
  async () => (await import("./lan-section.tsx")).LanSections,
  <Loading rows={4} />,
);
const Reservations = later(
  async () => (await import("./reservations.tsx")).Reservations,
  <Loading rows={4} />,
);
const AclRules = later(
  async () => (await import("./acl-rules.tsx")).AclRules,
  <Loading rows={4} />,
);
const StandbySettings = later(
  async () => (await import("./standby-settings.tsx")).StandbySettings,
  <Loading rows={4} />,
);

/** What is set on one CPE. Each row goes out as soon as it is saved. */
export default function CpeSetPage() {
  const id = useNumberParam("id");
  const result = useCall(cpeFindById, id === null ? null : { id }, { every: refreshEvery });
  return (
    <NodeScreen id={id} result={result}>
      {(row) => <CpeSettings node={cardOfCpe(row)} />}
    </NodeScreen>
  );
}

/** Head and sections of one CPE. */
export function CpeSettings({ node }: { readonly node: NodeCard }) {
  const state = useNodeState(node.id);
  const can = useCapabilities(state);
  const wifi = can.includes("wifi");
  const sections = useSections(node, wifi);
  return (
    <>
      <NodeHead
        node={node}
        state={state.data}
        actions={<NodeActions node={node} on="settings" />}
      />
      <TabsOfSite id={node.id} tab="configuration" />
      {state.isFirstLoad ? (
        <Loading rows={6} />
      ) : (
        <CapabilitiesProvider capabilities={can}>
          <NodeSettings sections={sections} />
        </CapabilitiesProvider>
      )}
    </>
  );
}

interface WholeProps {
  readonly node: NodeCard;
  readonly children: (initial: Initial) => ReactNode;
}

/** A section about the configuration as a whole, once it is there. */
function Whole({ node, children }: WholeProps) {
  const { data, error, refetch } = useCall(cfgInit, { cpeId: node.id });
  if (data) return children(data);
  return error ? <Failed error={error} retry={refetch} /> : <Loading rows={4} />;
}

/** Each of them changes something in the section of groups. */
const groupCodes = ["cpeEditCug", "cpeEditCugEnable", "cpeEditCTG"] as const;

/** A section without its permission is absent (section 6), and its rows are not asked for. */
function useSections(node: NodeCard, wifi: boolean): SettingsSection[] {
  const may = useMay();
  const all = [
    ...useNetworkSections(node),
    ...useListSections(node),
    {
      key: "wifi",
      may: "configWifi" as const,
      ...whole(node, (initial) => <WifiSettings node={node} initial={initial} can={wifi} />),
    },
    {
      key: "standby",
      may: "cpeConfig" as const,
      count: undefined,
      body: () => <StandbySettings node={node} />,
    },
    {
      key: "groups",
      may: groupCodes.find((code) => may(code)) ?? ("cpeConfig" as const),
      count: undefined,
      body: () => <GroupSettings node={node} />,
    },
    {
      key: "system",
      may: "cpeConfig" as const,
      ...whole(node, (initial) => <SystemSettings node={node} initial={initial} />),
    },
  ];
  const policies = useNodePolicySections({ cpeId: node.id, popId: null }, "cpeConfig");
  const t = useSiteTexts();
  const labels: Readonly<Record<string, string>> = {
    lan: t("site.lan"),
    dns: t("site.dns"),
    routes: t("cpe.routes"),
    acl: t("site.acl"),
    lans: t("cpe.lans"),
    reservations: t("site.reservations"),
    lines: t("cpe.lines"),
    wifi: t("site.wifi"),
    standby: t("site.standby"),
    groups: t("site.groups"),
    system: t("site.system"),
  };
  const placed = all.map((section) => ({
    ...section,
    group: section.key === "system" ? ("system" as const) : ("network" as const),
    label: labels[section.key] ?? section.key,
  }));
  return [...placed, ...policies].filter((section) => may(section.may));
}

interface SectionParts extends Omit<SettingsSection, "label" | "group"> {
  readonly may: Permission;
}

const whole = (node: NodeCard, body: (initial: Initial) => ReactNode) => ({
  count: undefined,
  body: () => <Whole node={node}>{body}</Whole>,
});

const inside = { every: refreshEvery, inUrl: false } as const;

function useNetworkSections(node: NodeCard): SectionParts[] {
  const may = useMay();
  const lines = useResourceList(line, { ...inside, fixed: { nodeId: node.id } });
  const lans = useResourceList(lanSection, { ...inside, fixed: { nCpeID: node.id } });
  const reservations = useResourceList(dhcpReservation, { ...inside, fixed: { nCpeID: node.id } });
  return [
    {
      key: "lines",
      may: "configXwan",
      count: lines.count,
      body: () => <LineSection node={node} list={lines} />,
    },
    {
      key: "lan",
      may: "configLan",
      ...whole(node, (initial) => <LanSettings node={node} initial={initial} />),
    },
    {
      key: "lans",
      // Either code opens the list of LAN sections.
      may: may("cpeLansection") ? "cpeLansection" : "configLansectionList",
      count: lans.count,
      body: () => <LanSections node={node} list={lans} />,
    },
    {
      key: "reservations",
      may: "configLan",
      count: reservations.count,
      body: () => <Reservations node={node} list={reservations} />,
    },
  ];
}

function useListSections(node: NodeCard): SectionParts[] {
  const ofCpe = { ...inside, fixed: { nCpeID: node.id } };
  const routes = useResourceList(staticRoute, ofCpe);
  const dns = useResourceList(dnsEntry, ofCpe);
  const acl = useResourceList(aclRule, ofCpe);
  const rules = (initial: Initial) => (
    <AclRules node={node} list={acl} isOn={initial.cpeConfig.nXACLEnabled} />
  );
  return [
    {
      key: "routes",
      may: "configStaticroute",
      count: routes.count,
      body: () => <StaticRoutes node={node} list={routes} />,
    },
    {
      key: "dns",
      may: "configDns",
      count: dns.count,
      body: () => <DnsEntries node={node} list={dns} />,
    },
    { key: "acl", may: "configAcl", ...whole(node, rules), count: acl.count },
  ];
}
