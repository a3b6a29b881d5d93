import {
  clientConfigDraft,
  clientConfigEdit,
  clientConfigGet,
  clientConfigVersions,
} from "@weft/contract/domains/mobile/client-config.ts";
import { mobileAccount, terminalTypes } from "@weft/contract/domains/mobile/mobile-account.ts";
import { netSpace, netSpaceCandidates } from "@weft/contract/domains/overlay/net-space.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { defineMessages } from "@weft/contract/kernel/message.ts";
import type { RowOf } from "@weft/contract/kernel/resource.ts";
import Select from "antd/es/select";
import type { z } from "zod";
import { call } from "#client/call.ts";
import { paths, useNumberParam } from "#client/paths.ts";
import { useSession } from "#client/session.tsx";
import { codeOptions, useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { EmptyState, Failed, Loading } from "#feedback/empty-state.tsx";
import { useStaleRow } from "#feedback/stale/use-stale-row.tsx";
import { useToast } from "#feedback/toast.tsx";
import { useInvalidate } from "#feedback/use-action.ts";
import { DraftForm, useDraftValues } from "#kernel/form/draft-form.tsx";
import { Field, type FieldControl, FieldGroup, FieldRow } from "#kernel/form/field.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import { EnterpriseChoice } from "#parts/enterprise-choice.tsx";
import { BandwidthField } from "#parts/fields/bandwidth-field.tsx";
import { ManyChoice } from "#parts/fields/many-choice.tsx";
import { SaveButton } from "#parts/fields/submit.tsx";
import { PageHead } from "#ui/page-head.tsx";
import styles from "./client-config.module.css";

const clientConfigMessages = defineMessages({
  "clientConfig.title": ["配置管理", "Config management"],
  "clientConfig.enterprise": ["企业", "Enterprise"],
  "clientConfig.enable": ["启用移动接入", "Admit mobile accounts"],
  "clientConfig.where": ["接入位置", "Where clients connect"],
  "clientConfig.what": ["终端配置", "Client settings"],
  "clientConfig.limits": ["带宽与终端", "Bandwidth and terminals"],
  "clientConfig.spaceHelp": ["终端进入的网络空间", "The network space that clients connect to"],
  "clientConfig.popHelp": [
    "终端连接该空间中的这个 POP",
    "The POP of that space that clients connect to",
  ],
  "clientConfig.poolHelp": [
    "终端的地址从这里分配，不能与站点网段重叠；修改后终端需要新的配置",
    "Clients get their addresses from it; it must not overlap a site. After a change they need new configurations",
  ],
  "clientConfig.hostHelp": [
    "留空使用 POP 第一条 WAN 链路的地址；POP 在 NAT 之后时填公网地址或域名",
    "Empty: the address of the POP's first WAN link. Behind NAT: its public address or name",
  ],
  "clientConfig.dnsHelp": ["留空不修改终端的 DNS", "Empty: clients keep their own"],
  "clientConfig.routesHelp": [
    "留空为空间内所有站点的网段",
    "Empty: the networks of all sites of the space",
  ],
  "clientConfig.rateHelp": [
    "账号未设置时使用；留空不限速",
    "For accounts without a limit. Empty: no limit",
  ],
  "clientConfig.typesHelp": ["留空允许所有类型", "Empty: all"],
  "clientConfig.now": [
    "{clients} 个账号有密钥；UDP 端口 {port}",
    "{clients|account has|accounts have} a key; UDP port {port}",
  ],
  "clientConfig.noSpace": [
    "这个企业还没有网络空间，请先创建",
    "This enterprise has no network space yet; add one first",
  ],
  "clientConfig.spaces": ["网络空间", "Network spaces"],
});

type Config = OutputOf<typeof clientConfigGet>;
type Space = RowOf<typeof netSpace>;
type Draft = z.output<typeof clientConfigDraft>;
const useConfigTexts = () => useTexts(clientConfigMessages);

/** Maximum spaces of one enterprise. */
const maxSpaces = 200;

/** How mobile accounts of an enterprise get into its network (section 2.3). */
export default function ClientConfigPage() {
  const t = useConfigTexts();
  const { groupid: ownGroupid } = useSession();
  const linkedGroupid = useNumberParam("groupid");
  const any = { name: null, page: 1, orderByColumn: null, isAsc: null };
  // Operators have no space of their own: then it is about the first enterprise that has one.
  const first = useCall(
    netSpace.ops.list,
    linkedGroupid === null ? { ...any, groupid: null, limit: 1 } : null,
  );
  const groupid = linkedGroupid ?? first.data?.[0]?.groupid ?? ownGroupid;
  const isKnown = linkedGroupid !== null || !first.isFirstLoad;
  const config = useCall(clientConfigGet, isKnown ? { groupid } : null);
  const spaces = useCall(netSpace.ops.list, isKnown ? { ...any, groupid, limit: maxSpaces } : null);
  const error = config.error ?? spaces.error;
  const retry = () => {
    config.refetch();
    spaces.refetch();
  };
  return (
    <>
      <PageHead
        title={t("clientConfig.title")}
        actions={<EnterpriseChoice label={t("clientConfig.enterprise")} groupid={groupid} />}
      />
      <section className={`w-card ${styles.form}`}>
        {error ? (
          <Failed error={error} retry={retry} />
        ) : !config.data || !spaces.data ? (
          <Loading rows={8} />
        ) : spaces.data.length === 0 ? (
          <EmptyState
            kind="first"
            text={t("clientConfig.noSpace")}
            action={{ label: t("clientConfig.spaces"), to: paths.netSpace() }}
          />
        ) : (
          <ConfigForm key={groupid} config={config.data} spaces={spaces.data} />
        )}
      </section>
    </>
  );
}

interface FormProps {
  readonly config: Config;
  readonly spaces: readonly Space[];
}

function ConfigForm({ config, spaces }: FormProps) {
  const t = useConfigTexts();
  const toast = useToast();
  const invalidate = useInvalidate();
  const { groupid, port, clients, rowVersion: _, ...start } = config;
  const form = useDraft(clientConfigDraft, start);
  const stale = useStaleRow(clientConfigVersions, config, start);
  const save = async (draft: Draft): Promise<void> => {
    const saved = await stale.save(form, (version) =>
      call(clientConfigEdit, { groupid, ...draft, ...version }),
    );
    if (saved === null) return;
    toast.done();
    invalidate("clientConfig", mobileAccount.name);
  };
  return (
    <DraftForm form={form} onSubmit={save}>
      {stale.panel(form)}
      <Field
        name="enable"
        label={t("clientConfig.enable")}
        {...(port !== null && { help: t("clientConfig.now", { clients, port }) })}
      />
      <FieldGroup title={t("clientConfig.where")}>
        <Place groupid={groupid} spaces={spaces} />
        <Field
          name="ipPool"
          kind="mono"
          placeholder="10.250.0.0/22"
          help={t("clientConfig.poolHelp")}
        />
      </FieldGroup>
      <FieldGroup title={t("clientConfig.what")}>
        <FieldRow>
          <Field name="serverHost" kind="mono" help={t("clientConfig.hostHelp")} />
          <Field name="dns" kind="mono" help={t("clientConfig.dnsHelp")} />
        </FieldRow>
        <Field name="routes" help={t("clientConfig.routesHelp")}>
          {(control: FieldControl<readonly string[]>) => <Networks control={control} />}
        </Field>
      </FieldGroup>
      <FieldGroup title={t("clientConfig.limits")}>
        <FieldRow>
          <BandwidthField name="defaultTxbps" help={t("clientConfig.rateHelp")} />
          <BandwidthField name="defaultRxbps" help={t("clientConfig.rateHelp")} />
        </FieldRow>
        <Field name="allowTerminalTypes" help={t("clientConfig.typesHelp")}>
          {(control: FieldControl<readonly number[]>) => <Terminals control={control} />}
        </Field>
      </FieldGroup>
      <SaveButton />
    </DraftForm>
  );
}

/** The space, and one of its POPs. */
function Place({
  groupid,
  spaces,
}: {
  readonly groupid: number;
  readonly spaces: readonly Space[];
}) {
  const t = useConfigTexts();
  const { netSpaceId } = useDraftValues<Draft>();
  const { data } = useCall(netSpaceCandidates, { groupid, netSpaceId: null });
  const popIds = spaces.find(({ id }) => id === netSpaceId)?.popIds ?? [];
  const pops = (data?.pops ?? []).filter(({ id }) => popIds.includes(id));
  return (
    <FieldRow>
      <Field
        name="netSpaceId"
        kind="select"
        options={spaces.map(({ id, name }) => ({ value: id, label: name }))}
        help={t("clientConfig.spaceHelp")}
      />
      <Field
        name="popId"
        kind="select"
        options={pops.map(({ id, name }) => ({ value: id, label: name }))}
        help={t("clientConfig.popHelp")}
      />
    </FieldRow>
  );
}

/** Networks, typed one after the other. */
function Networks({ control }: { readonly control: FieldControl<readonly string[]> }) {
  return (
    <Select<string[]>
      id={control.id}
      mode="tags"
      className="w-mono"
      open={false}
      suffixIcon={null}
      tokenSeparators={[",", " ", "\n"]}
      value={[...(control.value ?? [])]}
      onChange={control.set}
      onBlur={control.leave}
      aria-describedby={control.describedBy}
      {...(control.isWrong && { status: "error" as const })}
    />
  );
}

function Terminals({ control }: { readonly control: FieldControl<readonly number[]> }) {
  const t = useConfigTexts();
  return <ManyChoice control={control} options={codeOptions(t, "terminalType", terminalTypes)} />;
}
