import {
  paramConfigEdit,
  paramConfigGet,
  paramDraft,
  paramVersions,
} from "@weft/contract/domains/enterprises/param-config.ts";
import { popStrategy } from "@weft/contract/domains/overlay/pop-strategy.ts";
import type { OutputOf } from "@weft/contract/kernel/endpoint.ts";
import type { z } from "zod";
import { call } from "#client/call.ts";
import { useNumberParam } from "#client/paths.ts";
import { useSession } from "#client/session.tsx";
import { useTexts } from "#client/texts.ts";
import { useCall } from "#client/use-call.ts";
import { Await } from "#feedback/await.tsx";
import { useStaleRow } from "#feedback/stale/use-stale-row.tsx";
import { useToast } from "#feedback/toast.tsx";
import { useInvalidate } from "#feedback/use-action.ts";
import { DraftForm } from "#kernel/form/draft-form.tsx";
import { Field } from "#kernel/form/field.tsx";
import { useDraft } from "#kernel/form/use-draft.ts";
import { EnterpriseChoice } from "#parts/enterprise-choice.tsx";
import { SaveButton } from "#parts/fields/submit.tsx";
import { timeZones } from "#parts/fields/time-zones.ts";
import { PageHead } from "#ui/page-head.tsx";
import { paramMessages } from "./messages.ts";
import styles from "./param-config.module.css";

type Params = OutputOf<typeof paramConfigGet>;
const useParamTexts = () => useTexts(paramMessages);

/** Values that the screens of an enterprise work with (section 2.3). */
export default function ParamConfigPage() {
  const t = useParamTexts();
  const { groupid: own } = useSession();
  const groupid = useNumberParam("groupid") ?? own;
  const result = useCall(paramConfigGet, { groupid });
  return (
    <>
      <PageHead
        title={t("param.title")}
        actions={<EnterpriseChoice label={t("param.enterprise")} groupid={groupid} />}
      />
      <section className={`w-card ${styles.form}`}>
        <Await result={result} rows={5}>
          {(params) => <ParamForm key={groupid} params={params} />}
        </Await>
      </section>
    </>
  );
}

function ParamForm({ params }: { readonly params: Params }) {
  const t = useParamTexts();
  const toast = useToast();
  const invalidate = useInvalidate();
  const { groupid, rowVersion: _, ...start } = params;
  const form = useDraft(paramDraft, start);
  const stale = useStaleRow(paramVersions, params, start);
  const save = async (draft: z.output<typeof paramDraft>): Promise<void> => {
    const saved = await stale.save(form, (version) =>
      call(paramConfigEdit, { groupid, ...draft, ...version }),
    );
    if (saved === null) return;
    toast.done();
    // These lists show what is due soon.
    invalidate("paramConfig", "dashboard", "cpe", "pop", "account");
  };
  return (
    <DraftForm form={form} onSubmit={save}>
      {stale.panel(form)}
      <Field name="expireNoticeDays" unit={t("param.days")} help={t("param.noticeHelp")} />
      <Field
        name="timezone"
        kind="select"
        options={timeZones(start.timezone)}
        help={t("param.zoneHelp")}
      />
      <Field
        name="defaultPopStrategyId"
        kind="combo"
        endpoint={popStrategy.ops.combo}
        help={t("param.strategyHelp")}
      />
      <Field name="logDays" unit={t("param.days")} help={t("param.logHelp")} />
      <SaveButton />
    </DraftForm>
  );
}
