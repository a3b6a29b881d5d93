import { popCfg, popInterfaceList } from "@weft/contract/domains/devices/cpe-config.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { popFindById } from "@weft/contract/domains/devices/pop.ts";
import { useNumberParam } from "#client/paths.ts";
import { useMay } from "#client/session.tsx";
import { refreshEvery, useCall } from "#client/use-call.ts";
import { LineSection } from "#domains/devices/parts/node/line-section.tsx";
import { NodeActions } from "#domains/devices/parts/node/node-actions.tsx";
import { cardOfPop, type NodeCard } from "#domains/devices/parts/node/node-card.ts";
import { NodeHead } from "#domains/devices/parts/node/node-head.tsx";
import { NodeScreen } from "#domains/devices/parts/node/node-screen.tsx";
import { NodeSettings } from "#domains/devices/parts/node/node-settings.tsx";
import { useCapabilities, useNodeState } from "#domains/devices/parts/node/use-node.ts";
import { TabsOfSite } from "#domains/devices/parts/site/tabs-of-site.tsx";
import { useNodePolicySections } from "#domains/policies/parts/policy/node-sections.tsx";
import { CapabilitiesProvider } from "#feedback/device-capabilities.tsx";
import { Loading } from "#feedback/empty-state.tsx";
import { useList, useResourceList } from "#kernel/list/use-list.ts";
import { PopInterfaces } from "./pop-interfaces.tsx";
import { PopSystem } from "./pop-system.tsx";
import { usePopTexts } from "./pop-texts.ts";

/** What is set on one POP. Each row and each form goes out as soon as it is saved. */
export default function PopSetPage() {
  const id = useNumberParam("id");
  const result = useCall(popFindById, id === null ? null : { id }, { every: refreshEvery });
  return (
    <NodeScreen id={id} result={result}>
      {(row) => <PopSettings node={cardOfPop(row)} />}
    </NodeScreen>
  );
}

function PopSettings({ node }: { readonly node: NodeCard }) {
  const t = usePopTexts();
  const state = useNodeState(node.id);
  const can = useCapabilities(state);
  const may = useMay();
  const policies = useNodePolicySections({ cpeId: null, popId: node.id }, "popConfig");
  const lines = useResourceList(line, {
    fixed: { nodeId: node.id },
    every: refreshEvery,
    inUrl: false,
  });
  const interfaces = useList(popInterfaceList, {
    fixed: { popId: node.id },
    every: refreshEvery,
    inUrl: false,
  });
  const settings = useCall(popCfg, may("popConfig") ? { popId: node.id } : null);
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
          <NodeSettings
            sections={[
              {
                key: "lines",
                group: "network",
                label: t("pop.lines"),
                count: lines.count,
                body: () => <LineSection node={node} list={lines} />,
              },
              {
                key: "interfaces",
                group: "network",
                label: t("pop.interfaces"),
                count: interfaces.count,
                body: () => <PopInterfaces list={interfaces} />,
              },
              ...(may("popConfig")
                ? [
                    {
                      key: "system",
                      group: "system" as const,
                      label: t("pop.system"),
                      count: null,
                      body: () => <PopSystem node={node} result={settings} />,
                    },
                    ...policies,
                  ]
                : []),
            ]}
          />
        </CapabilitiesProvider>
      )}
    </>
  );
}
