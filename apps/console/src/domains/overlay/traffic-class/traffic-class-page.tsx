import {
  type TrafficClassDraft,
  trafficClassDraft,
  trafficClassEdit,
  trafficClassGet,
  trafficClassVersions,
} from "@weft/contract/domains/overlay/traffic-class.ts";
import { grantText } from "@weft/contract/grants.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import { formatMessage } from "@weft/contract/kernel/message.ts";
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
import { trafficClassMessages } from "./messages.ts";
import styles from "./traffic-class.module.css";

type Settings = OutputOf<typeof trafficClassGet>;
const useSlaTexts = () => useTexts(trafficClassMessages);

/** Limits of an enterprise by class of traffic, and how packets get into a class (ADR 0032). */
export default function TrafficClassPage() {
  const t = useSlaTexts();
  const { groupid: own } = useSession();
  const groupid = useNumberParam("groupid") ?? own;
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
