import {
  popCfg,
  popCfgEdit,
  popConfigVersions,
  popInterfaceList,
} from "@weft/contract/domains/devices/cpe-config.ts";
import { line } from "@weft/contract/domains/devices/line.ts";
import { popFindById } from "@weft/contract/domains/devices/pop.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { DailySchedule } from "@weft/contract/rules/schedule.ts";
import { z } from "zod";
import { call } from "#client/call.ts";
import { useNumberParam } from "#client/paths.ts";
import { useMay } from "#client/session.tsx";
import { type CallResult, refreshEvery, useCall } from "#client/use-call.ts";
import { LineSection } from "#domains/devices/parts/node/line-section.tsx";
import { NodeActions } from "#domains/devices/parts/node/node-actions.tsx";
import { cardOfPop, type NodeCard } from "#domains/devices/parts/node/node-card.ts";
import { NodeHead } from "#domains/devices/parts/node/node-head.tsx";
import { NodeScreen } from "#domains/devices/parts/node/node-screen.tsx";
import { NodeSettings, SectionFrame } from "#domains/devices/parts/node/node-settings.tsx";
import { useCapabilities, useNodeState } from "#domains/devices/parts/node/use-node.ts";
import { TabsOfSite } from "#domains/devices/parts/site/tabs-of-site.tsx";
import { useNodePolicySections } from "#domains/policies/parts/policy/node-sections.tsx";
import { CapabilitiesProvider } from "#feedback/device-capabilities.tsx";
import { Failed, Loading } from "#feedback/empty-state.tsx";
import { useStaleRow } from "#feedback/stale/use-stale-row.tsx";
import { useToast } from "#feedback/toast.tsx";
import { useInvalidate } from "#feedback/use-action.ts";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { Field, type FieldControl } from "#kernel/form/field.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import {
  type Column,
  copyColumn,
  numberColumn,
  stateColumn,
  textColumn,
} from "#kernel/list/columns.tsx";
import { ResourceTable } from "#kernel/list/resource-table.tsx";
import { type List, useList, useResourceList } from "#kernel/list/use-list.ts";
import { megabitsOf } from "#parts/fields/bandwidth-field.tsx";
import { ScheduleInput } from "#parts/fields/schedule-input.tsx";
import { SaveButton } from "#parts/fields/submit.tsx";
import { type PopTexts, usePopTexts } from "./pop-texts.ts";

type PopConfig = OutputOf<typeof popCfg>;

/** What the form holds: an item is never nothing here. */
const schema = z.object({ mtu: popCfg.output.shape.mtu, szCrontab: popCfg.output.shape.szCrontab });

interface PopSystemProps {
  readonly node: NodeCard;
  readonly result: CallResult<typeof popCfg>;
}

/** What concerns a POP as a whole. */
function PopSystem({ node, result }: PopSystemProps) {
  const t = usePopTexts();
  const { data, error, refetch } = result;
  return (
    <SectionFrame title={t("pop.system")}>
      {data ? (
        <SystemForm key={String(data.updateTime)} node={node} config={data} />
      ) : error ? (
        <Failed error={error} retry={refetch} />
      ) : (
        <Loading rows={3} />
      )}
    </SectionFrame>
  );
}

function SystemForm({ node, config }: { readonly node: NodeCard; readonly config: PopConfig }) {
  const t = usePopTexts();
  const toast = useToast();
  const invalidate = useInvalidate();
  const { mtu, szCrontab } = config;
  const start = { mtu, szCrontab };
  const form = useDraft(schema, start);
  const stale = useStaleRow(popConfigVersions, config, start);
  return (
    <DraftForm
      form={form}
      onSubmit={async (values) => {
        const saved = await stale.save(form, (version) =>
          call(popCfgEdit, { popId: node.id, ...values, ...version }),
        );
        if (saved === null) return;
        toast.done(t("node.saved"));
        invalidate("popCfg", "nodeState", "pop", "task");
      }}
    >
      {stale.panel(form)}
      <Field name="mtu" help={t("pop.mtuHelp")} />
      <Field name="szCrontab" help={t("pop.scheduleHelp")}>
        {(control: FieldControl<DailySchedule>) => <ScheduleInput control={control} />}
      </Field>
      <SaveButton label={t("pop.save")} />
    </DraftForm>
  );
}

type Row = OutputOf<typeof popInterfaceList>[number];

const columns = (t: PopTexts): Column<Row>[] => [
  stateColumn(
    "status",
    t("pop.carrier"),
    ({ status }: Row) =>
      status === null
        ? { glyph: "unknown", label: t("pop.notReported") }
        : { glyph: status === 1 ? "ok" : "bad", label: t(status === 1 ? "pop.up" : "pop.down") },
    { width: 112 },
  ),
  textColumn("name", t("pop.interface"), (row: Row) => row.name, { width: 136 }),
  copyColumn("ip", t.field("address"), (row: Row) => row.ip, { missing: t("pop.notReported") }),
  numberColumn("inRate", t("pop.inRate"), (row: Row) => megabitsOf(row.inRate), { digits: 2 }),
  numberColumn("outRate", t("pop.outRate"), (row: Row) => megabitsOf(row.outRate), { digits: 2 }),
];

interface Props {
  readonly list: List<Row, object>;
}

/** Interfaces of a POP as its device reported them, with their rates of the last minutes. */
function PopInterfaces({ list }: Props) {
  const t = usePopTexts();
  return (
    <SectionFrame title={t("pop.interfaces")}>
      <ResourceTable
        list={list}
        rowKey="id"
        columns={columns(t)}
        empty={t("pop.interfacesEmpty")}
      />
    </SectionFrame>
  );
}

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
