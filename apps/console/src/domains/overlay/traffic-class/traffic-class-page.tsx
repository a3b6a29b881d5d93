import {
  type TrafficClassDraft,
  trafficClassDraft,
  trafficClassEdit,
  trafficClassGet,
  trafficClassVersions,
} from "@weft/contract/domains/overlay/traffic-class.ts";
import { grantText } from "@weft/contract/grants.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { defineMessages, formatMessage } from "@weft/contract/kernel/message.ts";
import type { Permission } from "@weft/contract/permissions.ts";
import { call } from "#client/call.ts";
import { useNumberParam } from "#client/paths.ts";
import { useMay, useSession } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { Await } from "#feedback/await.tsx";
import { useStaleRow } from "#feedback/stale/use-stale-row.tsx";
import { useToast } from "#feedback/toast.tsx";
import { useInvalidate } from "#feedback/use-action.ts";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { Field, FieldGroup } from "#kernel/form/field.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import { EnterpriseChoice } from "#parts/enterprise-choice.tsx";
import { SaveButton } from "#parts/fields/submit.tsx";
import { PageHead } from "#ui/page-head.tsx";
import styles from "./traffic-class.module.css";

const trafficClassMessages = defineMessages({
  "sla.title": ["SLA 等级", "SLA classes"],
  "sla.enterprise": ["企业", "Enterprise"],
  "sla.enable": ["按等级选路", "Choose links by class"],
  "sla.enableHelp": [
    "每个等级的流量走满足其上限的链路，两个方向各自决定；停用后所有流量走同一条链路",
    "Traffic of each class goes by the links that keep its limits, each direction for itself. Without it all traffic goes by the same links",
  ],
  "sla.realtime": ["实时（语音、视频会议）", "Real-time (voice, video meetings)"],
  "sla.transactional": ["事务（办公、业务系统）", "Transactional (business applications)"],
  "sla.bulk": ["大流量（备份、下载）", "Bulk (backups, downloads)"],
  "sla.default": ["默认（其余流量）", "Default (all other traffic)"],
  "sla.none": ["不限", "No limit"],
  "sla.dscpHelp": [
    "带有这些 DSCP 的报文属于该等级；名称或 1 到 63 的数字，以逗号分隔。留空则没有流量属于该等级",
    "Packets with these are of the class: names or numbers from 1 to 63, separated by commas. Empty: no traffic is of the class",
  ],
  "sla.acts": ["{devices} 台设备都按等级选路", "All {devices} devices choose links by class"],
  "sla.noDevices": [
    "企业的网络空间里还没有设备",
    "The network spaces of the enterprise have no devices yet",
  ],
  "sla.lacking": [
    "以下设备不按等级选路：其所有流量走同一条链路",
    "These devices do not choose links by class: all their traffic goes by the same links",
  ],
  "sla.lack.unreported": ["设备尚未上报能力", "It has not reported what it can do"],
  "sla.lack.edge": ["设备程序版本过旧", "The version of its edge is too old"],
  "sla.lack.kernel": ["设备系统不支持：{detail}", "Its system cannot: {detail}"],
});

type Settings = OutputOf<typeof trafficClassGet>;
const useSlaTexts = () => useTexts(trafficClassMessages);

/** Limits of an enterprise by class of traffic, and how packets get into a class (ADR 0032). */
export default function TrafficClassPage() {
  const t = useSlaTexts();
  const { groupid: ownGroupid } = useSession();
  const groupid = useNumberParam("groupid") ?? ownGroupid;
  const result = useCall(trafficClassGet, { groupid });
  return (
    <>
      <PageHead
        title={t("sla.title")}
        actions={<EnterpriseChoice label={t("sla.enterprise")} groupid={groupid} />}
      />
      <Await result={result} rows={8}>
        {(settings) => (
          <>
            <section className={`w-card ${styles.form}`}>
              <ClassesForm key={groupid} settings={settings} />
            </section>
            {settings.enable && <Reach settings={settings} />}
          </>
        )}
      </Await>
    </>
  );
}

function ClassesForm({ settings }: { readonly settings: Settings }) {
  const t = useSlaTexts();
  const toast = useToast();
  const invalidate = useInvalidate();
  const { groupid, devices: _, lacking: __, rowVersion: ___, ...start } = settings;
  const form = useDraft(trafficClassDraft, start);
  const mayEdit = useMay()(trafficClassEdit.may);
  const name = formatMessage(grantText(trafficClassEdit.may as Permission), t.language);
  const disabled = !mayEdit && t("page.forbiddenWhich", { name });
  const stale = useStaleRow(trafficClassVersions, settings, start);
  const save = async (draft: TrafficClassDraft): Promise<void> => {
    const saved = await stale.save(form, (version) =>
      call(trafficClassEdit, { groupid, ...draft, ...version }),
    );
    if (saved === null) return;
    toast.done();
    invalidate("trafficClass");
  };
  return (
    <DraftForm form={form} onSubmit={save}>
      {stale.panel(form)}
      <Field name="enable" label={t("sla.enable")} help={t("sla.enableHelp")} disabled={disabled} />
      <ClassGroup name="realtime" disabled={mayEdit ? false : ""} />
      <ClassGroup name="transactional" disabled={mayEdit ? false : ""} />
      <ClassGroup name="bulk" disabled={mayEdit ? false : ""} />
      <ClassGroup name="default" disabled={mayEdit ? false : ""} />
      {mayEdit && <SaveButton />}
    </DraftForm>
  );
}

function ClassGroup({
  name,
  disabled,
}: {
  readonly name: "realtime" | "transactional" | "bulk" | "default";
  /** Empty: the form says why, once. */
  readonly disabled: "" | false;
}) {
  const t = useSlaTexts();
  return (
    <FieldGroup title={t(`sla.${name}`)}>
      <div className={styles.limits}>
        <Field name={`${name}Loss`} unit="%" disabled={disabled} />
        <Field name={`${name}Delay`} unit="ms" placeholder={t("sla.none")} disabled={disabled} />
        <Field name={`${name}Jitter`} unit="ms" placeholder={t("sla.none")} disabled={disabled} />
      </div>
      {name !== "default" && (
        <Field name={`${name}Dscp`} kind="mono" help={t("sla.dscpHelp")} disabled={disabled} />
      )}
    </FieldGroup>
  );
}

/** On which devices the classes act, and why not on others. */
function Reach({ settings }: { readonly settings: Settings }) {
  const t = useSlaTexts();
  const { devices, lacking } = settings;
  const text =
    devices === 0
      ? t("sla.noDevices")
      : lacking.length === 0
        ? t("sla.acts", { devices })
        : t("sla.lacking");
  return (
    <section className={`w-card ${styles.reach}`}>
      {text}
      {lacking.length > 0 && (
        <ul>
          {lacking.map(({ nodeId, nodeName, reason, detail }) => (
            <li key={nodeId}>
              {nodeName} <span className="w-quiet">{t(`sla.lack.${reason}`, { detail })}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
